import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSafe } from "#contract/presentation-attack/bounds";
import { FusionRefused } from "#contract/presentation-attack/fusion-file";
import { cueNames } from "./cues/cue.ts";
import { isDecisive } from "./cues/list.ts";
import { attackScoreOf, defaultFusion, livenessBounds } from "./fusion.ts";
import { parseFusion, writeFusion } from "./fusion-file.ts";

const weak = cueNames.filter((name) => !isDecisive(name));
const weight = fc.double({ min: -20, max: 20, noNaN: true });
const evidenceOf = (names: readonly (typeof cueNames)[number][]) =>
  fc.uniqueArray(fc.record({ cue: fc.constantFrom(...names), weight }), { selector: ({ cue }) => cue });

const content = {
  format: "idem-liveness-fusion" as const,
  version: 1 as const,
  madeAt: "2026-11-21T00:00:00.000Z",
  offset: -2,
  scales: { moire: 1.5 },
  data: { persons: 3, live: 4, attacks: { print: 5 } },
  models: { iris: "ab".repeat(32) },
};

describe("the liveness fusion", () => {
  it("never makes an attack of weak cues alone, with every weight", () => {
    fc.assert(
      fc.property(evidenceOf(weak), (evidence) => {
        expect(attackScoreOf(evidence, defaultFusion)).toBeLessThan(0.5);
      }),
    );
    expect(isSafe(defaultFusion, livenessBounds)).toBe(true);
    expect(isSafe({ offset: -1, scales: {} }, livenessBounds)).toBe(false);
    expect(isSafe({ offset: -3, scales: { moire: -1 } }, livenessBounds)).toBe(false);
  });

  it("gives the same score for a missing cue and a neutral cue", () => {
    fc.assert(
      fc.property(evidenceOf(cueNames), fc.constantFrom(...cueNames), (evidence, cue) => {
        const without = evidence.filter((one) => one.cue !== cue);
        const neutral = [...without, { cue, weight: 0 }];
        expect(attackScoreOf(neutral, defaultFusion)).toBe(attackScoreOf(without, defaultFusion));
      }),
    );
  });
});

describe("a fusion file", () => {
  it("returns the written content, under a name of its hash, in any order of its lines", () => {
    const text = writeFusion(content);
    const fusion = parseFusion(text);
    expect(fusion).toMatchObject({ offset: -2, scales: { moire: 1.5 } });
    expect(fusion.name).toMatch(/^fitted-[0-9a-f]{12}$/);
    const reversed = Object.fromEntries(Object.entries(JSON.parse(text)).toReversed());
    expect(parseFusion(JSON.stringify(reversed))).toEqual(fusion);
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
