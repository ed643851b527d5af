import { describe, expect, it } from "vitest";
import { calibrateCosine } from "./calibrate-cosine.ts";

/** Cosines evenly spread from 0 to `top`. */
const spread = (count: number, top: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => (top * i) / count);

describe("the calibration of a recogniser", () => {
  it("takes the cosine of each rate from the group with the most false matches", () => {
    const within = new Map([
      ["alike", spread(20_000, 0.8)],
      ["unlike", spread(20_000, 0.3)],
    ]);
    const points = calibrateCosine({ all: spread(200_000, 0.5), within });
    expect(points).toEqual([
      { falseMatchRate: 1e-1, value: expect.closeTo(0.72, 3) },
      { falseMatchRate: 1e-2, value: expect.closeTo(0.792, 3) },
      { falseMatchRate: 1e-3, value: expect.closeTo(0.7992, 3) },
    ]);
  });

  it("includes a rate only if every group has enough pairs for it", () => {
    const of = (count: number) => calibrateCosine({ all: spread(count, 0.5), within: new Map() });
    expect(of(10_000)).toHaveLength(3);
    expect(of(100_000)).toHaveLength(4);
  });

  it("names the group with too few images, and the number that suffices", () => {
    const within = new Map([["few", spread(9_000, 0.4)]]);
    expect(calibrateCosine({ all: spread(20_000, 0.5), within })).toMatch(
      /^few has 9000 impostor pairs.*142 images/,
    );
  });

  it("refuses a network that separates no identities", () => {
    expect(calibrateCosine({ all: new Float64Array(20_000).fill(1), within: new Map() })).toMatch(
      /do not rise/,
    );
  });
});
