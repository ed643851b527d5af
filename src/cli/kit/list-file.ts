import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type CsvRow, readCsv } from "#contract/tabular/csv";
import { CommandError } from "../command.ts";
import type { WorkProgress } from "./progress.ts";
import { csvAdvice, readText } from "./text-file.ts";

/** A row of a list: its cells by column name, and its first line in the file, from 1. */
export type ListRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> };

/**
 * Reads a CSV list (RFC 4180, header line first). Throws CommandError when the file cannot be read, lacks one
 * of `columns`, or has a row with such a column empty. Other columns are kept; callers may ignore them.
 */
export const readList = async (path: string, columns: readonly string[]): Promise<readonly ListRow[]> => {
  const [header, ...rows] = parseRows(path, await readListText(path, csvAdvice));
  const absent = columns.filter((column) => !header?.cells.includes(column));
  if (header === undefined || absent.length > 0) {
    throw new CommandError(
      `The list ${path} lacks the column ${absent.join(", ")}. Name these columns in its first line: ${columns.join(",")}.`,
    );
  }
  return rows.map(({ line, cells }) => {
    const row = Object.fromEntries(header.cells.map((name, column) => [name, cells[column] ?? ""]));
    const empty = columns.find((column) => row[column] === "");
    if (empty !== undefined) {
      throw new CommandError(`Line ${line} of ${path} has no ${empty}. Fill it in, or remove the line.`);
    }
    return { line, cells: row };
  });
};

/** The text of a list. Throws CommandError when it cannot be read; `advice` as for `readText`. */
export const readListText = (path: string, advice?: string): Promise<string> =>
  readText(path, `The list ${path}`, advice);

/** All rows that are not blank. */
const parseRows = (path: string, text: string): readonly CsvRow[] => {
  const csv = readCsv(text, { separator: ",", isStrict: false });
  if ("rows" in csv) return csv.rows.filter(({ cells }) => cells.length > 1 || cells[0] !== "");
  throw new CommandError(
    `Line ${csv.faultLine} of ${path} has a quote that is not closed, or closes before the cell ends.`,
  );
};

/** An image in a list, and its place there: `Line 7 of pairs.csv`. */
export type ListedImage = { readonly path: string; readonly where: string };

/** Most wrong images that are listed by name. */
const namedMax = 5;

/** The reason for an image that cannot be measured. */
export const unread = "cannot be read or too small";

/** The count, and the first names: "7 (a.jpg, b.jpg, c.jpg, d.jpg, e.jpg and 2 more)". */
export const namesText = (names: readonly string[]): string => {
  const more = names.length - namedMax;
  return `${names.length} (${names.slice(0, namedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
};

/**
 * Checks that every image is a readable file before hours of work begin. Throws CommandError with the first
 * wrong images and their places in the list.
 */
export const checkImages = async (
  images: readonly ListedImage[],
  root: string,
  option = "--root",
): Promise<void> => {
  const seen = new Map<string, string | undefined>();
  const problems: string[] = [];
  for (const { path, where } of images) {
    const problem = seen.has(path) ? undefined : await problemOf(resolve(root, path));
    seen.set(path, problem);
    if (problem !== undefined) {
      problems.push(`${where} names ${resolve(root, path)}, which ${problem}.`);
    }
  }
  if (problems.length > 0) {
    const more = problems.length - namedMax;
    throw new CommandError(
      [
        ...problems.slice(0, namedMax),
        ...(more > 0 ? [`And ${more} more.`] : []),
        `Nothing was measured. Correct the list, or name the folder of the images: ${option} DIR`,
      ].join("\n"),
    );
  }
};

const problemOf = async (file: string): Promise<string | undefined> => {
  try {
    await access(file, constants.R_OK);
    return (await stat(file)).isFile() ? undefined : "is not a file";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT"
      ? "does not exist"
      : "cannot be read";
  }
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

/** The number of images in work at once, and what shows how far it is. */
export type Pace = { readonly concurrency: number; readonly progress: Pick<WorkProgress, "show"> };

/** `mapConcurrently` over images, with the progress of the whole list. */
export const mapImages = async <Item, Result>(
  items: readonly Item[],
  { concurrency, progress }: Pace,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  let done = 0;
  return await mapConcurrently(items, concurrency, async (item, i) => {
    const result = await work(item, i);
    progress.show(++done, items.length);
    return result;
  });
};
