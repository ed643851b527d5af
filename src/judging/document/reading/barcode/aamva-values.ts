import { type AamvaElements, dateOf, valueOf } from "./aamva-elements.ts";

/** The holder's name in the parts that the licence has. */
export type AamvaNames = {
  readonly lastName?: string;
  /** First and middle names. */
  readonly firstName?: string;
};

/** The other fields of a licence as plain values; a field that the licence omits is absent. */
export type AamvaValues = {
  readonly documentNumber?: string;
  /** Dates as YYYY-MM-DD; only dates that exist in the calendar. */
  readonly dateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly dateOfIssue?: string;
  readonly sex?: "M" | "F" | "X";
  /** ISO 3166-1 alpha-3. */
  readonly country?: "USA" | "CAN" | "MEX";
  readonly state?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postalCode?: string;
};

const spaced = (text: string | undefined): string | undefined => text?.replaceAll(/\s+/g, " ").trim();

/** Removes undefined and empty values. */
const present = <T extends object>(values: T): { [name in keyof T]?: Exclude<T[name], undefined> } => {
  const kept: { [name in keyof T]?: Exclude<T[name], undefined> } = {};
  for (const name in values) {
    const value = values[name];
    if (isGiven(value)) {
      kept[name] = value;
    }
  }
  return kept;
};

const isGiven = <T>(value: T): value is Exclude<T, undefined> => value !== undefined && value !== "";

/** DAA of version 01: last, first, middle and suffix, separated by commas, else by `@`, else by blanks. */
const wholeName = (text: string) => {
  const [last, first, middle] = text.split(/[,@]/.test(text) ? /[,@]/ : /\s+/).map((part) => part.trim());
  return { last, first, middle };
};

/**
 * Versions differ: DAA holds the whole name (01), DCT all given names (02, 03), DCS DAC DAD the parts (from
 * 04).
 */
export const namesOf = (elements: AamvaElements): AamvaNames => {
  const whole = wholeName(valueOf(elements, "DAA") ?? "");
  const [given = "", ...others] = valueOf(elements, "DCT")?.split(/[,\s]+/) ?? [];
  const first = valueOf(elements, "DAC") ?? (given || whole.first);
  const middle = valueOf(elements, "DAD") ?? (others.join(" ") || whole.middle);
  return present({
    lastName: spaced(valueOf(elements, "DCS", "DAB") ?? whole.last),
    firstName: spaced([first, middle].filter(Boolean).join(" ")),
  });
};

const sexes: ReadonlyMap<string | undefined, "M" | "F" | "X"> = new Map([
  ["1", "M"],
  ["M", "M"],
  ["2", "F"],
  ["F", "F"],
  ["9", "X"],
  ["X", "X"],
]);

/** United States: nine digits with fillers at the end. Canada: six characters and blanks. */
const postalCodeOf = (text: string | undefined): string | undefined => {
  const [, five, four] = /^(\d{5})-?(\d{4})?$/.exec(text?.trim() ?? "") ?? [];
  return five === undefined ? spaced(text) : four === undefined || four === "0000" ? five : `${five}-${four}`;
};

const countries = ["USA", "CAN", "MEX"] as const;

const placeOf = (elements: AamvaElements) => ({
  country: countries.find((country) => country === valueOf(elements, "DCG")),
  state: valueOf(elements, "DAJ", "DAO"),
  street: spaced(
    [valueOf(elements, "DAG", "DAL"), valueOf(elements, "DAH", "DAM")].filter(Boolean).join(", "),
  ),
  city: spaced(valueOf(elements, "DAI", "DAN")),
  postalCode: postalCodeOf(valueOf(elements, "DAK", "DAP")),
});

/** All fields except the names. Fields that no decision uses (height, eyes, vehicle classes) are dropped. */
export const valuesOf = (elements: AamvaElements): AamvaValues =>
  present({
    documentNumber: spaced(valueOf(elements, "DAQ")),
    dateOfBirth: dateOf(valueOf(elements, "DBB")),
    dateOfExpiry: dateOf(valueOf(elements, "DBA")),
    dateOfIssue: dateOf(valueOf(elements, "DBD")),
    sex: sexes.get(valueOf(elements, "DBC")),
    ...placeOf(elements),
  });
