import { type NumberHint, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/** Provinces and comarcas by the prefix of persons born there. */
const provinces = [
  "Bocas del Toro",
  "Coclé",
  "Colón",
  "Chiriquí",
  "Darién",
  "Herrera",
  "Los Santos",
  "Panamá",
  "Veraguas",
  "Guna Yala",
  "Emberá-Wounaan",
  "Ngäbe-Buglé",
  "Panamá Oeste",
] as const;

const holders: Readonly<Record<string, string>> = {
  PE: "born-abroad",
  E: "foreigner",
  N: "naturalised",
  AV: "registered-late",
  PI: "indigenous",
};

/**
 * One hyphen between the parts, no blanks, `n-AV-` and `n AV-` as `nAV-`, no leading zeros in the numbers.
 */
const normalise = (text: string): string =>
  text
    .slice(0, 40)
    .normalize("NFKC")
    .toUpperCase()
    .trim()
    .replaceAll(/\s*[\p{Pd}\u2212]\s*/gu, "-")
    .replaceAll(/\s+/g, "-")
    .replace(/^(\d+)-?(AV|PI)-?/, "$1$2-")
    .replaceAll(/(^|-)0+(?=\d)/g, "$1");

const hintsOf = (prefix: string): readonly NumberHint[] => {
  const [, digits = "", letters = ""] = /^(\d*)(\D*)$/.exec(prefix) ?? [];
  const province = provinces[Number(digits) - 1];
  const holder = holders[letters];
  return [
    ...(province === undefined ? [] : [{ about: "region" as const, value: province, sure: "S" as const }]),
    ...(holder === undefined ? [] : [{ about: "holder" as const, value: holder, sure: "S" as const }]),
  ];
};

/**
 * Cédula of Panama: prefix, tomo and asiento with hyphens, `8-123-456`, `PE-12-345`, `4AV-12-345`; no check
 * digit.
 */
export const panamaCedula: NumberRule = {
  country: "PAN",
  sure: "L",
  read: (text) => {
    const number = normalise(text);
    const prefix = /^(PE|E|N|(?:[1-9]|1[0-3])(?:AV|PI)?)-\d{1,4}-\d{1,6}$/.exec(number)?.[1];
    return prefix === undefined ? refused(number, "shape") : uncheckable(number, { hints: hintsOf(prefix) });
  },
};
