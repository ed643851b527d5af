import { describe, expect, it } from "vitest";
import { exampleMobileDocument, exampleWebDocument } from "#contract/example-document";
import { printed } from "#support/document/printed-lines";
import { mergeSources, mrzOf, now, passportLines, readingOf, sideOf } from "#support/document/reading";
import { type Barcode, barcodeOf } from "../reading/barcode/barcode.ts";
import { mobileDocument } from "./mobile-document.ts";
import { webDocument } from "./web-document.ts";

const passport = readingOf(sideOf({ mrz: mrzOf(passportLines) }));

const aamva = (number: string, birth: string): Barcode => {
  const text =
    `@\n\x1e\rANSI 636000080001DL00310200IDDAQ${number}\nDCSSOLIS PRUEBA\nDACANA\nDADMARIA\nDBB${birth}\n` +
    "DBA01012035\nDBD01012025\nDBC2\nDCGUSA\r";
  return barcodeOf({ symbology: "PDF417", bytes: Buffer.from(text, "latin1") });
};

/**
 * A card with its MRZ on the back and a barcode on the front with the same data, except for the given
 * changes.
 */
const card = (number: string, birth: string) => {
  const lines = [
    "I<USAF123456784<<<<<<<<<<<<<<<",
    "9001011F3501014USA<<<<<<<<<<<4",
    "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<",
  ];
  const back = sideOf({ mrz: mrzOf(lines, { accepted: true }), sha256: "cd".repeat(32) });
  return readingOf(sideOf({ barcodes: [aamva(number, birth)] }), back);
};

it("equal the specification's example of the same passport", () => {
  const front = sideOf({ mrz: mrzOf(exampleWebDocument.BACKSIDE.MRZ_DATA.LINES) });
  const reading = readingOf(front, sideOf({ sha256: "cd".repeat(32) }));
  expect(write(reading, "CHL")).toEqual(exampleWebDocument);
  expect(mobileDocument({ reading, fields: mergeSources(reading, now) })).toEqual(exampleMobileDocument);
});

describe("the mobile OCR object", () => {
  it("has the interface's flat keys, and null for values without a source", () => {
    const fields = mergeSources(passport, now);
    expect(mobileDocument({ reading: passport, fields })).toEqual({
      "Back/MRZ/FullName": "ANA MARIA SOLIS PRUEBA",
      FirstName: "ANA MARIA",
      LastName: "SOLIS PRUEBA",
      DateOfBirth: "1990-01-01",
      DateOfExpiry: "2035-01-01",
      DateOfIssue: null,
      DocumentNumber: "F12345678",
      PersonalNumber: null,
      Gender: "F",
      Nationality: "CHL",
      Issuer: "CHL",
      NfcKey: "F12345678990010113501014",
      DocumentCaptured: null,
    });
  });

  it("shows nothing of an MRZ that was not read clearly", () => {
    const mrz = mrzOf(passportLines, { accepted: false, clear: false, weakestMargin: 0.3 });
    const reading = readingOf(sideOf({ mrz }));
    const values = Object.values(mobileDocument({ reading, fields: mergeSources(reading, now) }));
    expect(values.every((value) => value === null)).toBe(true);
  });
});

const write = (reading: typeof passport, countryCode: string, decompose = false) =>
  webDocument({ reading, fields: mergeSources(reading, now) }, { countryCode, decompose });

describe("the web OCR object", () => {
  it("answers a passport under PSP without requiring a back", () => {
    const document = write(passport, "PSP");
    expect(document).toMatchObject({
      SUBTYPE: "PASSPORT",
      DOC_MODEL: null,
      COUNTRY_CODE: "PSP",
      ASK4BACK: false,
      CHECKS: {},
      BACKSIDE: { FIELD_DATA: {}, MRZ_DATA: { LINES: passportLines, ACCEPTED: true } },
      SCORING: { FIELDS_TOTAL: 12, FIELDS_RETURNED: 9, FRONT_SHA256: "ab".repeat(32), BACK_SHA256: null },
    });
    expect(document).not.toHaveProperty("DECOMPOSED");
  });

  it("has no check digits of an MRZ that was not read clearly, and the results of a clear one", () => {
    const digits = { documentNumber: null, birth: null, expiry: null, optional: null, composite: null };
    const open = mrzOf(passportLines, { accepted: false, clear: false, weakestMargin: 0.3 });
    expect(write(readingOf(sideOf({ mrz: open })), "PSP")).toMatchObject({
      BACKSIDE: { MRZ_DATA: { LINES: null, ACCEPTED: false, CHECK_DIGITS: digits, DOCUMENT_NUMBER: null } },
    });
    const wrong = mrzOf([passportLines[0], passportLines[1].replace(/8$/, "7")]);
    expect(write(readingOf(sideOf({ mrz: wrong })), "PSP")).toMatchObject({
      BACKSIDE: { MRZ_DATA: { ACCEPTED: false, CHECK_DIGITS: { birth: true, composite: false } } },
    });
  });

  it("has no filler in any value: they stand for blanks and hyphens", () => {
    const lines = [
      "P<FINSOLIS<PRUEBA<<ANA<MARIA<<<<<<<<<<<<<<<<",
      "F1<345678<FIN9001011F3501014211271<426U<<<<8",
    ];
    const front = sideOf({
      mrz: mrzOf(lines, { accepted: true }),
      lines: printed(
        [0.36, 0.8, "Place of birth"],
        [0.36, 0.84, "P<FINSOLIS<PRUEBA<<ANA"],
        [0.36, 0.6, "Authority"],
        [0.36, 0.65, "POLIISI"],
      ),
    });
    const document = write(readingOf(front), "PSP");
    expect(document).toMatchObject({
      FIELDS: { DOCUMENT_NUMBER: { VALUE: "F1345678" }, AUTHORITY: { VALUE: "POLIISI" } },
      BACKSIDE: { MRZ_DATA: { DOCUMENT_NUMBER: "F1345678", OPTIONAL_DATA_1: "211271 426U" } },
    });
    const mobile = mobileDocument({ reading: readingOf(front), fields: mergeSources(readingOf(front), now) });
    expect(mobile["PersonalNumber"]).toBe("211271426U");
    const texts = JSON.stringify(document, (key, value) => (key === "LINES" ? null : value));
    expect(texts).not.toContain("<");
  });

  it("has everything that is printed under one label", () => {
    const lines = printed(
      [0.2, 0.03, "REPÚBLICA DEL ECUADOR"],
      [0.2, 0.09, "DIRECCIÓN GENERAL DE REGISTRO CIVIL"],
      [0.05, 0.16, "CÉDULA DE CIUDADANÍA"],
      [0.36, 0.24, "APELLIDOS Y NOMBRES"],
      [0.36, 0.31, "SOLIS PRUEBA"],
      [0.36, 0.38, "ANA MARIA"],
      [0.36, 0.6, "FECHA DE NACIMIENTO 1990-01-01"],
    );
    expect(write(readingOf(sideOf({ lines }), sideOf()), "ECU")).toMatchObject({
      FRONTSIDE: {
        FIELD_DATA: { APELLIDOS_Y_NOMBRES: "SOLIS PRUEBA ANA MARIA", FECHA_DE_NACIMIENTO: "1990-01-01" },
      },
      FIELDS: { LAST_NAME: { VALUE: "SOLIS PRUEBA" }, FIRST_NAME: { VALUE: "ANA MARIA" } },
    });
  });

  it("separates the parts of a value that have their own labels", () => {
    const lines = printed(
      [0.2, 0.03, "REPÚBLICA DE COSTA RICA"],
      [0.2, 0.09, "TRIBUNAL SUPREMO DE ELECCIONES"],
      [0.2, 0.15, "CÉDULA DE IDENTIDAD"],
      [0.36, 0.24, "1 0234 0567"],
      [0.36, 0.34, "Nombre: ANA MARIA"],
      [0.36, 0.42, "1° Apellido: SOLIS"],
      [0.36, 0.5, "2° Apellido: PRUEBA"],
    );
    expect(write(readingOf(sideOf({ lines }), sideOf()), "CRI")).toMatchObject({
      FRONTSIDE: { FIELD_DATA: { NOMBRE: "ANA MARIA", "1_APELLIDO": "SOLIS", "2_APELLIDO": "PRUEBA" } },
      FIELDS: { LAST_NAME: { VALUE: "SOLIS PRUEBA" } },
    });
  });

  it("has portrait and signature where decomposition is requested, null where they were not found", () => {
    expect(write(passport, "PSP", true)).toMatchObject({ DECOMPOSED: { FACE: "/9g=", SIGNATURE: null } });
    const extracted = {
      reading: passport,
      fields: mergeSources(passport, now),
      signature: new Uint8Array([0xff, 0xd8]),
    };
    expect(webDocument(extracted, { countryCode: "PSP", decompose: true })).toMatchObject({
      DECOMPOSED: { SIGNATURE: "/9g=" },
    });
  });

  it("compares the fields that both sides have, and only those", () => {
    expect(write(card("F12345678", "01011990"), "USA")).toMatchObject({
      CHECKS: {
        DOCUMENT_NUMBER_SIDE_MATCH: true,
        DATE_OF_BIRTH_SIDE_MATCH: true,
        LAST_NAME_SIDE_MATCH: true,
      },
    });
    expect(write(card("F12345679", "01021990"), "USA")).toMatchObject({
      CHECKS: {
        DOCUMENT_NUMBER_SIDE_MATCH: false,
        DATE_OF_BIRTH_SIDE_MATCH: false,
        LAST_NAME_SIDE_MATCH: true,
      },
    });
    expect(write(card("F12345678", "01011990"), "USA")["CHECKS"]).not.toHaveProperty(
      "NATIONALITY_SIDE_MATCH",
    );
  });
});

describe("merging", () => {
  it("raises the confidence of a value of two sources, and reports contradictions", () => {
    const agreeing = mergeSources(card("F12345678", "01011990"), now);
    expect(agreeing.values.documentNumber).toMatchObject({ sources: ["mrz", "barcode"], confidence: 0.999 });
    expect(agreeing.contradictions).toEqual([]);
    const contradicting = mergeSources(card("F12345679", "01011990"), now);
    expect(contradicting.values.documentNumber).toMatchObject({ value: "F12345678", sources: ["mrz"] });
    expect(contradicting.contradictions.map(({ field }) => field)).toEqual(["documentNumber"]);
  });
});
