/** The rows of a list of questions, and of the file of their answers. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { LocalChecks } from "#app/local-checks";
import { readCsv } from "#contract/tabular/csv";
import { CommandError, UsageError } from "../../command.ts";
import { type ListRow, readList } from "../../kit/list-file.ts";
import type { Check } from "../check.ts";

/** A question of a list. */
export type Row = ListRow & { readonly truth?: "positive" | "negative" };

/**
 * Reads the list and checks every value before the first image is opened. Throws CommandError with the line.
 */
export const readRows = async (check: Check, list: string): Promise<readonly Row[]> => {
  const rows = await readList(list, check.images);
  if (rows.length === 0) throw new CommandError(`The list ${list} has no row.`);
  return rows.map((row) => {
    checkValues(check, row, list);
    const truth = truthOf(check, row, list);
    return { ...row, ...(truth && { truth }) };
  });
};

const checkValues = ({ values }: Check, { line, cells }: ListRow, list: string): void => {
  for (const [name, checkValue] of Object.entries(values)) {
    const value = cells[name] ?? "";
    try {
      if (value !== "") checkValue(value);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new CommandError(`Line ${line} of ${list}: ${error.message}`, { cause: error });
    }
  }
};

const truthOf = ({ truth }: Check, { line, cells }: ListRow, list: string): Row["truth"] => {
  const word = truth === undefined ? "" : (cells[truth.column] ?? "").toLowerCase();
  if (truth === undefined || word === "") return undefined;
  const meaning = Object.hasOwn(truth.words, word) ? truth.words[word] : undefined;
  if (meaning === undefined) {
    throw new CommandError(
      `Line ${line} of ${list} has ${JSON.stringify(cells[truth.column])} as ${truth.column}. Write ${Object.keys(truth.words).join(" or ")}.`,
    );
  }
  return meaning;
};

/** Identifies release, policies and models in 8 digits: answers of other settings are not mixed. */
export const hashOfSettings = (settings: LocalChecks["settings"]): string =>
  createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 8);

/** An answer of a row, as the file holds it. */
export type AnsweredRow = {
  readonly line: number;
  readonly verdict: string;
  readonly result: string;
  readonly cells: Readonly<Record<string, string>>;
  /** Why the row could not be asked. */
  readonly problem: string;
};

/** The columns that every answer has, before those of its check. */
const ownColumns = ["line", "settings", "verdict", "result", "problem"] as const;

/** Columns of the list that a file of answers repeats. */
const inputNames = (check: Check): readonly string[] => [
  ...check.images,
  ...check.optionalImages,
  ...Object.keys(check.values),
  ...(check.truth === undefined ? [] : [check.truth.column]),
];

/** Columns of the file of answers. */
export const columnsOf = (check: Check): readonly string[] => [
  ...ownColumns,
  ...inputNames(check),
  ...check.columns.map((name) => `answer_${name}`),
];

/** The cells of a question and its answer, in the order of `columnsOf`. */
export const cellsOf = (
  check: Check,
  row: Row,
  answer: AnsweredRow,
  settingsHash: string,
): readonly string[] => [
  String(answer.line),
  settingsHash,
  answer.verdict,
  answer.result,
  answer.problem,
  ...inputNames(check).map((name) => row.cells[name] ?? ""),
  ...check.columns.map((name) => answer.cells[name] ?? ""),
];

/**
 * The answers that an earlier run wrote; empty where there is no file. A last line without its end was cut
 * off and is asked again. Throws CommandError for a file of other columns, other questions or other settings.
 */
export const readAnswered = async (
  check: Check,
  out: string,
  rows: readonly Row[],
  settingsHash: () => Promise<string>,
): Promise<ReadonlyMap<number, AnsweredRow>> => {
  const text = await readFile(out, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw new CommandError(`--out ${out} cannot be read (${error.code ?? error.message}).`, { cause: error });
  });
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole === "") return new Map();
  const csv = readCsv(whole, { separator: ",", isStrict: true });
  const [header, ...lines] = "rows" in csv ? csv.rows.map(({ cells }) => cells) : [];
  const refuse = (reason: string): never => {
    throw new CommandError(`--out ${out} ${reason}. Name another file, or remove this one.`);
  };
  if (header?.join() !== columnsOf(check).join()) refuse(`is no file of answers of idem ${check.name}`);
  const asked = new Map(rows.map((row) => [row.line, row]));
  const answered = new Map<number, AnsweredRow>();
  for (const cells of lines.filter(({ length }) => length > 1)) {
    const answer = answerIn(check, cells);
    const row = asked.get(answer.line);
    const expected = row && cellsOf(check, row, answer, cells[1] ?? "");
    const isSame = expected?.every((cell, at) => cell === cells[at] || `'${cell}` === cells[at]);
    if (isSame !== true) refuse(`belongs to another list: its line ${answer.line} differs`);
    if (cells[1] !== (await settingsHash()))
      refuse("was written with other models, policies or another release");
    // A row that could not be asked is asked again.
    if (answer.problem === "") answered.set(answer.line, answer);
  }
  return answered;
};

const answerIn = (check: Check, cells: readonly string[]): AnsweredRow => {
  const first = ownColumns.length + inputNames(check).length;
  return {
    line: Number(cells[0]),
    verdict: cells[2] ?? "",
    result: cells[3] ?? "",
    problem: cells[4] ?? "",
    cells: Object.fromEntries(check.columns.map((name, at) => [name, cells[first + at] ?? ""])),
  };
};
