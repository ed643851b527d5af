import { describe, expect, it } from "vitest";
import { line, printed } from "#support/document/printed-lines";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { labelReaderOf, readVizFields } from "./read-viz-fields.ts";

const models = readDocumentModels();
const { national, generic } = models;
const reader = labelReaderOf(models);

const read = (id: string, side: "front" | "back", lines: readonly TextLine[]) => {
  const model = [...national, ...generic].find((candidate) => candidate.id === id);
  if (model === undefined) {
    throw new Error(`No model is called ${id}`);
  }
  return readVizFields(model, side, lines, "2026-11-21", reader);
};

const values = (id: string, side: "front" | "back", lines: readonly TextLine[]) =>
  Object.fromEntries(read(id, side, lines).fields.map(({ name, value }) => [name, value]));

describe("a card's fields by their labels", () => {
  it("are found under them, in columns, with misread letters", () => {
    const front = printed(
      [0.2, 0.04, "REPUBLICA DE CHlLE"],
      [0.2, 0.1, "SERVICIO DE REGISTRO CIVIL E IDENTIFICACION"],
      [0.36, 0.18, "APELLIDQS"],
      [0.36, 0.23, "SOLÍS"],
      [0.36, 0.28, "PRUEBA"],
      [0.36, 0.35, "NOMBRES"],
      [0.36, 0.4, "ANA MARÍA"],
      [0.36, 0.47, "NACIONALIDAD"],
      [0.6, 0.47, "SEXO"],
      [0.36, 0.52, "CHILENA"],
      [0.6, 0.52, "F"],
      [0.36, 0.59, "FECHA DE NACIMENTO"],
      [0.66, 0.59, "NUMERO DOCUMENTO"],
      [0.36, 0.64, "01 ENE 1990"],
      [0.66, 0.64, "A12.345.678"],
      [0.36, 0.71, "FECHA DE EMISIÓN"],
      [0.66, 0.71, "FECHA DE VENCIMIENTO"],
      [0.36, 0.76, "02 ENE 2025"],
      [0.66, 0.76, "01 ENE 2035"],
      [0.05, 0.9, "RUN 12.345.678-5"],
    );
    expect(values("CHL-ID-2024", "front", front)).toEqual({
      lastName: "SOLÍS PRUEBA",
      firstName: "ANA MARÍA",
      nationality: "CHL",
      sex: "F",
      dateOfBirth: "1990-01-01",
      documentNumber: "A12345678",
      dateOfIssue: "2025-01-02",
      dateOfExpiry: "2035-01-01",
      personalNumber: "123456785",
    });
  });

  it.each([
    ["ECU-ID-2021", [0.05, 0.88, "NUl.171O034065"], { documentNumber: "1710034065" }],
    ["ECU-ID-2021", [0.05, 0.88, "NUl.L1710034065"], { documentNumber: "1710034065" }],
    ["CHL-ID-2024", [0.05, 0.9, "RUN 12.345.,678-5"], { personalNumber: "123456785" }],
    ["CHL-ID-2024", [0.05, 0.9, "NÚMERO DOCUMENTO A12,345.678"], { documentNumber: "A12345678" }],
  ] as const)("of %s are read from small print as %j", (id, row, expected) => {
    expect(values(id, "front", printed(row))).toEqual(expected);
  });

  it("are separated where a reader joins the columns of a row", () => {
    const front = printed(
      [0.36, 0.47, "NACIONALIDAD      SEXO"],
      [0.36, 0.52, "CHILENA           F"],
      [0.36, 0.59, "FECHA DE NACIMIENTO  NÚMERO DOCUMENTO"],
      [0.36, 0.64, "01 ENE 1990  A12.345.678"],
    );
    expect(values("CHL-ID-2024", "front", front)).toEqual({
      nationality: "CHL",
      sex: "F",
      dateOfBirth: "1990-01-01",
      documentNumber: "A12345678",
    });
  });

  it("are found right of them, without a label between the headings, and by their rule alone", () => {
    const front = printed(
      [0.3, 0.03, "REPÚBLICA DE PANAMÁ"],
      [0.3, 0.09, "TRIBUNAL ELECTORAL"],
      [0.36, 0.2, "Ana María"],
      [0.36, 0.26, "Pérez Solís"],
      [0.36, 0.34, "NOMBRE USUAL: Anita"],
      [0.36, 0.4, "FECHA DE NACIMIENTO: 01-ENE-1990"],
      [0.36, 0.46, "LUGAR DE NACIMIENTO: PANAMÁ, PANAMÁ"],
      [0.36, 0.52, "SEXO: F"],
      [0.6, 0.52, "TIPO DE SANGRE:"],
      [0.86, 0.52, "O+"],
      [0.36, 0.58, "EXPEDIDA: 03-FEB-2023"],
      [0.7, 0.58, "EXPIRA:"],
      [0.84, 0.58, "03-FEB-2033"],
      [0.6, 0.8, "8-123-456"],
    );
    expect(values("PAN-ID-2023", "front", front)).toEqual({
      documentNumber: "8-123-456",
      firstName: "Ana María",
      lastName: "Pérez Solís",
      otherName: "Anita",
      dateOfBirth: "1990-01-01",
      placeOfBirth: "PANAMÁ, PANAMÁ",
      sex: "F",
      bloodGroup: "O+",
      dateOfIssue: "2023-02-03",
      dateOfExpiry: "2033-02-03",
    });
  });

  it("may have labels in two languages, in one line or in two", () => {
    const front = printed(
      [0.36, 0.2, "Apellido / Surname"],
      [0.36, 0.25, "SOLIS"],
      [0.36, 0.31, "Nombre"],
      [0.5, 0.31, "/ Name"],
      [0.36, 0.36, "ANA MARIA"],
      [0.36, 0.43, "Sexo / Sex"],
      [0.52, 0.43, "Nacionalidad / Nationality"],
      [0.88, 0.43, "Ejemplar"],
      [0.36, 0.48, "F"],
      [0.52, 0.48, "ARGENTINA"],
      [0.88, 0.48, "A"],
      [0.36, 0.55, "Fecha de nacimiento / Date of birth"],
      [0.36, 0.6, "01 ENE/ JAN 1990"],
      [0.36, 0.67, "Fecha de emisión / Date of issue"],
      [0.36, 0.72, "02 MAR/ MAR 2019"],
      [0.05, 0.8, "Documento / Document"],
      [0.05, 0.85, "30.123.456"],
    );
    expect(values("ARG-ID-2012", "front", front)).toMatchObject({
      lastName: "SOLIS",
      firstName: "ANA MARIA",
      sex: "F",
      nationality: "ARG",
      copy: "A",
      dateOfBirth: "1990-01-01",
      dateOfIssue: "2019-03-02",
      documentNumber: "30123456",
    });
  });

  it("of a North American licence have the month first", () => {
    const front = printed([0.3, 0.3, "3 DOB 02/03/1990"], [0.3, 0.4, "4b EXP 12/31/2030"]);
    expect(values("AAMVA-DL", "front", front)).toEqual({
      dateOfBirth: "1990-02-03",
      dateOfExpiry: "2030-12-31",
    });
  });

  it("may be parts of one name, and one of two lines under a shared label", () => {
    const azul = printed(
      [0.3, 0.2, "Primer Apellido"],
      [0.3, 0.25, "SOLÍS"],
      [0.3, 0.31, "Segundo Apellido"],
      [0.3, 0.36, "PRUEBA"],
      [0.3, 0.42, "Pre Nombres"],
      [0.3, 0.47, "ANA MARÍA"],
      [0.3, 0.53, "Nacimiento: Fecha y Ubigeo"],
      [0.3, 0.58, "01 01 1990 150101"],
      [0.7, 0.06, "DNI 12345678 - 1"],
    );
    expect(values("PER-ID-1997", "front", azul)).toEqual({
      documentNumber: "12345678",
      lastName: "SOLÍS PRUEBA",
      firstName: "ANA MARÍA",
      dateOfBirth: "1990-01-01",
    });
    const ecuador = printed(
      [0.7, 0.2, "No. 171003406-5"],
      [0.36, 0.2, "APELLIDOS Y NOMBRES"],
      [0.36, 0.25, "SOLIS PRUEBA"],
      [0.36, 0.3, "ANA MARIA"],
      [0.36, 0.5, "FECHA DE NACIMIENTO 1990-01-01"],
    );
    expect(values("ECU-ID-2009", "front", ecuador)).toEqual({
      documentNumber: "1710034065",
      lastName: "SOLIS PRUEBA",
      firstName: "ANA MARIA",
      dateOfBirth: "1990-01-01",
    });
  });

  it.each([
    ["SOLIS PRUEBA ANA MARIA", { lastName: "SOLIS PRUEBA", firstName: "ANA MARIA" }],
    ["SOLIS PRUEBA", { lastName: "SOLIS PRUEBA" }],
    ["DE LA CRUZ SOLIS ANA", {}],
  ])("are split by their usual number of words where %s is in one line: %j", (text, expected) => {
    const front = printed([0.36, 0.2, "APELLIDOS Y NOMBRES"], [0.36, 0.25, text], [0.36, 0.5, "SEXO M"]);
    expect(values("ECU-ID-2009", "front", front)).toEqual({ ...expected, sex: "M" });
  });

  it("have no value where the text is of another kind, and are named as unread", () => {
    const { fields, unread } = read(
      "ECU-ID-2021",
      "front",
      printed(
        [0.36, 0.2, "SEXO"],
        [0.36, 0.25, "||||"],
        [0.36, 0.35, "FECHA DE NACIMIENTO"],
        [0.36, 0.4, "32 ENE 1990"],
      ),
    );
    expect(fields).toEqual([]);
    expect(unread).toEqual(["dateOfBirth", "sex"]);
  });
});

describe("a printed value", () => {
  const nui = (text: string, confidence = 0.9) =>
    read("ECU-ID-2021", "front", [line(0.1, 0.8, text, confidence)]).fields[0];

  it("has a higher confidence with a correct check digit, and keeps its place and its text", () => {
    expect(nui("NUI. 1710034065")).toMatchObject({
      value: "1710034065",
      raw: "1710034065",
      label: "NUI",
      confirmedBy: "check-digit",
      readConfidence: 0.9,
      confidence: 0.99,
    });
    expect(nui("NUI. 1710034065")?.box.x).toBeGreaterThan(0.15);
  });

  it("has its look-alike letters repaired, with a lower confidence", () => {
    expect(nui("NUI. I71OO34065")).toMatchObject({ value: "1710034065", raw: "I71OO34065" });
    expect(nui("NUI. I71OO34065")!.confidence).toBeLessThan(0.99);
  });

  it("is reported with its wrong check digit, as broken", () => {
    expect(nui("NUI. 1710034064", 1)).toMatchObject({
      value: "1710034064",
      isBroken: true,
      confidence: 0.85,
    });
  });

  it("is not taken from a date or another number without its label", () => {
    expect(values("CRI-ID-2016", "front", printed([0.1, 0.5, "1 1234 0567"]))).toEqual({
      documentNumber: "112340567",
    });
    expect(values("CRI-ID-2016", "front", printed([0.1, 0.5, "01 01 1990"]))).toEqual({});
    const two = printed([0.1, 0.5, "1 1234 0567"], [0.1, 0.7, "2-3456-0789"]);
    expect(values("CRI-ID-2016", "front", two)).toEqual({});
  });

  it("without a label is the one at the model's place where two fit, and may be beside a heading", () => {
    const two = printed([0.6, 0.2, "1 1234 0567"], [0.1, 0.7, "2-3456-0789"]);
    expect(values("CRI-ID-2016", "front", two)).toEqual({ documentNumber: "112340567" });
    expect(values("CRI-ID-2016", "front", printed([0.3, 0.15, "CEDULA DE IDENTlDAD 1 1234 0567"]))).toEqual({
      documentNumber: "112340567",
    });
  });
});
