import { classCodes, codeOf } from "./alphabet.ts";
import { type Field, type Layout, layouts, type MrzFormat } from "./formats.ts";

/**
 * The grammar mask of one line of a format: for each position the allowed alphabet indexes and a log prior
 * over the alphabet.
 */
export type LineMask = {
  readonly allowed: readonly (readonly number[])[];
  readonly prior: readonly (Float32Array | undefined)[];
};

/**
 * Log prior against letters that look like digits, in numbers and optional data. Issuers avoid O and Q there,
 * and the digit is the likelier one of each pair (chosen on the development images).
 */
const digitPrior = (() => {
  const prior = new Float32Array(37);
  const costs = { O: -3, Q: -2.5, I: -1.5, D: -0.7, Z: -0.7, S: -0.7, B: -0.7, G: -0.7, L: -0.7 };
  for (const [letter, cost] of Object.entries(costs)) prior[codeOf(letter)] = cost;
  return prior;
})();

const hasDigitPrior = ({ name, at, exactly }: Field): boolean =>
  (name === "documentNumber" || name === "optional1" || name === "optional2") &&
  exactly === undefined &&
  at[2] > at[1];

const codesAt = ({ holds, exactly }: Field, place: number): readonly number[] => {
  const allowed = exactly?.[place];
  return allowed === undefined ? classCodes[holds] : Array.from(allowed, codeOf);
};

/**
 * Positions between the fields hold the check digits. That of a long number holds `<`, and the digit follows
 * its rest.
 */
const checkCodes = ({ checks, longNumber }: Layout, line: number, at: number): readonly number[] => {
  const check = checks.find(({ digit }) => digit[0] === line && digit[1] === at);
  const mayBeLong = check?.name === "documentNumber" && longNumber !== undefined;
  return mayBeLong || check?.emptyMayBeFiller === true ? classCodes.digitOrFiller : classCodes.digit;
};

const maskOf = (layout: Layout, line: number): LineMask => {
  const fields = layout.fields.filter(({ at }) => at[0] === line);
  const fieldAt = (place: number) => fields.find(({ at }) => place >= at[1] && place < at[2]);
  const places = Array.from({ length: layout.lengths[line]! }, (_, place) => place);
  return {
    allowed: places.map((place) => {
      const field = fieldAt(place);
      return field === undefined ? checkCodes(layout, line, place) : codesAt(field, place - field.at[1]);
    }),
    prior: places.map((place) => {
      const field = fieldAt(place);
      return field !== undefined && hasDigitPrior(field) ? digitPrior : undefined;
    }),
  };
};

const masksOf = (format: MrzFormat): readonly LineMask[] =>
  layouts[format].lengths.map((_, line) => maskOf(layouts[format], line));

/** The grammar masks of every format, line by line. */
export const masks = {
  TD1: masksOf("TD1"),
  TD2: masksOf("TD2"),
  TD3: masksOf("TD3"),
  "MRV-A": masksOf("MRV-A"),
  "MRV-B": masksOf("MRV-B"),
  "FRA-ID": masksOf("FRA-ID"),
  "FRA-LICENCE": masksOf("FRA-LICENCE"),
  "CHE-LICENCE": masksOf("CHE-LICENCE"),
} as const satisfies Record<MrzFormat, readonly LineMask[]>;
