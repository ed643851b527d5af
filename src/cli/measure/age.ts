import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { AgeCase, AgeReport } from "#evaluation/faces/measure-age";
import { verdictRate } from "#evaluation/report/percent";
import type { FaceEngine } from "#judging/face/measurement";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { checkImages, type ListRow, mapImages, namesText, readList } from "../kit/list-file.ts";
import type { WorkProgress } from "../kit/progress.ts";

export type MeasureAgeDeps = {
  readonly measure: FaceEngine["measure"];
  /** Images measured at once: the number of threads. */
  readonly concurrency: number;
  readonly summarise: (cases: readonly AgeCase[]) => AgeReport;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

type Aged = { readonly path: string; readonly where: string; readonly age: number };

/**
 * Runs `idem measure age` and returns exit code 0. Throws UsageError for wrong usage, CommandError for a bad
 * list.
 */
export const measureAge = async (argv: readonly string[], deps: MeasureAgeDeps): Promise<number> => {
  const { values } = parseOptions(argv, {
    ages: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  const { ages } = values;
  if (ages === undefined) throw new UsageError("Name the list: --ages CSV");
  await checkFiguresFile("--json", values.json);
  const root = values.root ?? dirname(ages);
  const rows = (await readList(ages, ["path", "age"])).map((row) => agedRow(row, ages));
  await checkImages(rows, root);
  const estimates = await mapImages(rows, deps, ({ path }) => estimate(path, root, deps));
  const lost = rows.filter((_, i) => estimates[i] === undefined).map(({ path }) => path);
  if (lost.length > 0) deps.progress.note(`Left out, no face: ${namesText(lost)}`);
  const report = deps.summarise(
    rows.flatMap(({ path, age }, i) => {
      const seen = estimates[i];
      return seen === undefined ? [] : [{ path, age, estimate: seen }];
    }),
  );
  for (const line of describeAges(report)) deps.out(line);
  await writeFigures(values.json, report);
  return 0;
};

const agedRow = ({ line, cells }: ListRow, list: string): Aged => {
  const { path = "", age = "" } = cells;
  const where = `Line ${line} of ${list}`;
  if (!/^\d{1,3}$/.test(age) || Number(age) > 120) {
    throw new CommandError(`${where} has the age ${JSON.stringify(age)}. Write whole years from 0 to 120.`);
  }
  return { path, where, age: Number(age) };
};

const estimate = async (path: string, root: string, deps: MeasureAgeDeps): Promise<number | undefined> => {
  const measured = await deps.measure(await readFile(resolve(root, path)), { attributes: true });
  return measured.kind === "measured" ? measured.attributes?.ageYears : undefined;
};

const years = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(1));

/** The report as lines. */
export const describeAges = ({ n, error, width, margins, coverage }: AgeReport): readonly string[] => [
  `faces              ${n}`,
  `mean error         ${years(error)} years`,
  `ageInterval        half of them are at most ${years(width)} years wide`,
  "True age within ageInterval:",
  ...coverage.map(
    ({ name, covered, without }) =>
      `  ${name.padEnd(40)} ${verdictRate(covered)}${without > 0 ? `; ${without} without an interval` : ""}`,
  ),
  "True age minus estimate in the first half, 5 % and 95 % quantiles:",
  ...margins.map(
    (band) =>
      `  estimate ${band.from} to under ${band.to}`.padEnd(42) +
      ` ${years(band.low)} to ${years(band.high)} (n ${band.n})`,
  ),
];
