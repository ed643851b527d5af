import { readFile } from "node:fs/promises";
import { CommandError } from "./command.ts";

/** A row of a list by column name. */
export type ListRow = Readonly<Record<string, string>>;

/**
 * Reads a CSV list (RFC 4180, header line first). Throws CommandError when the file cannot be read, lacks one of
 * `columns`, or a row leaves one of them empty; other columns are kept and may be ignored.
 */
export const readList = async (path: string, columns: readonly string[]): Promise<readonly ListRow[]> => {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CommandError(`The list ${path} cannot be read`, { cause });
  });
  const [header, ...rows] = parseCsv(text.replace(/^\uFEFF/, ""));
  const absent = columns.filter((column) => !header?.includes(column));
  if (header === undefined || absent.length > 0) {
    throw new CommandError(`The list ${path} lacks the column ${absent.join(", ")}`);
  }
  return rows.map((cells, i) => {
    const row = Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ""]));
    const empty = columns.find((column) => row[column] === "");
    if (empty !== undefined) {
      throw new CommandError(`Row ${i + 2} of ${path} has no ${empty}`);
    }
    return row;
  });
};

/** Cells of every line that is not blank; quotes may hold commas, line ends and doubled quotes. */
const parseCsv = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (found === null) {
      throw new CommandError("The list has a quote that is not closed");
    }
    const [, raw, end] = found;
    row.push(raw!.startsWith('"') ? raw!.slice(1, -1).replaceAll('""', '"') : raw!);
    if (end !== ",") {
      rows.push(row);
      row = [];
    } else if (cell.lastIndex === text.length) {
      row.push("");
    }
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
};

/** Runs `work` on every item, `width` at a time, keeping the order of results. */
export const mapConcurrently = async <Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const entries = items.entries();
  const lanes = Array.from({ length: Math.max(1, width) }, async () => {
    for (const [i, item] of entries) results[i] = await work(item, i);
  });
  await Promise.all(lanes);
  return results;
};
