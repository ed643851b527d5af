import { describe, expect, it } from "vitest";
import { printed } from "#support/document/printed-lines";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { labelReaderOf, readVizFields } from "./read-viz-fields.ts";

const models = readDocumentModels();
const { generic } = models;
const reader = labelReaderOf(models);

const values = (lines: readonly TextLine[], id = "ICAO-TD3", side: "front" | "back" = "front") => {
  const model = generic.find((candidate) => candidate.id === id)!;
  const { fields } = readVizFields(model, side, lines, "2026-11-21", reader);
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
};

describe("a passport's fields", () => {
  it.each([
    [
      "Pasaperte N* / Passpor No",
      "Apellides/ Suname",
      "Nombresy Gven names",
      "ećha denacimiento/ oate erbrnh",
      "Sexo / šew",
    ],
    [
      "Passeport N° / Passport No",
      "Nom / Surname",
      "Prénoms / Given names",
      "Date de naissance/Date of birth",
      "Sexe/Sex",
    ],
    ["Passaporte N.º", "Sobrenome/Surname", "Nomes / Given names", "Data de nascimento", "Sexo"],
  ])("are found under labels in its languages: %s, %s …", (number, last, first, birth, sex) => {
    const page = printed(
      [0.05, 0.05, "UTOPIA"],
      [0.36, 0.15, "Tipo / Type"],
      [0.6, 0.15, number],
      [0.36, 0.2, "P"],
      [0.6, 0.2, "A12345678"],
      [0.36, 0.27, last],
      [0.36, 0.32, "SOLÍS PRUEBA"],
      [0.36, 0.38, first],
      [0.36, 0.43, "ANA MARÍA"],
      [0.36, 0.5, birth],
      [0.36, 0.55, "12 AGO/AUG 74"],
      [0.36, 0.62, sex],
      [0.7, 0.62, "Autoridad / Authority"],
      [0.36, 0.67, "F"],
      [0.7, 0.67, "REGISTRO CIVIL"],
      [0.36, 0.74, "Fecha de emision / Date of issue"],
      [0.36, 0.79, "03 MAR 25"],
      [0.7, 0.74, "Date de expiration / Date of expiry"],
      [0.7, 0.79, "02 MAR 35"],
    );
    expect(values(page)).toEqual({
      documentNumber: "A12345678",
      lastName: "SOLÍS PRUEBA",
      firstName: "ANA MARÍA",
      dateOfBirth: "1974-08-12",
      sex: "F",
      authority: "REGISTRO CIVIL",
      dateOfIssue: "2025-03-03",
      dateOfExpiry: "2035-03-02",
    });
  });

  it("take the only date before a passport's validity as birth date, without its label", () => {
    const page = (...dates: readonly string[]) =>
      values(
        printed(
          [0.36, 0.5, "c<hadcniiienor ote erbrh"],
          ...dates.map((date, i) => [0.36, 0.55 + i * 0.06, date] as const),
          [0.7, 0.74, "Date of expiry"],
          [0.7, 0.79, "02 MAR 35"],
        ),
      ).dateOfBirth;
    expect([page("12 AGO 74"), page("12 AGO 74", "03 MAR 25")]).toEqual(["1974-08-12", "1974-08-12"]);
    expect([page("03 MAR 25"), page("12 AGO 74", "12 AGO 99")]).toEqual([undefined, undefined]);
  });
});

it.each(["Nombres r Gen napes", "Nombres / Gen napes"])("no part of the label %s is a name", (label) => {
  expect(values(printed([0.36, 0.38, label], [0.36, 0.43, "CARLA INÉS"]))).toEqual({
    firstName: "CARLA INÉS",
  });
});

it("the text after a label is the value, even after a single letter", () => {
  expect(values(printed([0.36, 0.38, "Nombres E CARLA INÉS"]))).toEqual({ firstName: "E CARLA INÉS" });
});

describe("a passport without a label that was read", () => {
  const page = (...rows: readonly (readonly [number, number, string])[]) =>
    values(printed([0.34, 0.37, "Datr f btvDte dk neuore"], [0.34, 0.59, "De ot epO Dats pron"], ...rows));
  const [birth, issue, expiry] = [
    [0.34, 0.42, "20 MAY /MAI 95"],
    [0.34, 0.55, "23 APR /AVR 12"],
    [0.34, 0.64, "22 APR /AVR 17"],
  ] as const;

  it("has its dates in chronological order", () => {
    expect(page(birth, issue, expiry)).toEqual({
      dateOfBirth: "1995-05-20",
      dateOfIssue: "2012-04-23",
      dateOfExpiry: "2017-04-22",
    });
  });

  it("has no date where they are in another order, or one of three was not read", () => {
    expect(page([0.34, 0.42, "22 APR /AVR 17"], issue, [0.34, 0.64, "20 MAY /MAI 95"])).toEqual({});
    expect(page(birth, expiry)).toEqual({});
    expect(page(birth, [0.34, 0.55, "23 APR /AVR 42"], [0.34, 0.64, "22 APR /AVR 47"])).toEqual({});
  });

  it("has its number at its place on such pages, and takes no other number", () => {
    expect(page([0.7, 0.11, "707797979"], [0.7, 0.5, "AB1234567"])).toEqual({ documentNumber: "707797979" });
    expect(page([0.7, 0.11, "01.07.2009"])).toEqual({});
    expect(page([0.7, 0.5, "AB1234567"])).toEqual({});
  });

  it("has the sex where a single letter is in the middle of the page, and in no other sign", () => {
    expect(page([0.37, 0.2, "M"], [0.37, 0.6, "F"])).toEqual({ sex: "F" });
    expect(page([0.37, 0.6, "N"], [0.37, 0.5, "P"])).toEqual({});
    expect(page([0.37, 0.6, "F"], [0.45, 0.5, "M"])).toEqual({});
  });
});

describe.each(["ICAO-TD1", "ICAO-TD2"])("the fields of a card with an MRZ, by %s,", (id) => {
  it("are found under labels in its languages, except its number", () => {
    const front = printed(
      [0.36, 0.1, "Document No / N° du document"],
      [0.36, 0.15, "A12345678"],
      [0.36, 0.22, "Nom / Surname"],
      [0.36, 0.27, "SOLÍS PRUEBA"],
      [0.36, 0.33, "Prénoms / Given names"],
      [0.36, 0.38, "ANA MARÍA"],
      [0.36, 0.45, "Nationalité / Nationality"],
      [0.7, 0.45, "Sexe / Sex"],
      [0.36, 0.5, "ESP"],
      [0.7, 0.5, "F"],
      [0.36, 0.57, "Date de naissance / Date of birth"],
      [0.36, 0.62, "12 08 1974"],
      [0.36, 0.69, "Válido até / Valid until"],
      [0.36, 0.74, "02.03.2035"],
    );
    expect(values(front, id)).toEqual({
      lastName: "SOLÍS PRUEBA",
      firstName: "ANA MARÍA",
      nationality: "ESP",
      sex: "F",
      dateOfBirth: "1974-08-12",
      dateOfExpiry: "2035-03-02",
    });
    const back = printed(
      [0.05, 0.1, "Autoridade / Authority"],
      [0.05, 0.15, "REGISTO CIVIL"],
      [0.5, 0.1, "Data de emissão / Date of issue"],
      [0.5, 0.15, "03 03 2025"],
    );
    expect(values(back, id, "back")).toEqual({ authority: "REGISTO CIVIL", dateOfIssue: "2025-03-03" });
  });
});
