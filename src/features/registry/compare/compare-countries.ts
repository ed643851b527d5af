import { readNationalityWord } from "#judging/document/values/nationality-word";
import type { NameResult } from "./compare-parts.ts";

/** Compares two countries or nationalities, as alpha-3 codes or as words. */
export const compareCountries = (a: string, b: string): NameResult => {
  const [left, right] = [a, b].map((text) => readNationalityWord(text.trim().slice(0, 60)));
  if (left === undefined || right === undefined) return "notComparable";
  return left === right ? "agrees" : "different";
};
