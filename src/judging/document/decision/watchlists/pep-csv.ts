import { isCalendarDate } from "#contract/calendar-date";
import type { CsvRow, ReadCsv } from "#contract/tabular/csv";
import type { PepFile } from "./pep-list.ts";

/** Columns by their heading; `name` is an unsplit name. */
const headings = ["lastname", "firstname", "name", "birthdate"] as const;

const peopleMax = 500_000;

/** People of a list, and the line of the file where each begins, from 1. */
export type PepRows = Required<Pick<PepFile, "people" | "lines">>;

/**
 * Reads a list of people from CSV (RFC 4180) with a heading line: `lastName,firstName,birthDate` or
 * `name,birthDate`. Semicolons in the heading make them the separator of all lines: spreadsheets write them
 * where the comma is the decimal mark. Other columns are ignored. Throws Error that names the line, and none
 * of its content.
 */
export const readPepCsv = (text: string, readCsv: ReadCsv): PepRows => {
  const [heading, ...rows] = parseRows(text, readCsv);
  const columns = new Map(heading?.cells.map((word, n) => [word.trim().toLowerCase(), n]));
  const [last, first, name, birth] = headings.map((word) => columns.get(word));
  if ((last === undefined || first === undefined) && name === undefined) {
    throw new Error(
      "line 1 must name the columns, separated by commas or semicolons: lastName,firstName,birthDate or name,birthDate",
    );
  }
  const given = rows.filter(({ cells }) => cells.some((one) => one.trim() !== ""));
  if (given.length === 0) throw new Error("no person under the header line");
  if (given.length > peopleMax) throw new Error(`there are more than ${peopleMax} people`);
  const people = given.map(({ line, cells }): PepFile["people"][number] => {
    const surname = cell(cells, last) || cell(cells, name);
    const date = cell(cells, birth);
    if (surname === "") throw new Error(`line ${line} has no name`);
    // Another program that decoded the file wrongly wrote U+FFFD in place of letters.
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

/** All rows. A heading with more semicolons than commas makes the semicolon the separator. */
const parseRows = (text: string, readCsv: ReadCsv): readonly CsvRow[] => {
  const [first = ""] = text.split("\n", 1);
  const separator = first.split(";").length > first.split(",").length ? ";" : ",";
  const csv = readCsv(text, { separator, isStrict: true });
  if ("rows" in csv) return csv.rows;
  throw new Error(`line ${csv.faultLine} is not CSV: a quote is not closed or stands in a cell`);
};
