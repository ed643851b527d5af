import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FusionBounds, isSafe } from "./bounds.ts";
import { calibrate, logOddsOf, type WeakCues } from "./fusion.ts";

type Cue = "frame" | "moire" | "light" | "colour";

const cues: readonly Cue[] = ["frame", "moire", "light", "colour"];
const weakCues: WeakCues<Cue> = { isWeak: (cue) => cue === "light" || cue === "colour", max: 1.3 };
const bounds: FusionBounds<Cue> = {
  cues,
  offset: [-6, 0],
  scaleMax: 3,
  attackLogOdds: 0,
  weakMaxOf: () => weakCues.max,
};
const evidenceOf = (names: readonly Cue[]) =>
  fc.uniqueArray(
    fc.record({ cue: fc.constantFrom(...names), weight: fc.double({ min: -20, max: 20, noNaN: true }) }),
    { selector: ({ cue }) => cue },
  );

describe("the log odds of an attack", () => {
  it("are the sum of the offset and all calibrated weights", () => {
    const evidence = [
      { cue: "moire", weight: 2 },
      { cue: "light", weight: 3 },
    ] as const;
    const calibrated = calibrate<Cue>(evidence, { scales: { moire: 1.5 } });
    expect(calibrated).toEqual([
      { cue: "moire", weight: 3 },
      { cue: "light", weight: 3 },
    ]);
    expect(logOddsOf(calibrated, -2)).toBe(4);
    expect(logOddsOf(calibrated, -2, weakCues)).toBe(-2 + 3 + 1.3);
  });

  it("change by no more than the limit for weak cues alone, in both directions", () => {
    fc.assert(
      fc.property(evidenceOf(["light", "colour"]), (evidence) => {
        expect(Math.abs(logOddsOf(evidence, 0, weakCues))).toBeLessThanOrEqual(weakCues.max);
      }),
    );
  });

  it("are the same for a missing cue and a cue of weight 0", () => {
    fc.assert(
      fc.property(evidenceOf(cues), fc.constantFrom(...cues), (evidence, cue) => {
        const without = evidence.filter((one) => one.cue !== cue);
        const neutral = [...without, { cue, weight: 0 }];
        expect(logOddsOf(neutral, -1, weakCues)).toBe(logOddsOf(without, -1, weakCues));
        expect(logOddsOf(neutral, -1)).toBe(logOddsOf(without, -1));
      }),
    );
  });
});

describe("a fusion", () => {
  it.each([
    ["within all limits", { offset: -2, scales: { moire: 3, light: 0 } }, true],
    ["whose weak cues alone make an attack", { offset: -1.3, scales: {} }, false],
    ["with a negative scale", { offset: -3, scales: { moire: -1 } }, false],
    ["with a scale over the limit", { offset: -3, scales: { moire: 3.1 } }, false],
    ["with an offset outside its range", { offset: -7, scales: {} }, false],
    ["with a number that is NaN", { offset: -3, scales: { moire: Number.NaN } }, false],
  ])("%s is safe: %3$s", (_, fusion, expected) => {
    expect(isSafe(fusion, bounds)).toBe(expected);
  });
});
