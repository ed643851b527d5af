import { describe, expect, it } from "vitest";
import { line, printed } from "#support/document/printed-lines";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { labelReaderOf, readVizFields } from "./read-viz-fields.ts";

const models = readDocumentModels();
const reader = labelReaderOf(models);

const read = (id: string, lines: readonly TextLine[]) => {
  const model = models.national.find((candidate) => candidate.id === id)!;
  const { fields, undecided } = readVizFields(model, "front", lines, "2026-11-26", reader);
  return {
    values: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    undecided: undecided.map(({ name, candidates }) => [name, ...candidates]),
  };
};

/** A card with labels in one column and values in the next. */
const ecuador = () =>
  printed(
    [0.3, 0.18, "APELLIDOS"],
    [0.46, 0.18, "SOLÍS PRUEBA"],
    [0.3, 0.24, "NOMBRES"],
    [0.46, 0.24, "ANA MARÍA"],
    [0.3, 0.3, "NACIONALIDAD"],
    [0.52, 0.3, "ECUATORIANA"],
    [0.3, 0.36, "SEXO"],
    [0.46, 0.36, "MUJER"],
  );

describe("values right of their labels", () => {
  it("are of their own row, not of the next one, and end where the next label's row begins", () => {
    expect(read("ECU-ID-2021", ecuador())).toEqual({
      values: { lastName: "SOLÍS PRUEBA", firstName: "ANA MARÍA", nationality: "ECU", sex: "F" },
      undecided: [],
    });
  });

  it("are found far from small labels", () => {
    const small = printed([0.1, 0.2, "SEXO"], [0.58, 0.2, "M"]).map((text) => ({
      ...text,
      box: { ...text.box, height: 0.028 },
    }));
    expect(read("ECU-ID-2021", small).values).toEqual({ sex: "M" });
  });

  it("take a second line without a label of its own, where no label was lost", () => {
    const chile = [
      [0.3, 0.18, "APELLIDOS"],
      [0.55, 0.18, "SOLÍS"],
      [0.55, 0.265, "PRUEBA"],
      [0.3, 0.35, "NOMBRES"],
      [0.55, 0.35, "ANA MARÍA"],
      [0.3, 0.43, "NACIONALIDAD"],
      [0.55, 0.43, "CHILENA"],
      [0.3, 0.51, "SEXO"],
      [0.55, 0.51, "F"],
      [0.3, 0.59, "FECHA DE NACIMIENTO"],
      [0.7, 0.59, "01 ENE 1990"],
      [0.3, 0.67, "NÚMERO DOCUMENTO"],
      [0.7, 0.67, "A12.345.678"],
      [0.3, 0.75, "FECHA DE EMISIÓN"],
      [0.7, 0.75, "02 ENE 2025"],
      [0.3, 0.83, "FECHA DE VENCIMIENTO"],
      [0.7, 0.83, "01 ENE 2035"],
      [0.05, 0.9, "RUN 12.345.678-5"],
    ] as const;
    expect(read("CHL-ID-2024", printed(...chile)).values).toMatchObject({ lastName: "SOLÍS PRUEBA" });
    const lost = printed(...chile.filter(([, , text]) => text !== "NOMBRES"));
    const { values, undecided } = read("CHL-ID-2024", lost);
    expect(values).not.toHaveProperty("lastName");
    expect(undecided).toContainEqual(["lastName", "SOLÍS PRUEBA", "SOLÍS"]);
  });
});

describe("a text", () => {
  it("under a label is no value on a side whose values stand right of their labels", () => {
    const lines = ecuador().filter(({ text }) => text !== "ANA MARÍA");
    const under = [...lines, line(0.3, 0.42, "GERENTE")];
    expect(read("ECU-ID-2021", under).values).not.toHaveProperty("firstName");
  });

  it("that is a label of another model is no value", () => {
    const lines = printed([0.3, 0.18, "APELLIDOS"], [0.3, 0.23, "Estado Civil"]);
    expect(read("ECU-ID-2021", lines).values).toEqual({});
  });

  it("that is a longer label of another model is not the shorter one with a value", () => {
    const lines = printed([0.3, 0.2, "Nombre del padre"], [0.3, 0.3, "Nombre: ANA MARÍA"]);
    expect(read("CRI-ID-2025", lines).values).toEqual({ firstName: "ANA MARÍA" });
  });

  it("that resembles a lost label ends the value above it", () => {
    const lines = printed(
      [0.3, 0.18, "NOMBRES"],
      [0.3, 0.23, "ANA MARÍA"],
      [0.3, 0.27, "NxCIxNALxDxD"],
      [0.3, 0.32, "ECUATORIANA"],
    );
    expect(read("ECU-ID-2021", lines).values).toEqual({ firstName: "ANA MARÍA" });
  });

  it("higher than twice the print is a mark, but a large number counts", () => {
    const tall = (text: string): TextLine => {
      const mark = line(0.55, 0.25, text);
      return { ...mark, box: { ...mark.box, height: 0.12 } };
    };
    const card = printed(
      [0.3, 0.3, "Nombre:"],
      [0.3, 0.4, "1° Apellido: SOLÍS"],
      [0.3, 0.5, "2° Apellido: PRUEBA"],
    );
    expect(read("CRI-ID-2025", [...card, tall("MUESTRA")]).values).not.toHaveProperty("firstName");
    expect(read("CRI-ID-2025", [...card, tall("1 1234 0567")]).values).toMatchObject({
      documentNumber: "112340567",
    });
  });
});

describe("a value", () => {
  it("that two texts may be is null, with both as candidates", () => {
    const lines = printed([0.3, 0.3, "Nombre"], [0.42, 0.3, "ANA"], [0.3, 0.35, "MARÍA"]);
    expect(read("CRI-ID-2025", lines)).toEqual({ values: {}, undecided: [["firstName", "MARÍA", "ANA"]] });
  });

  it("of several labels is null where one of them has no text", () => {
    const lines = printed([0.3, 0.3, "1° Apellido: SOLÍS"], [0.3, 0.4, "2° Apellido:"]);
    expect(read("CRI-ID-2025", lines).values).toEqual({});
  });

  it("is of its kind: a date is no blood group and no number", () => {
    const lines = printed([0.3, 0.3, "TIPO DE SANGRE"], [0.6, 0.3, "03-FEB-2023"], [0.3, 0.4, "SEXO: F"]);
    expect(read("PAN-ID-2023", lines).values).toEqual({ sex: "F" });
  });

  it("serves one field: two dates are not the same text", () => {
    const lines = printed(
      [0.36, 0.71, "FECHA DE EMISIÓN"],
      [0.6, 0.71, "FECHA DE VENCIMIENTO"],
      [0.5, 0.76, "01 ENE 2035"],
    );
    expect(Object.keys(read("CHL-ID-2024", lines).values)).toHaveLength(1);
  });
});
