import { expect, it } from "vitest";
import { isSafe } from "#contract/presentation-attack/bounds";
import type { CueEvidence, CueName } from "#judging/face/liveness/cues/cue";
import { livenessBounds } from "#judging/face/liveness/fusion";
import { crossValidateLiveness, fitLiveness, type LivenessSample } from "./fit-liveness.ts";

/**
 * Images of 40 subjects: frames separate attacks, the black level does not, half of the images have a moiré
 * value.
 */
const samples: readonly LivenessSample[] = Array.from({ length: 160 }, (_, i) => {
  const isAttack = i % 2 === 1;
  const cue = (name: CueName, value: number): CueEvidence => ({ cue: name, weight: value });
  return {
    evidence: [
      cue("frame-around-face", isAttack && i % 10 !== 1 ? 2 : -0.5),
      cue("lifted-black", i % 4 < 2 ? 0.5 : -0.2),
      ...(i % 4 < 2 ? [cue("moire", isAttack ? 1.5 : -0.3)] : []),
    ],
    isAttack,
    kind: isAttack ? (i % 4 === 1 ? "telephone" : "print") : "live",
    group: `person-${Math.floor(i / 4)}`,
  };
});

it("the fit scales up cues that separate attacks, and scales down the others", () => {
  const fit = fitLiveness(samples);
  expect(isSafe(fit, livenessBounds)).toBe(true);
  expect(fit.scales["frame-around-face"]).toBeGreaterThan(1);
  expect(fit.scales["lifted-black"]).toBeLessThan(1);
});

it("cross-validation judges every image by a fit without its own capture subject", () => {
  const odds = crossValidateLiveness(samples, 4);
  const mean = (isAttack: boolean) => {
    const own = odds.filter((_, i) => samples[i]!.isAttack === isAttack);
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  };
  expect(odds).toHaveLength(samples.length);
  expect(mean(true)).toBeGreaterThan(mean(false) + 1);
});
