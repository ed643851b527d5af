import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCountries } from "./compare-countries.ts";
import { compareBirthDates, compareDates } from "./compare-dates.ts";
import { compareSexes } from "./compare-sexes.ts";
import { compareCivilStates, compareTexts } from "./compare-texts.ts";

const both = <Result>(compare: (a: string, b: string) => Result, a: string, b: string): Result => {
  expect(compare(b, a)).toBe(compare(a, b));
  return compare(a, b);
};

describe("dates", () => {
  it.each([
    ["1990-01-31", "1990-01-31", "agrees"],
    ["1990-01-31", "1990-01-30", "different"],
    ["1990-03-05", "1990-05-03", "different"],
    ["1990-01-31", "1990", "similar"],
    ["1990-01-31", "1990-01", "similar"],
    ["1990-01-31", "1990-XX-XX", "similar"],
    ["1990-01-31", "1990-00-00", "similar"],
    ["1990-01-31", "1991", "different"],
    ["1990-01-31", "1990-02", "different"],
    ["1990", "1990", "agrees"],
    ["1990-02-30", "1990-02-28", "notComparable"],
    ["1990-XX-05", "1990-01-05", "notComparable"],
    ["31/01/1990", "1990-01-31", "notComparable"],
    ["", "1990-01-31", "notComparable"],
  ])("%s and %s: %s", (a, b, result) => expect(both(compareDates, a, b)).toBe(result));

  it("of birth are none after today, and are one on today", () => {
    const compare = (date: string) => compareBirthDates(date, date, "2026-11-24");
    expect(["2026-11-24", "2026-11-25", "2026", "2027", "2026-12"].map(compare)).toEqual([
      "agrees",
      "notComparable",
      "agrees",
      "notComparable",
      "notComparable",
    ]);
    expect(compareBirthDates("1990-01-01", "2030-01-01", "2026-11-24")).toBe("notComparable");
  });
});

describe("sexes", () => {
  it.each([
    ["M", "HOMBRE", "agrees"],
    ["M", "h", "agrees"],
    ["M", "Varón", "agrees"],
    ["F", " mujer ", "agrees"],
    ["F", "Femenino", "agrees"],
    ["X", "No  binario", "agrees"],
    ["M", "F", "different"],
    ["X", "M", "different"],
    ["F", "?", "notComparable"],
    ["F", "", "notComparable"],
  ])("%s and %s: %s", (a, b, result) => expect(both(compareSexes, a, b)).toBe(result));
});

describe("countries", () => {
  const compare = compareCountries;

  it.each([
    ["ECU", "ECUATORIANA", "agrees"],
    ["PER", "Peruano", "agrees"],
    ["PAN", "PANAMEÑA", "agrees"],
    ["CRI", "Costa Rica", "agrees"],
    ["HND", "GTM", "different"],
    ["ARG", "CHILENA", "different"],
    ["ARG", "Marciana", "notComparable"],
    ["ARG", "", "notComparable"],
  ])("%s and %s: %s", (a, b, result) => expect(both(compare, a, b)).toBe(result));
});

describe("places and addresses", () => {
  it.each([
    ["Av. Amazonas N° 123", "AVENIDA AMAZONAS 123", "agrees"],
    ["JR. PUNO Nº 45", "Jirón Puno 45", "agrees"],
    ["San José", "SAN JOSE", "agrees"],
    ["Provincia de Lima", "PROV. LIMA", "agrees"],
    ["Quito", "QUITO, PICHINCHA", "similar"],
    ["Lima Perú", "Perú Lima", "similar"],
    ["Calle 5 casa 7", "Calle 5 casa 8", "different"],
    ["Cusco", "Puno", "different"],
    ["...", "Puno", "notComparable"],
  ])("%s and %s: %s", (a, b, result) => expect(both(compareTexts, a, b)).toBe(result));
});

describe("civil states", () => {
  it.each([
    ["SOLTERA", "soltero", "agrees"],
    ["C", "CASADA", "agrees"],
    ["S", "Soltero(a)", "agrees"],
    ["UNIÓN DE HECHO", "Unida", "agrees"],
    ["D", "Divorciado", "agrees"],
    ["VIUDA", "CASADA", "different"],
    ["S", "C", "different"],
    ["Religioso", "RELIGIOSO", "agrees"],
  ])("%s and %s: %s", (a, b, result) => expect(both(compareCivilStates, a, b)).toBe(result));
});

it("no text makes a comparison fail or depend on the order of the sides", () => {
  const all = [compareDates, compareSexes, compareTexts, compareCivilStates, compareCountries];
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (a, b) => {
      for (const compare of all) both(compare, a, b);
    }),
  );
});
