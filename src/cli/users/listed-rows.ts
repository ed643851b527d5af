import type { CsvRow } from "#contract/tabular/csv";
import { CsvFault, readCsvRows } from "#contract/tabular/csv-stream";
import { CommandError } from "../command.ts";
import { csvAdvice } from "../kit/text-file.ts";

const columns = ["userid", "image"] as const;

/**
 * The rows of a list of users, each as the cells userId and image. A first line that names these columns is
 * the header: it decides their order, and other columns are ignored. Without a header a row has these two
 * cells. Throws CommandError for a file that is no such list.
 */
export async function* listedRows(path: string): AsyncGenerator<CsvRow> {
  let places: readonly number[] | undefined;
  let isFirst = true;
  try {
    for await (const row of readCsvRows(path)) {
      if (!isFirst) {
        yield inOrder(row, places);
        continue;
      }
      isFirst = false;
      places = placesIn(row, path);
      if (places === undefined) yield row;
    }
  } catch (cause) {
    if (cause instanceof CsvFault) {
      const place = `${path}: the row after line ${cause.line}`;
      throw new CommandError(`${place} is no CSV in UTF-8. ${csvAdvice}`, { cause });
    }
    const isMissing = cause instanceof Error && "code" in cause;
    throw isMissing ? new CommandError(`The list ${path} cannot be read.`, { cause }) : cause;
  }
}

const inOrder = (row: CsvRow, places: readonly number[] | undefined): CsvRow =>
  places === undefined ? row : { ...row, cells: places.map((at) => row.cells[at] ?? "") };

/**
 * The places of the columns in a header; undefined for a row of a user. Throws CommandError for half a
 * header.
 */
const placesIn = ({ cells }: CsvRow, path: string): readonly number[] | undefined => {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const counts = columns.map((column) => names.filter((name) => name === column).length);
  if (counts.every((count) => count === 1)) return columns.map((column) => names.indexOf(column));
  if (counts.every((count) => count === 0) && cells.length > 1) return undefined;
  throw new CommandError(
    `${path}: line 1 must name the columns userId and image once each, separated by commas or semicolons. ` +
      "Without a header each line has these two cells.",
  );
};
