const isRightToLeft = (text: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

/** Text that runs from left to right within a line of the other direction. */
const pieces = /[a-zA-Z0-9:*./%+-]+(?: +[a-zA-Z0-9:*./%+-]+)*|./gsu;

/**
 * Converts a line from visual order (left to right, as a network names the characters) to reading order. A
 * line of Arabic or Hebrew is reversed; Latin letters and numbers in it are not. PP-OCR's own decoder does
 * the same, except for a space at an end of them.
 */
export const inReadingOrder = (text: string): string =>
  isRightToLeft(text)
    ? [...text.matchAll(pieces)]
        .map(([piece]) => piece)
        .toReversed()
        .join("")
    : text;
