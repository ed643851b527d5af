import type { NumberReading } from "#judging/document/values/numbers/number-rule";
import { readNumber } from "#judging/document/values/numbers/number-rules";
import type { CountryRegistry } from "./countries/country-registry.ts";

/** A number in the form that the registry takes, or why it is none. */
export type JudgedNumber =
  | { readonly canonical: string }
  | { readonly fault: NonNullable<NumberReading["fault"]> };

/** Judges a number by the rules of its country: the first rule that does not refuse it counts. */
export const judgeNumber = (
  { numbers }: Pick<CountryRegistry, "numbers">,
  text: string,
  day: string,
): JudgedNumber => {
  const readings = numbers
    .filter(({ written }) => written === undefined || written.test(text))
    .map(({ rule }) => readNumber(rule, text, day));
  const accepted = readings.find(({ validity }) => validity !== "invalid");
  if (accepted !== undefined) return { canonical: accepted.canonical };
  const stated = readings.find(({ fault }) => fault !== undefined && fault !== "shape");
  return { fault: stated?.fault ?? "shape" };
};

/** Whether a country that requires the code refuses its form. */
export const isCodeRefused = (
  { documentCode, requiresCode }: Pick<CountryRegistry, "documentCode" | "requiresCode">,
  text: string,
  day: string,
): boolean =>
  documentCode !== undefined &&
  requiresCode === true &&
  readNumber(documentCode, text, day).validity === "invalid";

/**
 * The canonical form of a document code, or the text without blanks at its ends where the rule refuses it.
 */
export const codeOf = (
  { documentCode }: Pick<CountryRegistry, "documentCode">,
  text: string | undefined,
  day: string,
): string | undefined => {
  if (documentCode === undefined || text === undefined || text.trim() === "") return undefined;
  const { validity, canonical } = readNumber(documentCode, text, day);
  return validity === "invalid" ? text.trim() : canonical;
};
