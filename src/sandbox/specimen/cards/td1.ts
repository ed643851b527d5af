import { checkDigitOf, transliterate, withCheckDigit } from "../mrz.ts";
import { type CardHolder, compact } from "./card-holder.ts";

/** What differs between the cards of two countries. */
export type Td1Fields = {
  /** Two characters, such as `ID` or `I<`. */
  readonly code: string;
  /** Up to nine characters. */
  readonly number: string;
  /** Up to fifteen and eleven characters. */
  readonly optional1?: string;
  readonly optional2?: string;
};

/** The three lines of 30 characters of ICAO Doc 9303-5, 4.2.2. Names that do not fit are cut at the end. */
export const writeCardLines = (
  holder: CardHolder,
  { code, number, optional1 = "", optional2 = "" }: Td1Fields,
): readonly string[] => {
  const [birth, expiry] = [holder.dateOfBirth, holder.expiryDate].map((date) =>
    withCheckDigit(compact(date).slice(2)),
  );
  const upper = `${code}${holder.country}${withCheckDigit(number.padEnd(9, "<"))}${optional1.padEnd(15, "<")}`;
  const more = optional2.padEnd(11, "<");
  const all = checkDigitOf(`${upper.slice(5)}${birth}${expiry}${more}`);
  const middle = `${birth}${holder.gender}${expiry}${holder.country}${more}${all}`;
  const [surnames, givenNames] = [holder.surnames, holder.givenNames].map((names) =>
    transliterate(names.join(" ")),
  );
  return [upper, middle, `${surnames}<<${givenNames}`.slice(0, 30).padEnd(30, "<")];
};
