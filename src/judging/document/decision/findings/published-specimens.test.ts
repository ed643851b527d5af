import { describe, expect, it } from "vitest";
import { isCountryCode } from "#contract/country";
import { isSpecimenValue } from "../../values/specimen-word.ts";
import { publishedNames, publishedNumbers } from "./published-specimens.ts";
import { specimenSources } from "./specimen-sources.ts";

const numbers = specimenSources.flatMap(({ numbers: rows = [] }) =>
  rows.flatMap(([issuer, own]) => own.split(" ").map((text) => ({ issuer, text }))),
);
const names = specimenSources.flatMap(({ names: rows = [] }) =>
  rows.map(([issuer, text]) => ({ issuer, text })),
);
const all = [...numbers, ...names];
const textsOf = (entries: typeof all) => entries.map(({ issuer, text }) => `${issuer} ${text}`);

/** Whether digits of a number only count, up or down: genuine numbers do too. */
const isCounting = (number: string): boolean => {
  const digits = number.replaceAll(/\D/g, "");
  return digits.length > 5 && ["01234567890", "09876543210"].some((run) => run.includes(digits));
};

describe("the shipped list of published specimens", () => {
  it("has a source with an address for each entry, and no source without one or twice", () => {
    for (const { title, address, numbers: rows = [], names: named = [] } of specimenSources) {
      expect(title).not.toBe("");
      expect(URL.parse(address)?.protocol, address).toBe("https:");
      expect(rows.length + named.length, title).toBeGreaterThan(0);
    }
    const addresses = specimenSources.map(({ address }) => address);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it("has issuers that ICAO or ISO know", () => {
    expect(all.map(({ issuer }) => issuer).filter((issuer) => !isCountryCode(issuer))).toEqual([]);
  });

  it("has numbers and whole names as an MRZ writes them, none of which is too short for a document", () => {
    expect(numbers.filter(({ text }) => !/^[A-Z0-9]{6,14}$/.test(text))).toEqual([]);
    expect(names.filter(({ text }) => !/^[A-Z]+(?:<[A-Z]+)*<<[A-Z]+(?:<[A-Z]+)*$/.test(text))).toEqual([]);
  });

  it("has no entry twice, none that its words or digits give away, and none that only counts", () => {
    const texts = textsOf(all);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(all.filter(({ text }) => isSpecimenValue(text))).toEqual([]);
    expect(numbers.filter(({ text }) => isCounting(text))).toEqual([]);
  });

  it("is found whole by issuer", () => {
    const entriesOf = (map: typeof publishedNumbers) =>
      [...map].flatMap(([issuer, texts]) => [...texts].map((text) => ({ issuer, text })));
    expect(textsOf(entriesOf(publishedNumbers)).sort()).toEqual(textsOf(numbers).sort());
    expect(textsOf(entriesOf(publishedNames)).sort()).toEqual(textsOf(names).sort());
  });
});
