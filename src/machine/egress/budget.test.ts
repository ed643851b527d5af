import { expect, it } from "vitest";
import { judgeReceived, exchangeBudget as of, type Received } from "./budget.ts";

const honest: Received = {
  interim: 0,
  hasHead: true,
  bytes: 1_000,
  wireBytes: 6_000,
  bodyBytes: 800,
  pieces: 2,
  processorMs: 1,
};

/** The last value within the budget, and the first beyond it. */
const thresholds: readonly (readonly [name: string, within: Partial<Received>, beyond: Partial<Received>])[] =
  [
    ["interim answers", { interim: of.interimMax }, { interim: of.interimMax + 1 }],
    [
      "bytes before an answer",
      { hasHead: false, bytes: of.headBytesMax },
      { hasHead: false, bytes: of.headBytesMax + 1 },
    ],
    ["framing", { bodyBytes: 100, bytes: of.bytesFree + 200 }, { bodyBytes: 100, bytes: of.bytesFree + 201 }],
    [
      "bytes of TLS",
      { bytes: 100, wireBytes: of.wireBytesFree + 400 },
      { bytes: 100, wireBytes: of.wireBytesFree + 401 },
    ],
    ["pieces", { bytes: 2_560, pieces: of.piecesFree + 10 }, { bytes: 2_560, pieces: of.piecesFree + 11 }],
    [
      "processor time",
      { bytes: 10_000, bodyBytes: 10_000, processorMs: of.processorMsFree + 1 },
      { bytes: 10_000, bodyBytes: 10_000, processorMs: of.processorMsFree + 1.1 },
    ],
  ];

it.each(thresholds)("%s: the last one is within the budget, the next is not", (_, within, beyond) => {
  expect(judgeReceived({ ...honest, ...within })).toBeUndefined();
  expect(judgeReceived({ ...honest, ...beyond })).toMatch(/^sends /);
});

it("an honest answer of any size is within the budget: chunks of 4 kB over TLS, in segments of 1,460 bytes", () => {
  for (let bodyBytes = 1; bodyBytes < 1e9; bodyBytes *= 10) {
    const chunks = Math.ceil(bodyBytes / 4096);
    const bytes = 300 + bodyBytes + 8 * chunks;
    const received = { ...honest, bodyBytes, bytes, wireBytes: 5_000 + bytes + 22 * Math.ceil(bytes / 1400) };
    const pieces = Math.ceil(bytes / 1460) + 2 * chunks;
    expect(
      judgeReceived({ ...received, pieces, processorMs: bodyBytes / 100_000 }),
      String(bodyBytes),
    ).toBeUndefined();
  }
});
