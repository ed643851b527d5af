import { describe, expect, it } from "vitest";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { makeFindMissingValues } from "./missing-values.ts";

const findMissing = makeFindMissingValues(readDocumentModels());

/** Text, left edge and top, as shares of a card; lines are 0.045 high. */
const lineAt = (text: string, x: number, y: number): TextLine => ({
  text,
  confidence: 0.99,
  box: { x, y, width: text.length * 0.016, height: 0.045 },
});

/** A table of labels and values. Its sex has no value. */
const table = [
  lineAt("Nombres", 0.3, 0.3),
  lineAt("RONALD", 0.62, 0.3),
  lineAt("Sexo", 0.3, 0.4),
  lineAt("Fecha de Emisión", 0.3, 0.5),
  lineAt("05 03 2026", 0.62, 0.5),
];

const isWithin = (x: number, y: number, box: TextLine["box"]): boolean =>
  x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;

describe("the places of missing values", () => {
  it("has a sex beside its label, in the column of the values and under the label", () => {
    const [sex, ...others] = findMissing(table);
    expect(others).toEqual([]);
    expect(sex!.places).toHaveLength(3);
    expect(sex!.places.some((box) => isWithin(0.38, 0.42, box))).toBe(true);
    expect(sex!.places.some((box) => isWithin(0.625, 0.42, box))).toBe(true);
    expect(["M", "F", "X", "E", "MF", "m"].map(sex!.fits)).toEqual([true, true, true, false, false, false]);
  });

  it("has a value under its label at the height of the values beside it", () => {
    const lines = [
      lineAt("NACIONALIDAD", 0.05, 0.5),
      lineAt("CHILENA", 0.05, 0.57),
      lineAt("SEXO", 0.4, 0.5),
    ];
    const [sex] = findMissing(lines);
    expect(sex!.places.some((box) => isWithin(0.405, 0.59, box))).toBe(true);
  });

  it("is empty where a value stands at one of the places", () => {
    expect(findMissing([...table, lineAt("M", 0.62, 0.4)])).toEqual([]);
    expect(findMissing([...table, lineAt("MASCULINO", 0.38, 0.4)])).toEqual([]);
    // A line of another row is at none of them.
    expect(findMissing([...table, lineAt("M", 0.62, 0.445)])).toHaveLength(1);
  });

  it("leaves out a place where another text stands, unless it is as short as a misread letter", () => {
    const placesWith = (line: TextLine) => findMissing([...table, line])[0]!.places.length;
    expect(placesWith(lineAt("Estado Civil", 0.37, 0.4))).toBe(2);
    expect(placesWith(lineAt("Nacionalidad", 0.3, 0.45))).toBe(2);
    expect(placesWith(lineAt("VMLI", 0.62, 0.4))).toBe(2);
    expect(placesWith(lineAt("VML", 0.62, 0.4))).toBe(3);
  });

  it("has a column where two near rows have a text", () => {
    const withoutSecond = table.filter(({ text }) => text !== "05 03 2026");
    expect(findMissing(withoutSecond)[0]!.places).toHaveLength(2);
    const far = table.map((line) =>
      line.text === "RONALD" ? { ...line, box: { ...line.box, y: 0.02 } } : line,
    );
    expect(findMissing(far)[0]!.places).toHaveLength(2);
  });

  it("has a civil status of one letter, and no other value", () => {
    const [status, ...others] = findMissing([lineAt("Estado Civil", 0.3, 0.4), lineAt("Distrito", 0.3, 0.6)]);
    expect(others).toEqual([]);
    expect(["S", "C", "V", "D", "M"].map(status!.fits)).toEqual([true, true, true, true, false]);
    expect(findMissing([lineAt("Estado Civil", 0.3, 0.4), lineAt("CASADA", 0.3, 0.46)])).toEqual([]);
  });

  it("needs a label that is alone in its line", () => {
    expect(findMissing([lineAt("Sexo M", 0.3, 0.4)])).toEqual([]);
    expect(findMissing([lineAt("REGISTRO Y ESTADO CIVIL", 0.3, 0.4)])).toEqual([]);
  });
});
