import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CtcCode, decodeCtc, type Scores } from "./ctc.ts";

const characters = ["", "A", "B", "C", " "];
const signs: CtcCode = { characters, values: "logits", space: { code: 4, from: 0.1 } };

/** Columns with the given best class, `lead` above the others. */
const columnsOf = (path: readonly number[], lead = 8): Scores => {
  const data = new Float32Array(path.length * characters.length);
  for (const [column, best] of path.entries()) data[column * characters.length + best] = lead;
  return { data, at: 0, columns: path.length, classes: characters.length };
};

/** A path of columns for a text: repeats, and blanks where they are allowed or required. */
const pathOf = (text: readonly number[], repeats: readonly number[], blanks: readonly number[]) =>
  text.flatMap((code, i) => [
    ...Array.from({ length: blanks[i]! + (text[i - 1] === code ? 1 : 0) }, () => 0),
    ...Array.from({ length: 1 + repeats[i]! }, () => code),
  ]);

const few = fc.array(fc.nat(3), { minLength: 12, maxLength: 12 });

describe("decodeCtc", () => {
  it("decodes every text, however its columns repeat", () => {
    const text = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(text, few, few, (codes, repeats, blanks) => {
        const { text: read } = decodeCtc(columnsOf(pathOf(codes, repeats, blanks)), signs);
        expect(read).toBe(codes.map((code) => characters[code]).join(""));
      }),
    );
  });

  it("does not change with columns of blanks around the line", () => {
    const path = fc.array(fc.nat(3), { maxLength: 12 });
    fc.assert(
      fc.property(path, (columns) => {
        const alone = decodeCtc(columnsOf(columns), signs);
        const framed = decodeCtc(columnsOf([0, 0, ...columns, 0]), signs);
        expect(framed.text).toBe(alone.text);
        expect(framed.confidence).toBeCloseTo(alone.confidence, 2);
      }),
    );
  });

  it("is more confident the farther the best class leads, within 0 and 1", () => {
    const path = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(path, fc.double({ min: 4, max: 9, noNaN: true }), (columns, lead) => {
        const weak = decodeCtc(columnsOf(columns, lead), signs).confidence;
        const strong = decodeCtc(columnsOf(columns, lead + 1), signs).confidence;
        expect(weak).toBeGreaterThanOrEqual(0);
        expect(strong).toBeLessThanOrEqual(1);
        expect(strong).toBeGreaterThanOrEqual(weak);
      }),
    );
  });

  it("writes a space between characters from a tenth on, none at the ends and never two", () => {
    const scores = columnsOf([0, 1, 0, 2, 4, 3, 0]);
    const hint = (column: number, logit: number) => {
      scores.data[column * characters.length + 4] = logit;
    };
    hint(0, 7);
    hint(2, 5.5);
    expect(decodeCtc(scores, signs).text).toBe("AB C");
    hint(2, 6);
    hint(6, 7);
    expect(decodeCtc(scores, signs).text).toBe("A B C");
  });

  it("writes a character once that no word has twice, but again behind a space", () => {
    const code = { ...signs, single: new Set([1]) };
    expect(decodeCtc(columnsOf([3, 1, 0, 1, 2]), signs).text).toBe("CAAB");
    expect(decodeCtc(columnsOf([3, 1, 0, 1, 2]), code).text).toBe("CAB");
    expect(decodeCtc(columnsOf([3, 1, 4, 1, 2]), code).text).toBe("CA AB");
    expect(decodeCtc(columnsOf([2, 0, 2, 1]), code).text).toBe("BBA");
    const close = columnsOf([3, 1, 0, 1]);
    close.data[2 * characters.length + 4] = 6.5;
    expect(decodeCtc(close, code).text).toBe("CA A");
  });

  it("reads only its own columns", () => {
    const { data } = columnsOf([1, 0, 2, 3]);
    const at = { data, at: 2 * characters.length, columns: 2, classes: characters.length };
    expect(decodeCtc(at, signs).text).toBe("BC");
  });

  it("takes probabilities as they are, and a space only where it leads", () => {
    const data = Float32Array.of(0, 0.9, 0.1, 0, 0, 0.6, 0, 0, 0, 0.4, 0, 0, 0.4, 0, 0.1);
    const code = { characters, values: "probabilities" } as const;
    const read = decodeCtc({ data, at: 0, columns: 3, classes: characters.length }, code);
    expect(read.text).toBe("AB");
    // A, blank, B: no other path is possible.
    expect(read.confidence).toBeCloseTo(Math.sqrt(0.9 * 0.6 * 0.4), 5);
    data.set([0, 0.2, 0, 0, 0.8], 5);
    expect(decodeCtc({ data, at: 0, columns: 3, classes: characters.length }, code).text).toBe("A B");
  });

  it("has confidence 0 for an empty line", () => {
    expect(decodeCtc(columnsOf([0, 0, 0]), signs)).toEqual({ text: "", confidence: 0 });
  });
});
