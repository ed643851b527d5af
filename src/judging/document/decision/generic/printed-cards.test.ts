import { describe, expect, it } from "vitest";
import { printed } from "#support/document/printed-lines";
import { caseOf, mergeSources, now, readingOf, sideOf } from "#support/document/reading";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { fieldReadingsOf } from "../fields.ts";
import { findAll } from "../findings/all-rules.ts";
import { typesOf } from "../findings/type.ts";
import { judgeDocument } from "../judge.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import { trustLevelOf } from "../trust-level.ts";

const read = (lines: readonly TextLine[]) => mergeSources(readingOf(sideOf({ lines })), now);

const answerOf = (lines: readonly TextLine[]) => {
  const fields = read(lines);
  const values = Object.entries(fields.values).map(([name, { value }]) => [name, value]);
  return { types: typesOf({ fields }), ...Object.fromEntries(values) };
};

/** A card in one language: heading, then labels with their values below. */
const card = (
  [kind, country]: readonly [string, string],
  words: {
    readonly last: string;
    readonly first: string;
    readonly birth: string;
    readonly expiry: string;
    readonly number: string;
  },
) =>
  printed(
    [0.2, 0.03, country],
    [0.2, 0.1, kind],
    [0.36, 0.2, words.last],
    [0.36, 0.25, "SOLIS PRUEBA"],
    [0.36, 0.32, words.first],
    [0.36, 0.37, "ANA MARIA"],
    [0.36, 0.44, words.birth],
    [0.36, 0.49, "03.02.1990"],
    [0.36, 0.56, words.expiry],
    [0.36, 0.61, "01.12.2030"],
    [0.36, 0.68, words.number],
    [0.36, 0.73, "X1234567"],
  );

const expected = {
  lastName: "SOLIS PRUEBA",
  firstName: "ANA MARIA",
  dateOfBirth: "1990-02-03",
  dateOfExpiry: "2030-12-01",
  documentNumber: "X1234567",
};

const spanish = {
  last: "Apellidos",
  first: "Nombres",
  birth: "Fecha de nacimiento",
  expiry: "Válido hasta",
  number: "Número de documento",
};

describe("a card without MRZ, barcode and model", () => {
  it.each([
    ["ESP", "ID_CARD", ["DOCUMENTO NACIONAL DE IDENTIDAD", "ESPAÑA"], spanish],
    [
      "GBR",
      "DRIVING_LICENSE",
      ["DRIVING LICENCE", "UNITED KINGDOM"],
      {
        last: "Surname",
        first: "Given names",
        birth: "Date of birth",
        expiry: "Valid until",
        number: "Licence No",
      },
    ],
    [
      "PRT",
      "ID_CARD",
      ["CARTÃO DE CIDADÃO", "REPÚBLICA PORTUGUESA"],
      {
        last: "Apelido(s)",
        first: "Nome(s)",
        birth: "Data de nascimento",
        expiry: "Data de validade",
        number: "N° do documento",
      },
    ],
    [
      "FRA",
      "ID_CARD",
      ["CARTE NATIONALE D'IDENTITÉ", "RÉPUBLIQUE FRANÇAISE"],
      {
        last: "Nom",
        first: "Prénom(s)",
        birth: "Date de naissance",
        expiry: "Valable jusqu'au",
        number: "N° du document",
      },
    ],
    [
      "DEU",
      "RESIDENCE_PERMIT",
      ["AUFENTHALTSTITEL", "BUNDESREPUBLIK DEUTSCHLAND"],
      {
        last: "Nachname",
        first: "Vornamen",
        birth: "Geburtsdatum",
        expiry: "Gültig bis",
        number: "Ausweisnummer",
      },
    ],
    [
      "ITA",
      "DRIVING_LICENSE",
      ["PATENTE DI GUIDA", "REPUBBLICA ITALIANA"],
      {
        last: "Cognome",
        first: "Nome",
        birth: "Data di nascita",
        expiry: "Scadenza",
        number: "Numero documento",
      },
    ],
  ] as const)("of %s is read as %s by its label words", (country, type, heading, words) => {
    const { types, issuer, ...values } = answerOf(card(heading, words));
    expect(types).toContain(type);
    expect(issuer).toBe(country);
    expect(values).toMatchObject(expected);
  });

  it("of the United States is known by its state, and its dates begin with the month", () => {
    const front = printed(
      [0.05, 0.03, "WEST VIRGINIA"],
      [0.4, 0.03, "DRIVER LICENSE"],
      [0.36, 0.2, "4d LIC# F123456"],
      [0.36, 0.3, "LN SAMPLE"],
      [0.36, 0.36, "FN JANE"],
      [0.36, 0.45, "3 DOB 02/03/1990"],
      [0.36, 0.52, "4b EXP 12/01/2030"],
      [0.36, 0.6, "15 SEX F"],
    );
    expect(answerOf(front)).toMatchObject({
      types: ["DRIVING_LICENSE"],
      issuer: "USA",
      lastName: "SAMPLE",
      firstName: "JANE",
      dateOfBirth: "1990-02-03",
      dateOfExpiry: "2030-12-01",
      sex: "F",
    });
  });

  it("has no country by a place of birth, and none where two are named", () => {
    const plain = ["DOCUMENTO DE IDENTIDAD", "OFICINA DE REGISTRO"] as const;
    const born = [
      ...card(plain, spanish),
      ...printed([0.36, 0.8, "Lugar de nacimiento"], [0.36, 0.85, "VENEZUELA"]),
    ];
    expect(answerOf(born).issuer).toBeUndefined();
    const two = [...card(plain, spanish), ...printed([0.05, 0.12, "PERU"], [0.05, 0.16, "CHILE"])];
    expect(answerOf(two).issuer).toBe("CHL");
    expect(answerOf([...two, ...printed([0.5, 0.16, "MALTA"])]).issuer).toBeUndefined();
  });

  it("is never approved by its words: no value of it is reliable", () => {
    const lines = card(["DOCUMENTO NACIONAL DE IDENTIDAD", "ESPAÑA"], spanish);
    const document = caseOf(readingOf(sideOf({ lines })), { country: "ESP", type: "ID_CARD" });
    const decision = judgeDocument(findAll(document), defaultDocumentPolicy);
    expect(decision.status).not.toBe("Approved");
    for (const reading of fieldReadingsOf(document.fields)) {
      expect(trustLevelOf(document.fields, reading)).toBe("read");
    }
  });

  it("is not of another country, and its dates are not out of order, by its words alone", () => {
    const late = { ...spanish, birth: spanish.expiry, expiry: spanish.birth };
    const lines = card(["DOCUMENTO NACIONAL DE IDENTIDAD", "ESPAÑA"], late);
    expect(codesOf(lines, "PER", "ID_CARD")).not.toContain(507);
    expect(codesOf(lines, "PER", "ID_CARD")).not.toContain(602);
  });

  it("without a heading is not read", () => {
    expect(answerOf(card(["TARJETA", "ESPAÑA"], spanish))).toEqual({ types: [], issuer: "ESP" });
  });
});

const codesOf = (lines: readonly TextLine[], country: string, type: "ID_CARD" | "DRIVING_LICENSE") =>
  findAll(caseOf(readingOf(sideOf({ lines })), { country, type }))
    .filter(({ holds }) => holds === true)
    .map(({ code }) => code);

describe("a heading", () => {
  it("of a health card is a document type that is not supported (206), of an identity card not", () => {
    const of = (heading: string) => codesOf(card([heading, "ESPAÑA"], spanish), "ESP", "ID_CARD");
    expect(of("TARJETA SANITARIA")).toContain(206);
    expect(of("DOCUMENTO NACIONAL DE IDENTIDAD")).not.toContain(206);
  });
});

describe("a Brazilian taxpayer number", () => {
  const licence = (cpf: string) => [
    ...card(["CARTEIRA NACIONAL DE HABILITAÇÃO", "REPÚBLICA FEDERATIVA DO BRASIL"], spanish),
    ...printed([0.7, 0.2, "CPF"], [0.7, 0.25, cpf]),
  ];

  it.each([
    ["123.456.789-09", false],
    ["123.456.789-08", true],
  ])("%s has wrong check digits (542): %s", (cpf, isWrong) => {
    const codes = codesOf(licence(cpf), "BRA", "DRIVING_LICENSE");
    expect(codes.includes(542)).toBe(isWrong);
    expect(codes).not.toContain(507);
  });
});
