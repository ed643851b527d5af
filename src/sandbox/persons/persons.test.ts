import { describe, expect, it } from "vitest";
import { isCalendarDate } from "#contract/calendar-date";
import { registryCountries } from "#contract/country";
import { publishedNumbers } from "#judging/document/decision/findings/published-specimens";
import { readNumber } from "#judging/document/values/numbers/number-rules";
import { isSpecimenValue, mrzTextOf } from "#judging/document/values/specimen-word";
import { readOutlines } from "../specimen/lettering.ts";
import { makeFindPerson, personAt } from "./persons.ts";
import { personsPerCountry, sandboxCountries, sandboxRegistryCountries } from "./sandbox-person.ts";

const day = "2026-06-30";

const rules = {
  ECU: "ecu.nui",
  CRI: "cri.cedula",
  ARG: "arg.dni",
  PER: "per.dni",
  GTM: "gtm.cui",
  PAN: "pan.cedula",
  HND: "hnd.dni",
  CHL: "chl.run",
} as const;

/** Countries whose numbers have a check digit of their own. */
const checked = new Set(["ECU", "PER", "GTM", "CHL"]);

const everyIndex = Array.from({ length: personsPerCountry }, (_, index) => index);

describe.each(sandboxCountries)("persons of %s", (country) => {
  const persons = everyIndex.map((index) => personAt(country, index));

  it("have numbers that the country's rule accepts, printed as it prints them", () => {
    const validity = checked.has(country) ? "valid" : "uncheckable";
    const wrong = persons.filter(({ documentNumber, printedNumber }) => {
      const reading = readNumber(rules[country], printedNumber, day);
      return (
        reading.canonical !== documentNumber || reading.validity !== validity || reading.warnings.length > 0
      );
    });
    expect(wrong).toEqual([]);
  });

  it("have no number and no name of a specimen", () => {
    const isSpecimen = (value: string | undefined): boolean =>
      value !== undefined &&
      (isSpecimenValue(value) || publishedNumbers.get(country)?.has(mrzTextOf(value)) === true);
    const wrong = persons.filter((person) =>
      [
        person.documentNumber,
        person.printedNumber,
        person.cardSerial,
        person.documentCode,
        ...person.givenNames,
        ...person.surnames,
      ].some(isSpecimen),
    );
    expect(wrong).toEqual([]);
  });

  it("never share a number, a card's serial or a document code", () => {
    expect(new Set(persons.map(({ documentNumber }) => documentNumber)).size).toBe(personsPerCountry);
    expect(new Set(persons.map(({ cardSerial }) => cardSerial)).size).toBe(personsPerCountry);
    if (country === "ARG")
      expect(new Set(persons.map(({ documentCode }) => documentCode)).size).toBe(personsPerCountry);
  });

  it("are adults with calendar dates and a document that is valid", () => {
    const wrong = persons.filter(
      ({ dateOfBirth, issueDate, expiryDate }) =>
        ![dateOfBirth, issueDate, expiryDate].every(isCalendarDate) ||
        dateOfBirth >= "2008" ||
        issueDate >= day ||
        expiryDate <= "2033",
    );
    expect(wrong).toEqual([]);
  });

  it("have names that the drawn letters can write", () => {
    const letters = readOutlines().sans;
    const texts = persons.flatMap(({ givenNames, surnames, address, city, province }) => [
      ...givenNames,
      ...surnames,
      address,
      city,
      province,
    ]);
    expect([...new Set(texts.join(""))].filter((letter) => letters[letter] === undefined)).toEqual([]);
    expect(
      new Set(persons.map(({ givenNames, surnames }) => [...givenNames, ...surnames].join(" "))).size,
    ).toBeGreaterThan(personsPerCountry * 0.98);
  });

  it("are found by their numbers, and are the same each time", () => {
    const find = makeFindPerson();
    for (const index of [0, 1, 7, 4999]) {
      expect(find(country, persons[index]!.documentNumber)).toEqual(personAt(country, index));
    }
    expect(find(country, "0000000000")).toBeUndefined();
  });
});

it("a code of the fingers or of the process has the form of its country", () => {
  const wrong = everyIndex.filter((index) =>
    (["ECU", "ARG"] as const).some(
      (country) =>
        readNumber(
          country === "ECU" ? "ecu.dactilar" : "arg.tramite",
          personAt(country, index).documentCode ?? "",
          day,
        ).validity === "invalid",
    ),
  );
  expect(wrong).toEqual([]);
});

it("the simulated registries are those of the contract", () => {
  expect([...sandboxRegistryCountries].sort()).toEqual([...registryCountries].sort());
});

it.each([-1, personsPerCountry, 1.5])("an index without a person is refused: %d", (index) => {
  expect(() => personAt("PER", index)).toThrow(RangeError);
});
