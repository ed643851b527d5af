import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FusedAttack } from "#document/attacks/fusion";
import type { AttackCase, AttacksReport, KindFigures } from "#document/attacks/report-attacks";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { checkPictures, type ListRow, mapPictures, readList } from "./list-file.ts";
import { areaText, verdictRate } from "./percent.ts";

export type MeasureDocumentAttacksDeps = {
  /** Reads one side and judges it with the policy in force. Fails where the picture cannot be opened. */
  readonly judge: (bytes: Uint8Array) => Promise<FusedAttack>;
  /** Pictures judged at once: the pool's threads. */
  readonly concurrency: number;
  readonly summarise: (cases: readonly AttackCase[]) => AttacksReport;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

/**
 * `idem measure document-attacks`. Answers the exit code 0. Throws UsageError for wrong words, CommandError for a bad
 * list.
 */
export const measureDocumentAttacks = async (
  argv: readonly string[],
  deps: MeasureDocumentAttacksDeps,
): Promise<number> => {
  const { values } = parseOptions(argv, {
    labels: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  const { labels } = values;
  if (labels === undefined) throw new UsageError("Say which list to measure on: --labels CSV");
  await checkFiguresFile("--json", values.json);
  const root = values.root ?? dirname(labels);
  const rows = (await readList(labels, ["path", "label"])).map((row) => labelled(row, labels));
  await checkPictures(rows, root);
  const cases = await mapPictures(rows, { ...deps, every: 20 }, (row) => judgeRow(row, root, deps));
  const report = deps.summarise(cases);
  for (const line of describeAttacks(report)) deps.out(line);
  await writeFigures(values.json, report);
  return 0;
};

type Labelled = Pick<AttackCase, "label" | "kind" | "clip"> & {
  readonly path: string;
  readonly where: string;
};

/** A clip's name counts within its picture's folder; a picture without one stands for itself. */
const labelled = ({ line, cells }: ListRow, list: string): Labelled => {
  const { path = "", label, attack = "", clip = "" } = cells;
  const where = `Line ${line} of ${list}`;
  if (label !== "attack" && label !== "genuine") {
    throw new CommandError(`${where} has the label ${JSON.stringify(label)}. Write attack or genuine.`);
  }
  return { path, where, label, kind: attack, clip: clip === "" ? path : join(dirname(path), clip) };
};

const judgeRow = async (
  { path, label, kind, clip }: Labelled,
  root: string,
  { judge, progress }: MeasureDocumentAttacksDeps,
): Promise<AttackCase> => {
  const fused = await judge(await readFile(resolve(root, path))).catch((error: unknown) => {
    progress(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return undefined;
  });
  return { label, kind, clip, ...(fused && { fused }) };
};

/** The figures as lines: every kind of attack apart (ISO/IEC 30107-3), and which signals spoke. */
export const describeAttacks = (report: AttacksReport): readonly string[] => [
  `genuine pictures   ${report.genuine}, and ${report.unread} of all that could not be opened`,
  `BPCER              ${verdictRate(report.bpcerBounds)}`,
  `  signals          ${signalsLine(report.genuineSignals)}`,
  "Attacks, each kind apart; APCER by clip:",
  ...Object.entries(report.kinds).flatMap(([kind, figures]) => describeKind(kind, figures)),
];

const describeKind = (kind: string, { clips, pictures, bounds, auc, signals }: KindFigures) => [
  `  ${kind}, ${pictures} pictures of ${clips} clips`,
  `    APCER          ${verdictRate(bounds)}`,
  `    AUC            ${areaText(auc)} of the log odds, by picture`,
  `    signals        ${signalsLine(signals)}`,
];

const signalsLine = (signals: AttacksReport["genuineSignals"]): string =>
  Object.entries(signals)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none";
