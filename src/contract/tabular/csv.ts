import { CsvError, parse } from "csv-parse/sync";

/** The cells of a row, and the line of the file on which the row begins, from 1. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export type CsvFormat = {
  readonly separator: "," | ";";
  /**
   * If true, a quote or a lone carriage return in a cell without quotes is a fault (RFC 4180). Otherwise it
   * is text, or a line end.
   */
  readonly isStrict: boolean;
};

/** All rows, with a blank line as one empty cell. Or the line of the first cell with a wrong quote. */
export type Csv = { readonly rows: readonly CsvRow[] } | { readonly faultLine: number };

/** Implemented by `readCsv`. */
export type ReadCsv = (text: string, format: CsvFormat) => Csv;

class CellFault extends Error {}

/** Reads CSV. A cell in quotes may hold separators, line ends and doubled quotes. */
export const readCsv: ReadCsv = (text, { separator, isStrict }) => {
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  const lineEnd = isStrict ? /\n/g : /\r\n|\n|\r/g;
  let [line, rowStart, cellStart] = [1, 0, 0];
  const linesIn = (from: number, to: number): number =>
    bytes.toString("utf8", from, to).match(lineEnd)?.length ?? 0;
  try {
    parse(bytes, {
      delimiter: separator,
      record_delimiter: isStrict ? ["\r\n", "\n"] : ["\r\n", "\n", "\r"],
      relax_column_count: true,
      // The library then also accepts text after a closing quote, so each cell is checked here.
      relax_quotes: true,
      cast: (cell, { quoting, bytes: end }) => {
        const isWhole = quoting ? isQuoted(cell, end - cellStart) : !isStrict || !/["\r]/.test(cell);
        if (!isWhole) throw new CellFault();
        cellStart = end + separator.length;
        return cell;
      },
      on_record: (cells: string[], { bytes: end }) => {
        rows.push({ line, cells });
        line += linesIn(rowStart, end);
        rowStart = end;
        cellStart = end;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CellFault || error instanceof CsvError)) throw error;
    return { faultLine: line + linesIn(rowStart, cellStart) };
  }
  return { rows };
};

/** Whether a cell takes as many bytes as its text in quotes, so that its last quote ends it. */
const isQuoted = (cell: string, length: number): boolean =>
  Buffer.byteLength(cell) + cell.split('"').length + 1 === length;
