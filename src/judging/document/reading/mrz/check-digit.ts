import { codeOf, filler } from "./alphabet.ts";

const weights = [7, 3, 1] as const;

/**
 * Check digit of a text by ICAO Doc 9303-3, 4.9: weights 7 3 1 from the left, digits as they are, A = 10 … Z
 * = 35, filler 0. Undefined when a character does not belong to the alphabet.
 */
export const checkDigit = (text: string): string | undefined => {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codeOf(text[i]!);
    if (code < 0) {
      return undefined;
    }
    sum += (code === filler ? 0 : code) * weights[i % 3]!;
  }
  return String(sum % 10);
};
