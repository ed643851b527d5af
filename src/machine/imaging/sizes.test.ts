import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { claimSize, gradient, pngOf, source, whitePng } from "#support/imaging/images";
import { makeImaging } from "./imaging.ts";
import { makeInspectImage } from "./inspect-image.ts";
import { defaultImagingLimits as limits } from "./limits.ts";

const imaging = makeImaging({ limits });
const jpeg = await source(gradient(60, 40)).jpeg({ quality: 90 }).toBuffer();

/** The declared failure of opening; any other error fails the test. */
const failureOf = async (bytes: Uint8Array): Promise<Pick<Failure, "code" | "facts"> | undefined> => {
  try {
    await imaging.open(bytes, { longSideMax: 256 });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

/** What a header of this size must be answered with, before any pixel is read. */
const refusalOf = (width: number, height: number) => {
  const { pixelsMax, sideMax, sideMin } = limits;
  if (width * height > pixelsMax || Math.max(width, height) > sideMax) {
    return { code: "image_too_large", facts: { width, height, pixelsMax, sideMax } };
  }
  return Math.min(width, height) < sideMin
    ? { code: "image_unreadable", facts: { width, height, sideMin } }
    : undefined;
};

/** Sides of a header: all that 16 or 31 bits can state, most of them near a limit. */
const sideUpTo = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 3_000, max: 3_200 }),
    fc.integer({ min: 16_370, max: 16_400 }),
    fc.integer({ min: 1, max }),
  );

describe("the size that a header states", () => {
  it.each([
    ["PNG", 2 ** 31 - 1, (width: number, height: number) => pngOf(width, height)],
    ["JPEG", 2 ** 16 - 1, (width: number, height: number) => claimSize(jpeg, width, height)],
  ] as const)("gets its own refusal or is decoded, in every %s", async (_, max, make) => {
    await fc.assert(
      fc.asyncProperty(sideUpTo(max), sideUpTo(max), async (width, height) => {
        const refusal = refusalOf(width, height);
        const failure = await failureOf(make(width, height));
        if (refusal === undefined) expect(["image_unreadable", undefined]).toContain(failure?.code);
        else expect(failure).toMatchObject(refusal);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [15, 400],
    [400, 15],
    [16_384, 1],
    [1, 16_384],
    [16_384, 15],
    [1, 1],
  ])("is refused with its sides where one is too short: %i x %i", async (width, height) => {
    expect(await failureOf(whitePng(width, height))).toMatchObject({
      code: "image_unreadable",
      facts: { width, height, sideMin: 16 },
    });
  });

  it.each([
    [16, 400],
    [400, 16],
    [16, 16],
    [16_384, 16],
    [16, 16_384],
    [16_384, 3_072],
  ])("is accepted from 16 px on: %i x %i", async (width, height) => {
    expect(await makeInspectImage(imaging)({ bytes: whitePng(width, height) })).toMatchObject({
      width,
      height,
    });
  });
});

describe("a copy of an image of any size", () => {
  it("has at least one pixel a side, and all its bytes", async () => {
    const side = fc.oneof(fc.integer({ min: 16, max: 24 }), fc.integer({ min: 16, max: 16_384 }));
    const target = fc.constantFrom(1, 16, 200, 384, 480, 736, 1_000, 2_000);
    await fc.assert(
      fc.asyncProperty(side, side, target, async (width, height, longSideMax) => {
        fc.pre(width * height <= 2_000_000);
        const opened = await imaging.open(whitePng(width, height), { longSideMax });
        const scale = Math.min(1, 100 / Math.max(opened.width, opened.height));
        const small = await imaging.resize(opened, opened.width * scale, opened.height * scale);
        for (const copy of [opened, small]) {
          expect(Math.min(copy.width, copy.height)).toBeGreaterThanOrEqual(1);
          expect(copy.data).toHaveLength(3 * copy.width * copy.height);
        }
      }),
      { numRuns: 150 },
    );
  });
});
