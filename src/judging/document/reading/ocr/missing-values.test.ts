import { describe, expect, it } from "vitest";
import {
  type FoundLetter,
  letterConfidenceMin,
  lettersAt,
  linesOfMissing,
  type MissingValue,
  placesMax,
} from "./missing-values.ts";

const missing = (...xs: readonly number[]): MissingValue => ({
  places: xs.map((x) => ({ x, y: 0.4, width: 0.05, height: 0.2 })),
  fits: (text) => /^[MF]$/.test(text),
});
const box = { x: 0.1, y: 0.5, width: 0.03, height: 0.04 };
const reading = (of: MissingValue, text: string, confidence = 0.99, x = 0.1) => ({
  of,
  text,
  confidence,
  box: { ...box, x },
});

describe("lettersAt", () => {
  /** A letter of ink, 12 × 20, at each of these columns. */
  const sideWith = (...columns: readonly number[]) => {
    const [width, height] = [1000, 200];
    const data = new Uint8Array(width * height).fill(200);
    for (const x of columns) for (let y = 90; y < 110; y++) data.fill(40, y * width + x, y * width + x + 12);
    return { data, width, height };
  };
  const found = (letters: readonly FoundLetter[]) => letters.map(({ box: { x } }) => x);

  it("finds the letters at the places, and no others", () => {
    const value = missing(0.1, 0.3);
    expect(lettersAt(sideWith(120, 520), [value])).toEqual([
      { of: value, box: { x: 120, y: 90, width: 12, height: 20 } },
    ]);
    expect(found(lettersAt(sideWith(120, 320, 520), [value, missing(0.5)]))).toEqual([120, 320, 520]);
  });

  it("searches a bounded number of places", () => {
    const columns = Array.from({ length: placesMax + 1 }, (_, i) => 20 + 100 * i);
    const values = columns.map((x) => missing((x - 20) / 1000));
    expect(found(lettersAt(sideWith(...columns), values))).toEqual(columns.slice(0, placesMax));
  });
});

describe("linesOfMissing", () => {
  const value = missing(0.1, 0.2);

  it("takes a letter that fits, from the least confidence on", () => {
    const line = { text: "F", confidence: letterConfidenceMin, box };
    expect(linesOfMissing([{ ...line, of: value }])).toEqual([line]);
    expect(linesOfMissing([reading(value, "F", letterConfidenceMin - 0.001)])).toEqual([]);
    expect(linesOfMissing([reading(value, "E")])).toEqual([]);
  });

  it("takes one letter for each value, and none where two places hold different ones", () => {
    const read = (one: string, other: string) =>
      linesOfMissing([reading(value, one), reading(value, other, 0.99, 0.2)]).map(({ text }) => text);
    expect(read("M", "")).toEqual(["M"]);
    expect(read("M", "M")).toEqual(["M"]);
    expect(read("M", "F")).toEqual([]);
    const other = missing(0.3);
    expect(linesOfMissing([reading(value, "M"), reading(other, "F")]).map(({ text }) => text)).toEqual([
      "M",
      "F",
    ]);
  });
});
