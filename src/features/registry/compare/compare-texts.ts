import type { NameResult } from "./compare-parts.ts";
import { plainText } from "./name-parts.ts";

/** Words of addresses and places by their abbreviation; an empty text is left out. */
const spelled: Readonly<Record<string, string>> = {
  AV: "AVENIDA",
  AVDA: "AVENIDA",
  AVE: "AVENIDA",
  C: "CALLE",
  CL: "CALLE",
  CLL: "CALLE",
  CRA: "CARRERA",
  JR: "JIRON",
  PJE: "PASAJE",
  PSJE: "PASAJE",
  URB: "URBANIZACION",
  BO: "BARRIO",
  COL: "COLONIA",
  RES: "RESIDENCIAL",
  DPTO: "DEPARTAMENTO",
  DEPTO: "DEPARTAMENTO",
  PROV: "PROVINCIA",
  DIST: "DISTRITO",
  MZ: "MANZANA",
  LT: "LOTE",
  ESQ: "ESQUINA",
  STA: "SANTA",
  STO: "SANTO",
  GRAL: "GENERAL",
  CNEL: "CORONEL",
  DR: "DOCTOR",
  NRO: "",
  NO: "",
  NUM: "",
  NUMERO: "",
  DE: "",
  DEL: "",
  LA: "",
  LAS: "",
  LOS: "",
  EL: "",
  Y: "",
};

const wordsMax = 40;

const wordsOf = (text: string): readonly string[] =>
  plainText(text)
    .replaceAll(/N[°º]/g, " ")
    .split(/[^A-Z0-9]+/)
    .map((word) => spelled[word] ?? word)
    .filter(Boolean)
    .slice(0, wordsMax);

const holds = (all: readonly string[], some: readonly string[]): boolean =>
  some.every((word) => all.includes(word));

/**
 * Compares places and addresses. Both agree with the same words in the same order; they are similar with the
 * same words in another order, or where one has all words of the other.
 */
export const compareTexts = (a: string, b: string): NameResult => {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.length === 0 || right.length === 0) return "notComparable";
  if (left.join("") === right.join("")) return "agrees";
  return holds(left, right) || holds(right, left) ? "similar" : "different";
};

/**
 * Civil states by the beginning of their word, which both genders share, or by the letter of Peruvian cards.
 */
const states = [
  ["S", "SOLTER"],
  ["C", "CASAD"],
  ["V", "VIUD"],
  ["D", "DIVORCIAD"],
  ["U", "UNION"],
  ["U", "UNID"],
  ["U", "CONVIVIENTE"],
  ["P", "SEPARAD"],
] as const;

const stateOf = (text: string): string | undefined => {
  const word =
    plainText(text)
      .trim()
      .split(/[^A-Z]+/)[0] ?? "";
  return states.find(([letter, stem]) => word === letter || word.startsWith(stem))?.[0];
};

/** Compares civil states, as words of either gender or as letters; other words as texts. */
export const compareCivilStates = (a: string, b: string): NameResult => {
  const [left, right] = [stateOf(a), stateOf(b)];
  if (left === undefined || right === undefined) return compareTexts(a, b);
  return left === right ? "agrees" : "different";
};
