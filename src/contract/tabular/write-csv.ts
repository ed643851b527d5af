/**
 * A spreadsheet would run a text that begins with such a character, and a value read from a document could be
 * such a text.
 */
const isFormula = (cell: string): boolean => /^[=+@\t\r]|^-(?![\d.]+(?:e[-+]?\d+)?$)/.test(cell);

const writeCell = (cell: string): string => {
  const text = isFormula(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One line of CSV (RFC 4180), with its end. Texts that a spreadsheet would run begin with an apostrophe. */
export const writeCsvLine = (cells: readonly string[]): string => `${cells.map(writeCell).join(",")}\n`;
