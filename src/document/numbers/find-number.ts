import type { MrzFields } from "../mrz/parse.ts";
import { type NumberName, readNumber } from "./number-rules.ts";

/**
 * Everything in a zone that could be a national number: the number's nine places, the long number of ICAO, the nine
 * places with the first optional data behind them, each optional data.
 */
export const numberCandidates = ({
  format,
  lines,
  documentNumber,
  optional1,
  optional2,
}: MrzFields): readonly string[] => {
  const first = format === "TD1" ? (lines[0] ?? "") : "";
  const [nine, rest] = [first.slice(5, 14).replaceAll("<", ""), first.slice(15).replaceAll("<", "")];
  const joined = /^\d+$/.test(nine + rest) ? nine + rest : "";
  const candidates = [documentNumber, nine, joined, optional1, optional2];
  return [...new Set(candidates.map((candidate) => candidate.replaceAll("<", "")))].filter(Boolean);
};

/**
 * The national number of a zone whose layout is not known: the candidate that keeps the number's rule and equals the
 * printed one. Canonical; undefined when none does, or nothing was printed to compare with.
 */
export const findNationalNumber = (
  zone: MrzFields,
  name: NumberName,
  printed: string | undefined,
  day: string,
): string | undefined => {
  const wanted = printed === undefined ? undefined : readNumber(name, printed, day);
  if (wanted === undefined || wanted.validity === "invalid") {
    return undefined;
  }
  return numberCandidates(zone)
    .map((candidate) => readNumber(name, candidate, day))
    .find(({ validity, canonical }) => validity !== "invalid" && canonical === wanted.canonical)?.canonical;
};
