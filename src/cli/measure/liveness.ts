import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { version } from "#contract/version";
import type { LivenessCase, LivenessReport } from "#evaluation/liveness/report-liveness";
import { writeLivenessReport } from "#evaluation/report/liveness-page";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { FaceEngine, FaceMeasurement } from "#judging/face/measurement";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { checkImages, type ListRow, mapImages, namesText, readList, unread } from "../kit/list-file.ts";
import { describeLiveness } from "../kit/measuring/describe-liveness.ts";
import type { WorkProgress } from "../kit/progress.ts";
import { type MeasureCapturesDeps, measureCaptures } from "./captures.ts";

export type MeasureLivenessDeps = MeasureCapturesDeps & {
  readonly measure: FaceEngine["measure"];
  /** Images measured at once: the number of threads. */
  readonly concurrency: number;
  /** The product's own judge with its policy. */
  readonly judge: (measurement: FaceMeasurement) => Promise<LivenessJudgement>;
  /** Policy: an image with at least this attack score is an attack. */
  readonly attackScoreMax: () => Promise<number>;
  readonly summarise: (cases: readonly LivenessCase[]) => LivenessReport;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

/**
 * Runs `idem measure liveness` and returns exit code 0. Throws UsageError for wrong usage, CommandError for a
 * bad list.
 */
export const measureLiveness = async (
  argv: readonly string[],
  deps: MeasureLivenessDeps,
): Promise<number> => {
  const { values } = parseOptions(argv, {
    labels: { type: "string" },
    captures: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
    html: { type: "string" },
  });
  const { labels, captures } = values;
  if ((labels === undefined) === (captures === undefined)) {
    throw new UsageError("Name one list: --labels CSV, or --captures CSV");
  }
  await checkFiguresFile("--json", values.json);
  if (captures !== undefined) {
    if (values.html !== undefined) throw new UsageError("--html belongs to --labels");
    return await measureCaptures({ list: captures, root: values.root, json: values.json }, deps);
  }
  if (labels === undefined) throw new UsageError("Name the list: --labels CSV");
  await checkFiguresFile("--html", values.html);
  const root = values.root ?? dirname(labels);
  const rows = (await readList(labels, ["path", "label"])).map((row) => labelled(row, labels));
  await checkImages(rows, root);
  const cases = await mapImages(rows, deps, (row) => judgeRow(row, root, deps));
  const lost = rows.filter((_, i) => cases[i]?.image === undefined).map(({ path }) => path);
  if (lost.length > 0) deps.progress.note(`Counted, but ${unread}: ${namesText(lost)}`);
  const report = deps.summarise(cases);
  for (const line of describeLiveness(report)) deps.out(line);
  await writeFigures(values.json, report);
  if (values.html !== undefined) {
    const page = {
      report,
      cases,
      version,
      words: argv,
      at: new Date(),
      attackScoreMax: await deps.attackScoreMax(),
    };
    await writeFile(values.html, writeLivenessReport(page));
  }
  return 0;
};

type Labelled = Pick<LivenessCase, "label" | "attack"> & { readonly path: string; readonly where: string };

const labelled = ({ line, cells }: ListRow, list: string): Labelled => {
  const { path = "", label, attack = "" } = cells;
  const where = `Line ${line} of ${list}`;
  if (label !== "live" && label !== "spoof") {
    throw new CommandError(`${where} has the label ${JSON.stringify(label)}. Write live or spoof.`);
  }
  return { path, where, label, attack };
};

const judgeRow = async (
  { path, label, attack }: Labelled,
  root: string,
  deps: MeasureLivenessDeps,
): Promise<LivenessCase> => {
  const measured = await deps.measure(await readFile(resolve(root, path)), { liveness: true });
  return {
    label,
    attack,
    judgement: await deps.judge(measured),
    ...(measured.kind === "measured" && { image: measured }),
  };
};
