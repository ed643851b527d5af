import { CsvFault, readCsvRows } from "#contract/tabular/csv-stream";
import { readJsonLines } from "#contract/tabular/json-lines";
import type { ListedPerson } from "#features/registry/local/import-persons";
import { personColumns } from "#features/registry/local/read-person";
import { CommandError, suggestion } from "../command.ts";
import { csvAdvice } from "../kit/text-file.ts";

/**
 * The rows of a list of persons: CSV with a header, or JSONL where the name ends so. Throws CommandError for
 * a file that is no such list.
 */
export const personRows = (path: string): AsyncGenerator<ListedPerson> =>
  /\.(jsonl|ndjson)$/i.test(path) ? jsonRows(path) : csvRows(path);

const unread = (path: string, cause: unknown): unknown =>
  cause instanceof Error && "code" in cause
    ? new CommandError(`The list ${path} cannot be read.`, { cause })
    : cause;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function* jsonRows(path: string): AsyncGenerator<ListedPerson> {
  try {
    for await (const { line, value } of readJsonLines(path)) {
      yield { line, cells: isObject(value) ? { ...value } : undefined };
    }
  } catch (cause) {
    throw unread(path, cause);
  }
}

async function* csvRows(path: string): AsyncGenerator<ListedPerson> {
  let columns: readonly string[] | undefined;
  try {
    for await (const { line, cells } of readCsvRows(path)) {
      if (columns === undefined) columns = readHeader(path, cells);
      else yield { line, cells: cells.length > columns.length ? undefined : cellsOf(columns, cells) };
    }
  } catch (cause) {
    if (cause instanceof CsvFault) {
      const place = `${path}: the row after line ${cause.line}`;
      throw new CommandError(`${place} is no CSV in UTF-8. ${csvAdvice}`, { cause });
    }
    throw unread(path, cause);
  }
}

const cellsOf = (columns: readonly string[], cells: readonly string[]) =>
  Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));

/** The columns of a header, in their order. Upper and lower case do not count. */
const readHeader = (path: string, cells: readonly string[]): readonly string[] => {
  const columns = cells.map((cell) => {
    const name = cell.trim();
    const known = personColumns.find((column) => column.toLowerCase() === name.toLowerCase());
    if (known !== undefined) return known;
    const near = suggestion(name, personColumns);
    throw new CommandError(
      `${path}: line 1 names the column "${name}", which does not exist.${near} Columns: ${personColumns.join(", ")}.`,
    );
  });
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new CommandError(`${path}: line 1 names the column ${repeated} twice.`);
  if (!columns.includes("documentNumber")) {
    throw new CommandError(`${path}: line 1 must name the column documentNumber.`);
  }
  return columns;
};
