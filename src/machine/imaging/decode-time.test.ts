import { describe, expect, it } from "vitest";
import { whitePng } from "#support/imaging/images";
import { decodeInTime, judgeTimeOut } from "./decode-time.ts";
import { busiestMs, readDecoderUsage } from "./decoder-usage.ts";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";

describe("judgeTimeOut", () => {
  it.each([
    ["the whole span went into decoding", 5_000, 5_000, "image"],
    ["half of the span went into decoding", 5_000, 2_500, "image"],
    ["a little less than half went into decoding", 5_000, 2_490, "machine"],
    ["the decoders got nothing", 5_000, 0, "machine"],
    ["the decoders were not measured", 5_000, undefined, "machine"],
    ["there was no time to measure", 0, 0, "machine"],
  ] as const)("where %s", (_, wallMs, busiest, expected) => {
    expect(judgeTimeOut({ wallMs, busiestMs: busiest })).toBe(expected);
  });
});

describe("busiestMs", () => {
  it("is the largest growth of one thread, of a new thread its whole time", () => {
    const before = new Map([
      ["1", 900],
      ["2", 100],
    ]);
    const after = new Map([
      ["1", 950],
      ["2", 180],
      ["3", 70],
    ]);
    expect(busiestMs(before, after)).toBe(80);
    expect(busiestMs(before, new Map([["3", 70]]))).toBe(70);
    expect(busiestMs(before, new Map())).toBe(0);
  });
});

describe("decodeInTime", () => {
  const fail = (message: string) => () => Promise.reject(new Error(message));

  it("passes a result", async () => {
    expect(await decodeInTime(10, async () => 5)).toBe(5);
  });

  it("takes every error but a time-out for a fault of the image, and keeps the decoder's words for the operator", async () => {
    for (const message of ["Input buffer contains unsupported image format", "timeout is no marker"]) {
      await expect(decodeInTime(10, fail(message))).rejects.toMatchObject({
        code: "image_unreadable",
        facts: {},
        cause: { message },
      });
    }
  });

  it("does not blame the image for a time-out without a measurement", async () => {
    await expect(decodeInTime(10, fail("timeout: 34% complete"))).rejects.toMatchObject({
      code: "engine_busy",
      facts: { retryAfterSeconds: 10 },
    });
  });
});

it.runIf(process.platform === "linux")("the decoding threads of this process are measured", async () => {
  await makeImaging({ limits: defaultImagingLimits }).open(whitePng(600, 600));
  expect(readDecoderUsage()?.size).toBeGreaterThan(0);
});
