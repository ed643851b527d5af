import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chileRun } from "#judging/document/values/numbers/chile";
import type { VerifiedPerson } from "../issue-token.ts";
import { judgeAffiliate, type ReadRut } from "./affiliate.ts";

const readRut: ReadRut = (text) => {
  const reading = chileRun.read(text);
  return reading.validity === "valid" ? reading.canonical : undefined;
};

const person: VerifiedPerson = {
  firstName: "JOSÉ LUIS",
  lastName: "MUÑOZ PÉREZ",
  idNumber: "12.345.678-5",
  dateOfBirth: "1980-02-29",
  documentNumber: "500123456",
  documentCountry: "CHL",
};

/** Check character by the published rule, written apart: weights 2 to 7 from the right, modulo 11. */
const checkOf = (number: number): string => {
  const sum = String(number)
    .split("")
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * ((at % 6) + 2), 0);
  return "0K987654321"[sum % 11] ?? "";
};

describe("the affiliate of a transfer", () => {
  it("is the person on the document", () => {
    expect(judgeAffiliate({}, person, readRut)).toEqual({
      affiliate: {
        firstName: "JOSÉ LUIS",
        paternalSurname: "MUÑOZ",
        maternalSurname: "PÉREZ",
        rutNumber: "12345678",
        rutCheck: "5",
      },
    });
  });

  it("is as stated, where the RUT is that of the document", () => {
    const stated = {
      firstName: "José",
      paternalSurname: "de la Fuente",
      maternalSurname: "Pérez",
      rut: "12345678-5",
    };
    expect(judgeAffiliate(stated, person, readRut)).toEqual({
      affiliate: {
        firstName: "José",
        paternalSurname: "de la Fuente",
        maternalSurname: "Pérez",
        rutNumber: "12345678",
        rutCheck: "5",
      },
    });
    expect(judgeAffiliate({ ...stated, rut: "11.111.111-1" }, person, readRut)).toEqual({
      refused: "rut-of-another",
    });
    expect(judgeAffiliate({ ...stated, rut: "12.345.678-6" }, person, readRut)).toEqual({
      refused: "rut-invalid",
    });
  });

  it.each(["DE LA FUENTE PÉREZ", "MUÑOZ", "", null])("does not guess surnames from %j", (lastName) => {
    expect(judgeAffiliate({}, { ...person, lastName }, readRut)).toEqual({
      missing: ["paternalSurname", "maternalSurname"],
    });
  });

  it("names what is missing where the document shows nothing", () => {
    const nothing = { ...person, firstName: null, lastName: null, idNumber: null, documentNumber: null };
    expect(judgeAffiliate({}, nothing, readRut)).toEqual({
      missing: ["firstName", "paternalSurname", "maternalSurname", "rut"],
    });
  });

  it("takes the number of a Chilean document where it is the RUT, and of no other country", () => {
    const older = { ...person, idNumber: null, documentNumber: "12345678-5" };
    expect(judgeAffiliate({}, older, readRut)).toMatchObject({ affiliate: { rutNumber: "12345678" } });
    expect(judgeAffiliate({}, { ...older, documentCountry: "ARG" }, readRut)).toEqual({ missing: ["rut"] });
  });

  it("has a RUT whose check character holds, whatever is stated", () => {
    const number = fc.integer({ min: 1, max: 99_999_999 });
    const check = fc.constantFrom(..."0123456789K".split(""));
    fc.assert(
      fc.property(number, check, (digits, dv) => {
        const judged = judgeAffiliate({ rut: `${digits}-${dv}` }, { ...person, idNumber: null }, readRut);
        expect("affiliate" in judged).toBe(checkOf(digits) === dv);
        if ("affiliate" in judged) {
          expect(judged.affiliate).toMatchObject({ rutNumber: String(digits), rutCheck: dv });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
