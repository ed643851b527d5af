/** Answers a list of questions: with progress, and on from where an earlier run was cut off. */
import { open as openFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { LocalChecks } from "#app/local-checks";
import { writeCsvLine } from "#contract/tabular/write-csv";
import { CommandError, print, say } from "../../command.ts";
import { endedCode } from "../../kit/end-signals.ts";
import { mapConcurrently } from "../../kit/list-file.ts";
import { makeProgress } from "../../kit/progress.ts";
import { writeOutFile } from "../../kit/write-out-file.ts";
import type { Check } from "../check.ts";
import { describeUnusable } from "../unusable-image.ts";
import { describeList, writeListPage } from "./list-page.ts";
import {
  type AnsweredRow,
  cellsOf,
  columnsOf,
  hashOfSettings,
  type Row,
  readAnswered,
  readRows,
} from "./rows.ts";

export type ListRun = {
  readonly check: Check;
  readonly list: string;
  readonly out: string;
  readonly root: string | undefined;
  readonly html: string | undefined;
  /** Opens the engines with the first row that is asked. */
  readonly open: () => Promise<LocalChecks>;
  /** Ends the run after the rows that are asked: Ctrl-C. */
  readonly ending: AbortSignal;
  /** Rows that are asked at once. */
  readonly width: number;
  /** Throws CommandError. */
  readonly readImage: (path: string) => Promise<Uint8Array>;
};

/** Answers all rows and returns the exit code. Throws CommandError for a wrong list or file of answers. */
export const answerList = async (run: ListRun): Promise<number> => {
  const { check, list, out, html } = run;
  const rows = await readRows(check, list);
  const settingsHash = async (): Promise<string> => hashOfSettings((await run.open()).settings);
  const answered = new Map(await readAnswered(check, out, rows, settingsHash));
  if (answered.size > 0)
    say(`${answered.size} of ${rows.length} rows are answered in ${out}. The rest follows.`);
  const open = rows.filter(({ line }) => !answered.has(line));
  await writeOutFile(
    out,
    textOf(check, rows, answered, open.length === rows.length ? "" : await settingsHash()),
  );
  const file = await openFile(out, "a");
  let done = 0;
  const progress = makeProgress(`Rows of ${list}`);
  try {
    await mapConcurrently(open, run.width, async (row) => {
      if (run.ending.aborted) return;
      const answer = await askRow(run, row);
      await file.appendFile(writeCsvLine(cellsOf(check, row, answer, await settingsHash())));
      answered.set(row.line, answer);
      progress.show(++done, open.length);
    });
    await file.sync();
  } finally {
    progress.end();
    await file.close();
  }
  if (run.ending.aborted && done < open.length) {
    say(
      `Ended: ${answered.size} of ${rows.length} rows are done, in ${out}. The same command goes on with the others.`,
    );
    return endedCode(run.ending);
  }
  // In the order of the list, in place of the order in which the rows were answered.
  await writeOutFile(out, textOf(check, rows, answered, await settingsHash()));
  for (const line of describeList(check, rows, answered)) print(line);
  if (html !== undefined) {
    const { settings } = await run.open();
    const root = rootOf(run);
    const readImage = (path: string) => run.readImage(resolve(root, path)).catch(() => undefined);
    await writeOutFile(html, [
      Buffer.from(await writeListPage({ check, rows, answered, settings, readImage })),
    ]);
    say(`${html} holds images: keep it as you keep them.`);
  }
  return exitCodeOf(rows, answered);
};

const rootOf = ({ root, list }: ListRun): string => root ?? dirname(list);

const textOf = (
  check: Check,
  rows: readonly Row[],
  answered: ReadonlyMap<number, AnsweredRow>,
  settingsHash: string,
): readonly Uint8Array[] => {
  const lines = rows.flatMap((row) => {
    const answer = answered.get(row.line);
    return answer === undefined ? [] : [writeCsvLine(cellsOf(check, row, answer, settingsHash))];
  });
  return [Buffer.from([writeCsvLine(columnsOf(check)), ...lines].join(""))];
};

/** A row whose images cannot be used is an answer with its problem; a broken engine ends the run. */
const askRow = async (run: ListRun, row: Row): Promise<AnsweredRow> => {
  const { check } = run;
  const root = rootOf(run);
  try {
    const names = [...check.images, ...check.optionalImages].filter((name) => (row.cells[name] ?? "") !== "");
    const images: Record<string, Uint8Array> = {};
    for (const name of names) images[name] = await run.readImage(resolve(root, row.cells[name] ?? ""));
    const values = Object.fromEntries(
      Object.keys(check.values).flatMap((name) => {
        const value = row.cells[name] ?? "";
        return value === "" ? [] : [[name, value]];
      }),
    );
    const { verdict, result, cells, unusable } = await check.ask(await run.open(), { images, values });
    if (unusable !== undefined) throw unusable;
    return { line: row.line, verdict, result, cells, problem: "" };
  } catch (error) {
    const problem = problemOf(run, row, error);
    if (problem === undefined) throw error;
    return { line: row.line, verdict: "", result: "", cells: {}, problem };
  }
};

const problemOf = (run: ListRun, { cells }: Row, error: unknown): string | undefined =>
  error instanceof CommandError
    ? error.message
    : describeUnusable(error, run.check, (image) => resolve(rootOf(run), cells[image] ?? ""));

const exitCodeOf = (rows: readonly Row[], answered: ReadonlyMap<number, AnsweredRow>): number => {
  const answers = rows.map((row) => [row, answered.get(row.line)] as const);
  if (answers.some(([, answer]) => answer === undefined || answer.problem !== "")) return 3;
  return answers.some(([row, answer]) => isWrong(row, answer)) ? 1 : 0;
};

/** Whether an answer is the opposite of the truth. */
export const isWrong = ({ truth }: Row, answer: AnsweredRow | undefined): boolean =>
  truth !== undefined &&
  (answer?.verdict === "positive" || answer?.verdict === "negative") &&
  answer.verdict !== truth;
