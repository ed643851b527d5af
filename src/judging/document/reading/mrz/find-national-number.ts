import { type NumberName, readNumber } from "../../values/numbers/number-rules.ts";
import type { MrzFields } from "./parse.ts";

/**
 * All texts of an MRZ that could be a national number: the nine characters of the document number, ICAO's
 * long number, the nine characters followed by the first optional data, and each optional data field.
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
 * The national number of an MRZ with unknown layout: the candidate that passes the number's rule and equals
 * the printed number. Canonical form. Undefined when no candidate passes, or when there is no printed number.
 */
export const findNationalNumber = (
  mrz: MrzFields,
  name: NumberName,
  printed: string | undefined,
  day: string,
): string | undefined => {
  const wanted = printed === undefined ? undefined : readNumber(name, printed, day);
  if (wanted === undefined || wanted.validity === "invalid") {
    return undefined;
  }
  return numberCandidates(mrz)
    .map((candidate) => readNumber(name, candidate, day))
    .find(({ validity, canonical }) => validity !== "invalid" && canonical === wanted.canonical)?.canonical;
};
