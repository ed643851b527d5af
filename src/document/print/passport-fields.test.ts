import { describe, expect, it } from "vitest";
import { readDocumentModels } from "../models/read-models.ts";
import { printed } from "../testing/printed-lines.ts";
import type { TextLine } from "../text/text-line.ts";
import { lettersOf } from "./letters.ts";
import { readPrintedFields } from "./printed-fields.ts";

const passport = readDocumentModels().generic.find(({ id }) => id === "ICAO-TD3")!;

const values = (lines: readonly TextLine[]) => {
  const { fields } = readPrintedFields(passport, "front", lines, "2026-11-21", lettersOf);
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
  ])("stand under labels in its languages: %s, %s …", (number, last, first, birth, sex) => {
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

  it("have the birth in the only date before a passport's time, though its label was not read", () => {
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
