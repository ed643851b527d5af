import { describe, expect, it } from "vitest";
import { defaultAttackPolicy } from "./attack-policy.ts";
import { fuseSignals } from "./fusion.ts";
import { type AttackSample, crossFitAttackFusion, fitAttackFusion, isSafe } from "./fusion-fit.ts";
import { decisiveSignals, type Signal, signalNames, weights } from "./signal.ts";

const signal = (name: Signal["name"], weight: number): Signal => ({
  name,
  on: "document",
  level: weight > 0 ? "strong" : "none",
  weight,
  evidence: {},
});

/** The pattern is seen on nearly every attack, and on no genuine document. */
const samples: readonly AttackSample[] = Array.from({ length: 80 }, (_, i) => ({
  signals: [signal("fine-pattern", i % 2 === 1 && i % 20 !== 1 ? weights.hintMax : 0)],
  isAttack: i % 2 === 1,
  kind: i % 2 === 1 ? "screen" : "",
  document: `card ${i >> 2}`,
}));

describe("the fit of the traces' weights", () => {
  it("never lets one hint make a spoof, whichever it is and whatever the samples say", () => {
    for (const fusion of [
      fitAttackFusion(samples, defaultAttackPolicy),
      ...crossFitAttackFusion(samples, defaultAttackPolicy, 4),
    ]) {
      expect(isSafe(fusion, defaultAttackPolicy)).toBe(true);
      const policy = { ...defaultAttackPolicy, fusion: { name: "own", ...fusion } };
      for (const name of signalNames.filter(
        (one) => !decisiveSignals.includes(one) && one !== "grey-portrait",
      )) {
        const weight = name === "other-face" ? weights.otherFace : weights.hintMax;
        expect(fuseSignals([signal(name, weight)], policy).verdict).not.toBe("spoof");
      }
    }
    expect(fitAttackFusion(samples, defaultAttackPolicy).scales["fine-pattern"]).toBeGreaterThan(1);
  });

  it.each([
    ["another face alone would make a spoof", { offset: -1.6, scales: {} }],
    ["a hint would", { offset: -2, scales: { "fine-pattern": 2.5 } }],
    ["a trace speaks for the document", { offset: -2, scales: { "edited-line": -1 } }],
    ["the offset is none of one attack in ten", { offset: 0, scales: { "other-face": 0 } }],
  ])("is not safe where %s", (_, fusion) => {
    expect(isSafe(fusion, defaultAttackPolicy)).toBe(false);
  });
});
