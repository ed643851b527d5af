import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CueEvidence, cueNames } from "./cues/cue.ts";
import { isDecisive } from "./cues/list.ts";
import { defaultFusion } from "./default-fusion.ts";
import { attackScoreOf, isSafe } from "./fusion.ts";
import { FusionRefused, parseFusion, writeFusion } from "./fusion-file.ts";
import { calibrated, crossValidate, type FusionSample, fitFusion } from "./fusion-fit.ts";

const weak = cueNames.filter((name) => !isDecisive(name));
const weight = fc.double({ min: -20, max: 20, noNaN: true });
const evidenceOf = (names: readonly (typeof cueNames)[number][]) =>
  fc.uniqueArray(fc.record({ cue: fc.constantFrom(...names), weight }), { selector: ({ cue }) => cue });

/** Pictures of 40 persons: frames tell attacks, black level tells nothing, moiré was measured on half. */
const samples: readonly FusionSample[] = Array.from({ length: 160 }, (_, i) => {
  const isAttack = i % 2 === 1;
  const cue = (name: (typeof cueNames)[number], value: number): CueEvidence => ({ cue: name, weight: value });
  return {
    evidence: [
      cue("frame-around-face", isAttack && i % 10 !== 1 ? 2 : -0.5),
      cue("lifted-black", i % 4 < 2 ? 0.5 : -0.2),
      ...(i % 4 < 2 ? [cue("moire", isAttack ? 1.5 : -0.3)] : []),
    ],
    isAttack,
    kind: isAttack ? (i % 4 === 1 ? "telephone" : "print") : "live",
    person: `person-${Math.floor(i / 4)}`,
  };
});
const content = {
  format: "idem-liveness-fusion" as const,
  version: 1 as const,
  madeAt: "2026-11-21T00:00:00.000Z",
  offset: -2,
  scales: { moire: 1.5 },
  data: { persons: 3, live: 4, attacks: { print: 5 } },
  models: { iris: "ab".repeat(32) },
};

describe("the fusion", () => {
  it("never refuses a person for weak cues alone, whatever they say", () => {
    fc.assert(
      fc.property(evidenceOf(weak), (evidence) => {
        expect(attackScoreOf(evidence, defaultFusion)).toBeLessThan(0.5);
      }),
    );
    expect(isSafe(defaultFusion)).toBe(true);
    expect(isSafe({ offset: -1, scales: {} })).toBe(false);
    expect(isSafe({ offset: -3, scales: { moire: -1 } })).toBe(false);
  });

  it("treats a missing cue as one that says nothing", () => {
    fc.assert(
      fc.property(evidenceOf(cueNames), fc.constantFrom(...cueNames), (evidence, cue) => {
        const without = evidence.filter((one) => one.cue !== cue);
        const silent = [...without, { cue, weight: 0 }];
        expect(attackScoreOf(silent, defaultFusion)).toBe(attackScoreOf(without, defaultFusion));
      }),
    );
  });

  it("is fitted so that what tells attacks weighs more than what does not", () => {
    const fit = fitFusion(samples);
    expect(isSafe(fit)).toBe(true);
    expect(fit.scales["frame-around-face"]).toBeGreaterThan(1);
    expect(fit.scales["lifted-black"]).toBeLessThan(1);
    expect(calibrated([{ cue: "moire", weight: 2 }], { offset: -2, scales: { moire: 1.5 } })).toEqual([
      { cue: "moire", weight: 3 },
    ]);
  });

  it("is tested on persons that the fit did not see", () => {
    const odds = crossValidate(samples, 4);
    const mean = (isAttack: boolean) => {
      const own = odds.filter((_, i) => samples[i]!.isAttack === isAttack);
      return own.reduce((sum, value) => sum + value, 0) / own.length;
    };
    expect(odds).toHaveLength(samples.length);
    expect(mean(true)).toBeGreaterThan(mean(false) + 1);
  });
});

describe("a fusion file", () => {
  it("gives back what was written, under a name of its hash, in any order of its lines", () => {
    const text = writeFusion(content);
    const fusion = parseFusion(text);
    expect(fusion).toMatchObject({ offset: -2, scales: { moire: 1.5 } });
    expect(fusion.name).toMatch(/^fitted-[0-9a-f]{12}$/);
    const turned = Object.fromEntries(Object.entries(JSON.parse(text)).toReversed());
    expect(parseFusion(JSON.stringify(turned))).toEqual(fusion);
  });

  it.each([
    ["is no JSON", "{", /no liveness fusion/],
    ["was changed", writeFusion(content).replace("-2", "-3"), /was changed/],
    ["is unsafe", writeFusion({ ...content, offset: -0.5 }), /weak cues alone/],
    ["weighs an unknown cue", writeFusion({ ...content, scales: { "tea-leaves": 1 } }), /tea-leaves/],
  ])("that %s is refused with the reason", (_what, text, reason) => {
    expect(() => parseFusion(text)).toThrow(FusionRefused);
    expect(() => parseFusion(text)).toThrow(reason);
  });
});
