import { describe, expect, it } from "vitest";
import { registryCountries } from "#contract/country";
import { fieldNames } from "#judging/document/values/field-name";
import { numberRules } from "#judging/document/values/numbers/number-rules";
import { codeOf, judgeNumber } from "../judge-number.ts";
import type { RegistryCountry } from "../registry.ts";
import { isRegistryCountry, registryOf } from "./countries.ts";

const day = "2026-11-24";
const judge = (country: RegistryCountry, text: string) => judgeNumber(registryOf(country), text, day);

describe("the table of countries", () => {
  it("has one entry for each country of the interface, and no other code", () => {
    for (const country of registryCountries) {
      expect(registryOf(country).country).toBe(country);
      expect(isRegistryCountry(country)).toBe(true);
    }
    expect(["CHL", "ecu", "", "toString"].some(isRegistryCountry)).toBe(false);
  });

  it("names rules of its own country, and fields that documents have", () => {
    for (const country of registryCountries) {
      const { numbers, documentCode, sources } = registryOf(country);
      const rules = [
        ...numbers.map(({ rule }) => rule),
        ...(documentCode === undefined ? [] : [documentCode]),
      ];
      expect(rules.map((rule) => numberRules[rule].country)).toEqual(rules.map(() => country));
      expect(
        Object.values(sources)
          .flat()
          .filter((name) => !fieldNames.includes(name)),
      ).toEqual([]);
    }
  });
});

/** Valid and refused numbers of each country; each refused one is a neighbour of a valid one. */
const numbers: readonly (readonly [RegistryCountry, string, string])[] = [
  ["ECU", "1710034065", "1710034065"],
  ["ECU", "171003406-5", "1710034065"],
  ["ECU", "1710034064", "check-digit"],
  ["ECU", "2510034065", "region"],
  ["ECU", "1770034065", "series"],
  ["ECU", "171003406", "shape"],
  ["CRI", "1-1234-0567", "112340567"],
  ["CRI", "0112340567", "112340567"],
  ["CRI", "155812345678", "155812345678"],
  ["CRI", "12233445566", "12233445566"],
  ["CRI", "0-1234-5678", "shape"],
  ["CRI", "30123456789", "shape"],
  ["ARG", "30.123.456", "30123456"],
  ["ARG", "09123456", "9123456"],
  ["ARG", "123456", "shape"],
  ["ARG", "301234567", "shape"],
  ["PER", "70275722", "70275722"],
  ["PER", "70275722-9", "70275722"],
  ["PER", "70275722-C", "70275722"],
  ["PER", "70275722-8", "check-digit"],
  ["PER", "001234567", "001234567"],
  ["PER", "7027572", "shape"],
  ["GTM", "1234 56789 0101", "1234567890101"],
  ["GTM", "1234567800101", "check-digit"],
  ["GTM", "123456789010", "shape"],
  ["PAN", "8-123-456", "8-123-456"],
  ["PAN", "08-0123-000456", "8-123-456"],
  ["PAN", "pe-12-345", "PE-12-345"],
  ["PAN", "4 AV 12 345", "4AV-12-345"],
  ["PAN", "14-1-1", "shape"],
  ["PAN", "8-12345-1", "shape"],
  ["HND", "0801-1990-12345", "0801199012345"],
  ["HND", "0801 2026 12345", "0801202612345"],
  ["HND", "0801202712345", "year"],
  ["HND", "1901199012345", "region"],
];

describe("the number of a registry", () => {
  it.each(numbers)("of %s, %s, is %s", (country, text, expected) => {
    const judged = judge(country, text);
    expect("fault" in judged ? judged.fault : judged.canonical).toBe(expected);
  });

  it("never has a form that is judged differently the second time", () => {
    for (const [country, text] of numbers) {
      const judged = judge(country, text);
      if ("canonical" in judged) expect(judge(country, judged.canonical)).toEqual(judged);
    }
  });
});

describe("the document code", () => {
  const read = (country: RegistryCountry, text: string | undefined) => codeOf(registryOf(country), text, day);

  it("has its canonical form, is passed on in another form, and is left out where no registry takes one", () => {
    expect(read("ECU", "v1234-i5678")).toBe("V1234I5678");
    expect(read("ECU", " V12 ")).toBe("V12");
    expect(read("ARG", "00.123.456.789")).toBe("00123456789");
    expect([read("PER", "X1"), read("ECU", " "), read("ECU", undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
