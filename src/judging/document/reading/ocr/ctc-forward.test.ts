import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CtcLabel, logProbabilityOfText } from "./ctc-forward.ts";

const classes = 4;

/** All assignments of a class to each column. */
const pathsOf = (columns: number): readonly (readonly number[])[] =>
  columns === 0
    ? [[]]
    : pathsOf(columns - 1).flatMap((path) => Array.from({ length: classes }, (_, k) => [...path, k]));

/** The text of a path: repeats count once, blanks not at all. */
const collapsed = (path: readonly number[]): string =>
  path.filter((code, i) => code !== 0 && code !== path[i - 1]).join("");

/** The texts of a label sequence: with and without each optional label. */
const textsOf = (labels: readonly CtcLabel[]): readonly string[] =>
  labels.reduce<readonly string[]>(
    (texts, { code, isOptional }) => [...texts.map((text) => text + code), ...(isOptional ? texts : [])],
    [""],
  );

const column = fc
  .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: classes, maxLength: classes })
  .map((row) => {
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((value) => value / sum);
  });
const columns = fc.array(column, { minLength: 0, maxLength: 5 });
const letters = fc.array(fc.integer({ min: 1, max: classes - 1 }), { maxLength: 4 });

const compare = (rows: readonly (readonly number[])[], labels: readonly CtcLabel[]): void => {
  const texts = textsOf(labels);
  const expected = pathsOf(rows.length)
    .filter((path) => texts.includes(collapsed(path)))
    .reduce((sum, path) => sum + path.reduce((product, code, i) => product * rows[i]![code]!, 1), 0);
  const found = Math.exp(logProbabilityOfText(labels, rows.length, (at, code) => rows[at]![code]!));
  expect(found).toBeCloseTo(expected, 8);
};

describe("logProbabilityOfText", () => {
  it("is the sum over all paths of the text", () => {
    fc.assert(
      fc.property(columns, letters, (rows, codes) =>
        compare(
          rows,
          codes.map((code) => ({ code, isOptional: false })),
        ),
      ),
    );
  });

  it("counts paths with and without an optional label between two others", () => {
    const space = classes - 1;
    const letter = fc.integer({ min: 1, max: space - 1 });
    fc.assert(
      fc.property(columns, letter, letter, fc.array(letter, { maxLength: 1 }), (rows, first, second, rest) =>
        compare(rows, [
          ...[first, second].map((code) => ({ code, isOptional: false })),
          ...rest.flatMap((code) => [
            { code: space, isOptional: true },
            { code, isOptional: false },
          ]),
        ]),
      ),
    );
  });

  it("stays exact to float32 when unlikely paths are dropped, over a whole line of columns", () => {
    const count = 60;
    fc.assert(
      fc.property(fc.double({ min: 0.02, max: 0.5, noNaN: true }), (letter) => {
        const blank = 1 - letter;
        // One run of 1 to 60 columns at every start.
        const runs = Array.from(
          { length: count },
          (_, i) => (count - i) * letter ** (i + 1) * blank ** (count - i - 1),
        );
        const expected = Math.log(runs.reduce((sum, run) => sum + run, 0));
        const labels = [{ code: 1, isOptional: false }];
        const found = logProbabilityOfText(labels, count, (_, code) => (code === 1 ? letter : blank));
        expect(found).toBeCloseTo(expected, 5);
      }),
    );
  });

  it("is minus infinity when no path gives the text", () => {
    const never = (_: number, code: number) => (code === 2 ? 1 : 0);
    expect(logProbabilityOfText([{ code: 1, isOptional: false }], 3, never)).toBe(-Infinity);
  });
});
