import { fold } from "./fold.ts";

export type Sex = "M" | "F" | "X";

/** The sex letters of the document: M and F, or H and M as in Mexico (hombre, mujer). */
export type SexLetters = "MF" | "HM";

const words: Readonly<Record<Sex, readonly string[]>> = {
  M: ["MASCULINO", "MASC", "MALE", "HOMBRE", "VARON", "HOMEM", "MUZ", "MEZCZYZNA", "FERFI", "MUSKO"],
  F: ["FEMENINO", "FEMININO", "FEM", "FEMALE", "MUJER", "MULHER", "ZENA", "KOBIETA", "ZENSKO"],
  X: ["NO BINARIO", "OTRO", "INDETERMINADO"],
};

/**
 * A single letter and its reading: with a worn bar, an F looks like an E or a P, and an M like an N or an H.
 */
const letters: Readonly<Record<SexLetters, Readonly<Record<Sex, string>>>> = {
  MF: { M: "MNH", F: "FEPZK", X: "X<" },
  HM: { M: "H", F: "M", X: "X" },
};

const sexes: readonly Sex[] = ["M", "F", "X"];

const sexOfPart = (part: string, printed: SexLetters): Sex | undefined =>
  sexes.find((sex) => (part.length === 1 ? letters[printed][sex].includes(part) : words[sex].includes(part)));

/**
 * Reads the sex from Spanish, Portuguese, English or Central European words and letters, also twice ("F / F",
 * "Ž/F", "MUJER/FEMALE"). Undefined for everything else and when the halves disagree.
 */
export const readSexWord = (text: string, printed: SexLetters = "MF"): Sex | undefined => {
  const parts = fold(text)
    .split("/")
    .map((part) => part.replaceAll(/[^A-Z< ]/g, "").trim());
  const [first, ...rest] = parts.map((part) => sexOfPart(part, printed));
  return first !== undefined && rest.every((sex) => sex === first) ? first : undefined;
};
