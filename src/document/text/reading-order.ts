const isRightToLeft = (text: string): boolean => /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);

/** What stands from the left to the right within a line that runs the other way. */
const pieces = /[a-zA-Z0-9:*./%+-]+(?: +[a-zA-Z0-9:*./%+-]+)*|./gsu;

/**
 * The characters of a line in the order in which they are read, from those that a network names from the left to the right:
 * a line of Arabic or Hebrew is turned round, Latin letters and numbers in it are not (as PP-OCR's
 * own decoder does, but for a space at an end of them).
 */
export const inReadingOrder = (text: string): string =>
  isRightToLeft(text)
    ? [...text.matchAll(pieces)]
        .map(([piece]) => piece)
        .toReversed()
        .join("")
    : text;
