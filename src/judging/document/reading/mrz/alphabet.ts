/**
 * The 37 characters of a machine-readable zone (MRZ, ICAO Doc 9303-3, 4.3), in the order of the line
 * network's classes.
 */
export const mrzAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<";

/** Index of the filler `<`. */
export const filler = 36;

/** Index in the alphabet; -1 for any other character. */
export const codeOf = (character: string): number => mrzAlphabet.indexOf(character);

/** The characters that are allowed at a position of a line. */
export type CharacterClass = "any" | "letters" | "digits" | "date" | "digit" | "digitOrFiller" | "sex";

const codes = (characters: string): readonly number[] => Array.from(characters, codeOf);
const digits = codes("0123456789");

/** Alphabet indexes that a class allows. `letters` and `date` include the filler, `digits` does not. */
export const classCodes = {
  any: codes(mrzAlphabet),
  letters: codes("ABCDEFGHIJKLMNOPQRSTUVWXYZ<"),
  digits,
  date: [...digits, filler],
  digit: digits,
  digitOrFiller: [...digits, filler],
  sex: codes("MF<X"),
} as const satisfies Record<CharacterClass, readonly number[]>;
