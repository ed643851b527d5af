import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { LivenessJudgement } from "#face/liveness/judge-liveness";
import type { FaceEngine, FaceMeasurement } from "#face/measurement";
import type { AttackFigures, LivenessCase, LivenessReport } from "#face/measuring/report-liveness";
import { version } from "../version.ts";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { checkPictures, type ListRow, mapPictures, namesText, readList, unread } from "./list-file.ts";
import { areaText, verdictRate } from "./percent.ts";
import { writeLivenessReport } from "./report/liveness-page.ts";

export type MeasureLivenessDeps = {
  readonly measure: FaceEngine["measure"];
  /** Pictures measured at once: the pool's threads. */
  readonly concurrency: number;
  /** The product's own judge with its policy. */
  readonly judge: (measurement: FaceMeasurement) => Promise<LivenessJudgement>;
  /** Policy: from this attack score on a picture is an attack. */
  readonly attackScoreMax: () => Promise<number>;
  readonly summarise: (cases: readonly LivenessCase[]) => LivenessReport;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

/** `idem measure liveness`. Answers the exit code 0. Throws UsageError for wrong words, CommandError for a bad list. */
export const measureLiveness = async (
  argv: readonly string[],
  deps: MeasureLivenessDeps,
): Promise<number> => {
  const { values } = parseOptions(argv, {
    labels: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
    html: { type: "string" },
  });
  const { labels } = values;
  if (labels === undefined) {
    throw new UsageError("Say which list to measure on: --labels CSV");
  }
  await checkFiguresFile("--json", values.json);
  await checkFiguresFile("--html", values.html);
  const root = values.root ?? dirname(labels);
  const rows = (await readList(labels, ["path", "label"])).map((row) => labelled(row, labels));
  await checkPictures(rows, root);
  const cases = await mapPictures(rows, { ...deps, every: 50 }, (row) => judgeRow(row, root, deps));
  const lost = rows.filter((_, i) => cases[i]?.picture === undefined).map(({ path }) => path);
  if (lost.length > 0) deps.progress(`Counted, but ${unread}: ${namesText(lost)}`);
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
    ...(measured.kind === "measured" && { picture: measured }),
  };
};

/** The figures as lines: what ISO/IEC 30107-3 asks for, each kind of attack apart, null scalars beside every figure. */
export const describeLiveness = ({ bounds, ...report }: LivenessReport): readonly string[] => [
  `pictures      ${report.live} live, ${report.spoof} spoof`,
  `BPCER         ${verdictRate(bounds.bpcer)}`,
  `None, live    ${verdictRate(bounds.noneLive)}`,
  `AUC           ${areaText(report.auc)} of the attack score, where there is one; ${scalarLine(report.nullScalars)}`,
  "Attacks, each kind apart:",
  ...Object.entries(report.attacks).flatMap(([name, figures]) => describeAttack(name, figures)),
  ...(report.worst ? [`worst APCER   ${verdictRate(report.worst.apcer)}: ${report.worst.attack}`] : []),
  "Single numbers of the picture stand beside each AUC as classifiers of their own: a set on which they do well shows the",
  "set, not the method.",
  "Results:",
  ...Object.entries(report.results).map(
    ([name, { live, spoof }]) => `  ${name.padEnd(34)} live ${live}, spoof ${spoof}`,
  ),
  `Assurance: ${Object.entries(report.assurance)
    .map(([level, count]) => `${level} ${count}`)
    .join(", ")}. None of the levels is an ISO/IEC 30107-3 level.`,
];

const describeAttack = (name: string, { pictures, apcer, none, auc, nullScalars }: AttackFigures) => [
  `  ${name}, ${pictures} pictures`,
  `    APCER       ${verdictRate(apcer)}`,
  `    None        ${verdictRate(none)}`,
  `    AUC         ${areaText(auc)}; ${scalarLine(nullScalars)}`,
];

const scalarLine = (scalars: Readonly<Record<string, number>>): string =>
  Object.entries(scalars)
    .map(([name, auc]) => `${name} ${auc.toFixed(3)}`)
    .join(", ");
