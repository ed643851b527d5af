import { isCalendarDate } from "../dates.ts";
import type { PepFile } from "./pep-list.ts";

/** Columns by their heading; `name` stands for a name that is not parted. */
const headings = ["lastname", "firstname", "name", "birthdate"] as const;

const peopleMax = 500_000;

/**
 * Reads a list of people from CSV (RFC 4180) with a heading line: `lastName,firstName,birthDate` or `name,birthDate`.
 * Other columns are left out. Throws Error that names the line, and nothing of what stands in it.
 */
export const readPepCsv = (text: string): PepFile["people"] => {
  const [heading, ...rows] = parseCsv(text.replace(/^\uFEFF/, ""));
  const columns = new Map((heading ?? []).map((word, n) => [word.trim().toLowerCase(), n]));
  const [last, first, name, birth] = headings.map((word) => columns.get(word));
  if ((last === undefined || first === undefined) && name === undefined) {
    throw new Error("line 1 must name the columns: lastName,firstName,birthDate or name,birthDate");
  }
  if (rows.length > peopleMax) throw new Error(`there are more than ${peopleMax} people`);
  return rows.flatMap((row, n): PepFile["people"] => {
    if (row.every((one) => one.trim() === "")) return [];
    const surname = cell(row, last) || cell(row, name);
    const date = cell(row, birth);
    if (surname === "") throw new Error(`line ${n + 2} has no name`);
    if (date !== "" && !/^\d{4}$/.test(date) && !isCalendarDate(date)) {
      throw new Error(`line ${n + 2} has a birth date that is neither YYYY-MM-DD nor YYYY`);
    }
    return [[surname, cell(row, first), date === "" ? null : date]];
  });
};

const cell = (row: readonly string[], at: number | undefined): string =>
  at === undefined ? "" : (row[at] ?? "").trim();

/** Rows of cells; a quoted cell may hold commas, line ends and doubled quotes. */
const parseCsv = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null)
      throw new Error(`line ${rows.length} is no CSV: a quote is not closed or stands in a cell`);
    rows.at(-1)!.push(found[1] === undefined ? (found[2] ?? "") : found[1].replaceAll('""', '"'));
    if (found[3] !== "," && found[3] !== "") rows.push([]);
    if (found[3] === "") break;
  }
  return rows.filter((row) => row.length > 0);
};
