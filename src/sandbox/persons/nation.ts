import type { Draw } from "./draw.ts";
import type { SandboxCountry } from "./sandbox-person.ts";

export type Names = readonly [string, string, ...string[]];

/** Where a person is registered and lives. */
export type Place = {
  /** The code in numbers and on cards. */
  readonly code: string;
  readonly city: string;
  readonly province: string;
};

/** What the numbers of a person rest on. */
export type Seat = {
  readonly index: number;
  readonly place: Place;
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string;
};

export type PersonNumbers = {
  readonly documentNumber: string;
  readonly printedNumber: string;
  readonly documentCode?: string;
};

/** One country of the sandbox: its names, places and numbers. */
export type Nation = {
  readonly country: SandboxCountry;
  readonly givenNames: { readonly M: Names; readonly F: Names };
  readonly surnames: Names;
  readonly places: readonly [Place, ...Place[]];
  readonly streets: Names;
  /**
   * The year in which every card was issued, and how long it is valid: both fit the generation that specimens
   * draw.
   */
  readonly issueYear: number;
  readonly validityYears: number;
  /** Two persons of different index never get the same number. */
  readonly numbersOf: (seat: Seat, draw: Draw) => PersonNumbers;
  readonly serialOf: (seat: Seat) => string;
};

/** Names in one text, separated by commas. */
export const names = (text: string): Names => {
  const [first, second, ...others] = text.split(",").map((name) => name.trim());
  if (first === undefined || second === undefined) throw new Error("A country needs two names at least");
  return [first, second, ...others];
};

/** Places in one text: code, city and province of each, separated by commas; places by semicolons. */
export const places = (text: string): readonly [Place, ...Place[]] => {
  const [first, ...others] = text.split(";").map((line): Place => {
    const [code = "", city = "", province = ""] = line.split(",").map((part) => part.trim());
    return { code, city, province };
  });
  if (first === undefined) throw new Error("A country needs a place at least");
  return [first, ...others];
};

/** A number with leading zeros. */
export const padded = (value: number, length: number): string => String(value).padStart(length, "0");
