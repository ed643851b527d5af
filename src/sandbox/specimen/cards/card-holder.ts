/** What a card of a specimen states. Dates are YYYY-MM-DD; names are capitals with accents. */
export type CardHolder = {
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  /** In the canonical form of the country's number rule. */
  readonly documentNumber: string;
  /** As cards print it. */
  readonly printedNumber: string;
  /** Código dactilar (ECU), número de trámite (ARG). */
  readonly documentCode?: string;
  /** Serial number of the card (CHL, ECU, HND, CRI). */
  readonly cardSerial: string;
  readonly givenNames: readonly [string, string];
  readonly surnames: readonly [string, string];
  readonly dateOfBirth: string;
  readonly gender: "M" | "F";
  readonly civilStatus: "single" | "married" | "divorced" | "widowed";
  readonly spouseName?: string;
  readonly fatherName: string;
  readonly motherName: string;
  readonly address: string;
  readonly city: string;
  readonly province: string;
  /** The code of the place of registration in the country's own list. */
  readonly placeCode: string;
  readonly issueDate: string;
  readonly expiryDate: string;
};

export const givenNamesOf = ({ givenNames }: Pick<CardHolder, "givenNames">): string => givenNames.join(" ");
export const surnamesOf = ({ surnames }: Pick<CardHolder, "surnames">): string => surnames.join(" ");

const months = ["ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC"] as const;
const englishMonths = [
  "JAN",
  "FEB",
  "MAR",
  "APR",
  "MAY",
  "JUN",
  "JUL",
  "AUG",
  "SEP",
  "OCT",
  "NOV",
  "DEC",
] as const;

type DateParts = { readonly year: string; readonly month: string; readonly day: string };

export const partsOf = (date: string): DateParts => ({
  year: date.slice(0, 4),
  month: date.slice(5, 7),
  day: date.slice(8, 10),
});

/** `01 ENE 1990` with the given separator. */
export const spelled = (date: string, separator = " "): string => {
  const { year, month, day } = partsOf(date);
  return [day, months[Number(month) - 1] ?? "", year].join(separator);
};

/** `01 ENE/ JAN 1990`. */
export const spelledTwice = (date: string): string => {
  const { year, month, day } = partsOf(date);
  return `${day} ${months[Number(month) - 1] ?? ""}/ ${englishMonths[Number(month) - 1] ?? ""} ${year}`;
};

/** `01-01-1990` with the given separator. */
export const inDigits = (date: string, separator: string): string => {
  const { year, month, day } = partsOf(date);
  return [day, month, year].join(separator);
};

/** YYYYMMDD. */
export const compact = (date: string): string => date.replaceAll("-", "");

/** Capitals without accents, as MRZ and barcodes write them; Ñ as N. */
export const unaccented = (text: string): string => text.normalize("NFD").replaceAll(/\p{Diacritic}/gu, "");
