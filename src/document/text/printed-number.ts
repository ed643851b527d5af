import { asCapital, asDigit } from "./look-alikes.ts";

/** Undefined when the character cannot stand at this place of the pattern. */
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

/** Signs between groups that print and reading may leave out or take for each other. */
const isSeparator = (char: string): boolean => /[\s.\-/]/.test(char);

/**
 * The text as a number of one of the patterns, in which 9 stands for a digit, A for a capital, X for either, and every other
 * character for itself: `readPrintedNumber("3O.123.456", ["99.999.999"])` is `30.123.456`. Characters that look alike
 * (O and 0, I and 1, …) become what the place asks for, and separators what the pattern has. Undefined when none fits; of
 * several the one with the fewest changed characters, then the first.
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

/** Puts the pattern's separators back between the characters. */
const spread = (number: string, pattern: string): string => {
  let next = 0;
  return Array.from(pattern)
    .map((place) => (isSeparator(place) ? place : number[next++]!))
    .join("");
};
