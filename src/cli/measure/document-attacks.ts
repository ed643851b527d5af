import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { AttackCase, AttacksReport } from "#evaluation/documents/report-attacks";
import type { FusedAttack } from "#judging/document/decision/attacks/fusion";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { checkImages, type ListRow, mapImages, readList } from "../kit/list-file.ts";
import { describeAttacks } from "../kit/measuring/describe-attacks.ts";
import type { WorkProgress } from "../kit/progress.ts";

export type MeasureDocumentAttacksDeps = {
  /** Reads one side and judges it with the current policy. Fails where the image cannot be opened. */
  readonly judge: (bytes: Uint8Array) => Promise<FusedAttack>;
  /** Images judged at once: the number of threads. */
  readonly concurrency: number;
  readonly summarise: (cases: readonly AttackCase[]) => AttacksReport;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

/**
 * Runs `idem measure document-attacks` and returns exit code 0. Throws UsageError for wrong usage,
 * CommandError for a bad list.
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
  if (labels === undefined) throw new UsageError("Name the list: --labels CSV");
  await checkFiguresFile("--json", values.json);
  const root = values.root ?? dirname(labels);
  const rows = (await readList(labels, ["path", "label"])).map((row) => labelled(row, labels));
  await checkImages(rows, root);
  const cases = await mapImages(rows, deps, (row) => judgeRow(row, root, deps));
  const report = deps.summarise(cases);
  for (const line of describeAttacks(report)) deps.out(line);
  await writeFigures(values.json, report);
  return 0;
};

type Labelled = Pick<AttackCase, "label" | "kind" | "clip"> & {
  readonly path: string;
  readonly where: string;
};

/** A clip's name is unique within its folder; an image without a clip is its own clip. */
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
    progress.note(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return undefined;
  });
  return { label, kind, clip, ...(fused && { fused }) };
};
