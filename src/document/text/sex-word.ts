import { fold } from "./fold.ts";

export type Sex = "M" | "F" | "X";

/** Which letters the document prints: M and F, or H and M as Mexico does (hombre, mujer). */
export type SexLetters = "MF" | "HM";

const words: Readonly<Record<Sex, readonly string[]>> = {
  M: ["MASCULINO", "MASC", "MALE", "HOMBRE", "VARON", "HOMEM", "MUZ", "MEZCZYZNA", "FERFI", "MUSKO"],
  F: ["FEMENINO", "FEMININO", "FEM", "FEMALE", "MUJER", "MULHER", "ZENA", "KOBIETA", "ZENSKO"],
  X: ["NO BINARIO", "OTRO", "INDETERMINADO"],
};

/** A lone letter with what it is taken for: a worn bar makes an E or a P of an F, an N or an H of an M. */
const letters: Readonly<Record<SexLetters, Readonly<Record<Sex, string>>>> = {
  MF: { M: "MNH", F: "FEPZK", X: "X<" },
  HM: { M: "H", F: "M", X: "X" },
};

const sexes: readonly Sex[] = ["M", "F", "X"];

const sexOfPart = (part: string, printed: SexLetters): Sex | undefined =>
  sexes.find((sex) => (part.length === 1 ? letters[printed][sex].includes(part) : words[sex].includes(part)));

/**
 * The sex that this text says, in Spanish, Portuguese, English or Central European words and letters, also twice
 * ("F / F", "Ž/F", "MUJER/FEMALE"). Undefined for everything else and where the halves disagree.
 */
export const readSexWord = (text: string, printed: SexLetters = "MF"): Sex | undefined => {
  const parts = fold(text)
    .split("/")
    .map((part) => part.replaceAll(/[^A-Z< ]/g, "").trim());
  const [first, ...rest] = parts.map((part) => sexOfPart(part, printed));
  return first !== undefined && rest.every((sex) => sex === first) ? first : undefined;
};
