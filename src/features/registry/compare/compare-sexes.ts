import type { NameResult } from "./compare-parts.ts";
import { plainText } from "./name-parts.ts";

/** Words of the region's documents and registries. M is masculine here; H (hombre) is too. */
const words = {
  M: ["M", "H", "MASCULINO", "MASC", "HOMBRE", "VARON", "MALE"],
  F: ["F", "FEMENINO", "FEM", "MUJER", "FEMALE"],
  X: ["X", "NO BINARIO", "OTRO", "INDETERMINADO", "NO DETERMINADO"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const table: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([sex, all]) => all.map((word): [string, string] => [word, sex])),
);

const readSex = (text: string): string | undefined =>
  table.get(plainText(text).trim().replaceAll(/\s+/g, " "));

/** Compares two sexes, as letters or words. X differs from M and F: a registry that knows X states it. */
export const compareSexes = (a: string, b: string): NameResult => {
  const [left, right] = [readSex(a), readSex(b)];
  if (left === undefined || right === undefined) return "notComparable";
  return left === right ? "agrees" : "different";
};
