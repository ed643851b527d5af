import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "./command.ts";
import { csvAdvice, readText } from "./text-file.ts";

/** A row of a list: its cells by column name, and the line of the file on which it begins, from 1. */
export type ListRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> };

/**
 * Reads a CSV list (RFC 4180, header line first). Throws CommandError when the file cannot be read, lacks one of
 * `columns`, or a row leaves one of them empty; other columns are kept and may be ignored.
 */
export const readList = async (path: string, columns: readonly string[]): Promise<readonly ListRow[]> => {
  const [header, ...rows] = parseCsv(path, await readListText(path, csvAdvice));
  const absent = columns.filter((column) => !header?.cells.includes(column));
  if (header === undefined || absent.length > 0) {
    throw new CommandError(
      `The list ${path} lacks the column ${absent.join(", ")}. Its first line must name the columns ${columns.join(",")}.`,
    );
  }
  return rows.map(({ line, cells }) => {
    const row = Object.fromEntries(header.cells.map((name, column) => [name, cells[column] ?? ""]));
    const empty = columns.find((column) => row[column] === "");
    if (empty !== undefined) {
      throw new CommandError(`Line ${line} of ${path} has no ${empty}. Fill it in, or take the line out.`);
    }
    return { line, cells: row };
  });
};

/** The text of a list. Throws CommandError when it cannot be read; `advice` as of `readText`. */
export const readListText = (path: string, advice?: string): Promise<string> =>
  readText(path, `The list ${path}`, advice);

type Line = { readonly line: number; readonly cells: readonly string[] };

/** Cells of every line that is not blank; quotes may hold commas, line ends and doubled quotes. */
const parseCsv = (path: string, text: string): readonly Line[] => {
  const rows: Line[] = [];
  let [row, start, line]: [string[], number, number] = [[], 1, 1];
  const cell = /("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r\n|\n|\r|$)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (found === null) {
      throw new CommandError(
        `Line ${line} of ${path} has a quote that is not closed, or closes before the cell ends.`,
      );
    }
    const [whole, raw, end] = found;
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    row.push(raw!.startsWith('"') ? raw!.slice(1, -1).replaceAll('""', '"') : raw!);
    if (end !== ",") {
      rows.push({ line: start, cells: row });
      [row, start] = [[], line];
    } else if (cell.lastIndex === text.length) {
      row.push("");
    }
  }
  if (row.length > 0) rows.push({ line: start, cells: row });
  return rows.filter(({ cells }) => cells.length > 1 || cells[0] !== "");
};

/** A picture that a list names, and where it does: `Line 7 of pairs.csv`. */
export type NamedPicture = { readonly path: string; readonly where: string };

/** How many wrong pictures are named one by one. */
const namedMax = 5;

/** What keeps a picture from being measured at all. */
export const unread = "cannot be read or too small";

/** How many there are, and the names of the first: "7 (a.jpg, b.jpg, c.jpg, d.jpg, e.jpg and 2 more)". */
export const namesText = (names: readonly string[]): string => {
  const more = names.length - namedMax;
  return `${names.length} (${names.slice(0, namedMax).join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
};

/**
 * Sees that every picture is a file that can be read, before hours of work begin. Throws CommandError naming the first
 * ones that are not, each with its place in the list.
 */
export const checkPictures = async (
  pictures: readonly NamedPicture[],
  root: string,
  option = "--root",
): Promise<void> => {
  const seen = new Map<string, string | undefined>();
  const problems: string[] = [];
  for (const { path, where } of pictures) {
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
        `Nothing was measured. Mend the list, or name the pictures' folder: ${option} DIR`,
      ].join("\n"),
    );
  }
};

const problemOf = async (file: string): Promise<string | undefined> => {
  try {
    await access(file, constants.R_OK);
    return (await stat(file)).isFile() ? undefined : "is no file";
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

/** How many pictures are worked on at once, and where a line goes after every so many of them and the last. */
export type Pace = {
  readonly concurrency: number;
  readonly every: number;
  readonly progress: (line: string) => void;
};

/** `mapConcurrently` over pictures, told as it goes on: "40 of 204 pictures". */
export const mapPictures = async <Item, Result>(
  items: readonly Item[],
  { concurrency, every, progress }: Pace,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> => {
  let done = 0;
  return await mapConcurrently(items, concurrency, async (item, i) => {
    const result = await work(item, i);
    done++;
    if (done % every === 0 || done === items.length) progress(`${done} of ${items.length} pictures`);
    return result;
  });
};
