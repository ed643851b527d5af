import type { NameResult } from "./compare-parts.ts";

/** The alpha-3 code of a country or nationality, as a code or a word. Made by `readNationalityWord` (document/values). */
export type ReadCountry = (text: string) => string | undefined;

/** Compares two countries or nationalities, as alpha-3 codes or as words. */
export const compareCountries = (a: string, b: string, readCountry: ReadCountry): NameResult => {
  const [left, right] = [readCountry(a.trim().slice(0, 60)), readCountry(b.trim().slice(0, 60))];
  if (left === undefined || right === undefined) return "notComparable";
  return left === right ? "agrees" : "different";
};
