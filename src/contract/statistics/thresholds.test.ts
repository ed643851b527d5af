import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  figuresOf,
  justAbove,
  justBelow,
  withFigure,
  wrongAnswers,
} from "#support/contract/statistics/thresholds";

const policy = { version: "1", size: { min: 3, limits: { max: 9 } }, isOn: true, names: ["a"], none: null };
type Policy = typeof policy;
const isSmall = (value: number, { size }: Policy): boolean => value < size.min;
const isLarge = (value: number, { size }: Policy): boolean => value > size.limits.max;
const right = {
  "size.min": { judge: isSmall, answers: [true, false, false] },
  "size.limits.max": { judge: isLarge, answers: [false, false, true] },
} as const;

describe("the numbers of a policy", () => {
  it("are found at every depth, and can be replaced one by one", () => {
    expect(figuresOf(policy)).toEqual([
      ["size.min", 3],
      ["size.limits.max", 9],
    ]);
    const moved = withFigure(policy, "size.limits.max", 8);
    expect(moved).toEqual({ ...policy, size: { min: 3, limits: { max: 8 } } });
    expect(policy.size.limits.max).toBe(9);
    expect(() => withFigure(policy, "size.maximum", 8)).toThrow("size.maximum");
    expect(() => withFigure(policy, "sizes.min", 8)).toThrow("sizes.min");
  });

  it("have neighbours with no number between them", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }), (value) => {
        const [below, above] = [justBelow(value), justAbove(value)];
        expect(below < value && value < above).toBe(true);
        expect([justAbove(below) === value, justBelow(above) === value]).toEqual([true, true]);
      }),
    );
  });
});

describe("the answers around a threshold", () => {
  it("are right where the judge compares with the number of the policy", async () => {
    expect(await wrongAnswers(policy, right)).toEqual([]);
  });

  it.each([
    ["is closed on the wrong side", (value: number, { size }: Policy) => value <= size.min],
    ["is moved", (value: number, { size }: Policy) => value < size.min - 1],
    ["is a number of the judge", (value: number) => value < 3],
  ])("are wrong where the threshold %s", async (_, judge) => {
    const wrong = await wrongAnswers(policy, { ...right, "size.min": { ...right["size.min"], judge } });
    expect(wrong.join()).toMatch(/^size\.min at /);
  });

  it("report a number without a test, and a test without a number", async () => {
    expect(await wrongAnswers(policy, { "size.min": right["size.min"] })).toEqual([
      "size.limits.max has no test on either side",
    ]);
    expect(await wrongAnswers(policy, { ...right, max: right["size.min"] })).toEqual([
      "max is no number of the policy",
    ]);
  });
});
