import { isCalendarDate } from "../dates.ts";
import type { PepFile } from "./pep-list.ts";

/** Columns by their heading; `name` stands for a name that is not parted. */
const headings = ["lastname", "firstname", "name", "birthdate"] as const;

const peopleMax = 500_000;

/** People of a list, and the line of the file on which each begins, from 1. */
export type PepRows = Required<Pick<PepFile, "people" | "lines">>;

/**
 * Reads a list of people from CSV (RFC 4180) with a heading line: `lastName,firstName,birthDate` or `name,birthDate`. A
 * heading parted by semicolons parts all lines so, as spreadsheets write where the comma is the decimal mark. Other columns
 * are left out. Throws Error that names the line, and nothing of what stands in it.
 */
export const readPepCsv = (text: string): PepRows => {
  const [heading, ...rows] = parseCsv(text);
  const columns = new Map(heading?.cells.map((word, n) => [word.trim().toLowerCase(), n]));
  const [last, first, name, birth] = headings.map((word) => columns.get(word));
  if ((last === undefined || first === undefined) && name === undefined) {
    throw new Error(
      "line 1 must name the columns, separated by commas or semicolons: lastName,firstName,birthDate or name,birthDate",
    );
  }
  const given = rows.filter(({ cells }) => cells.some((one) => one.trim() !== ""));
  if (given.length === 0) throw new Error("nobody stands under the heading line");
  if (given.length > peopleMax) throw new Error(`there are more than ${peopleMax} people`);
  const people = given.map(({ line, cells }): PepFile["people"][number] => {
    const surname = cell(cells, last) || cell(cells, name);
    const date = cell(cells, birth);
    if (surname === "") throw new Error(`line ${line} has no name`);
    // Where another program read the file wrongly before, it wrote this in place of letters.
    if (`${surname}${cell(cells, first)}`.includes("\uFFFD")) {
      throw new Error(`line ${line} has lost letters of a name (U+FFFD stands in their place)`);
    }
    if (date !== "" && !/^\d{4}$/.test(date) && !isCalendarDate(date)) {
      throw new Error(`line ${line} has a birth date that is neither YYYY-MM-DD nor YYYY`);
    }
    return [surname, cell(cells, first), date === "" ? null : date];
  });
  return { people, lines: given.map(({ line }) => line) };
};

const cell = (cells: readonly string[], at: number | undefined): string =>
  at === undefined ? "" : (cells[at] ?? "").trim();

type Row = { readonly line: number; readonly cells: string[] };

const patterns = {
  ",": /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y,
  ";": /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|$)/y,
} as const;

/** Rows of cells; a quoted cell may hold separators, line ends and doubled quotes. */
const parseCsv = (text: string): readonly Row[] => {
  const [first = ""] = text.split("\n", 1);
  const separator = first.split(";").length > first.split(",").length ? ";" : ",";
  const pattern = new RegExp(patterns[separator]);
  const rows: Row[] = [{ line: 1, cells: [] }];
  let line = 1;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) {
      throw new Error(`line ${line} is no CSV: a quote is not closed or stands in a cell`);
    }
    const [whole, quoted, plain, end] = found;
    rows.at(-1)!.cells.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    if (end !== separator && end !== "") rows.push({ line, cells: [] });
    if (end === "") break;
  }
  return rows.filter(({ cells }) => cells.length > 0);
};
