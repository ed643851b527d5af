import { asCapital, asDigit } from "./look-alikes.ts";

/** The character that fits this place of the pattern; undefined when it cannot. */
const fitted = (char: string, place: string): string | undefined => {
  switch (place) {
    case "9":
      return asDigit(char);
    case "A":
      return asCapital(char);
    case "X":
      return /^[0-9A-Z]$/.test(char.toUpperCase()) ? char.toUpperCase() : undefined;
    default:
      return char === place ? place : undefined;
  }
};

const fitOne = (chars: readonly string[], pattern: readonly string[]): string | undefined => {
  const places = chars.map((char, i) => fitted(char, pattern[i]!));
  return places.includes(undefined) ? undefined : places.join("");
};

/** Signs between groups that a document or a reader may omit or confuse. */
const isSeparator = (char: string): boolean => /[\s.\-/]/.test(char);

/**
 * Reads a text as a number of one of the patterns. In a pattern 9 stands for a digit, A for a capital, X for
 * either, and every other character for itself: `readPrintedNumber("3O.123.456", ["99.999.999"])` is
 * `30.123.456`. Look-alikes (O and 0, I and 1, …) become the character that the place requires, and
 * separators those of the pattern. Undefined when no pattern fits. If several fit, the one with the fewest
 * changed characters wins, then the first.
 */
export const readPrintedNumber = (text: string, patterns: readonly string[]): string | undefined => {
  const chars = Array.from(text.normalize("NFC")).filter((char) => !isSeparator(char));
  const changesIn = (number: string): number => {
    const kept = Array.from(number).filter((char) => !isSeparator(char));
    return kept.filter((char, i) => char !== chars[i]).length;
  };
  const fits = patterns.flatMap((pattern) => {
    const places = Array.from(pattern).filter((place) => !isSeparator(place));
    const number = places.length === chars.length ? fitOne(chars, places) : undefined;
    return number === undefined ? [] : [spread(number, pattern)];
  });
  return fits.sort((a, b) => changesIn(a) - changesIn(b))[0];
};

/** Inserts the pattern's separators between the characters. */
const spread = (number: string, pattern: string): string => {
  let next = 0;
  return Array.from(pattern)
    .map((place) => (isSeparator(place) ? place : number[next++]!))
    .join("");
};
