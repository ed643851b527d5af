/** A text without what could hide or move others on a page: control, direction and private characters. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "\uFFFD");
