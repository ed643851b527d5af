import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Comparison } from "#face/comparison";
import type { ChosenPairs, FacesReport } from "#face/measure";
import type { GroupsReport } from "#face/measure-groups";
import type { FaceEngine } from "#face/measurement";
import type { Template } from "#face/template";
import { parseOptions, UsageError } from "./command.ts";
import { mapConcurrently, readList } from "./list-file.ts";

export type MeasureFacesDeps = {
  readonly measure: FaceEngine["measure"];
  /** Pictures measured at once: the pool's threads. */
  readonly concurrency: number;
  readonly unpackTemplate: (bytes: Uint8Array) => Template | undefined;
  readonly compare: (a: Template, b: Template) => Comparison | undefined;
  readonly choosePairs: (persons: readonly string[]) => ChosenPairs;
  readonly summarise: (input: {
    readonly genuine: Float64Array;
    readonly impostor: Float64Array;
    readonly pictures: number;
    readonly failuresToEnrol: number;
    readonly threshold: number;
  }) => FacesReport;
  readonly summariseGroups: (input: {
    readonly genuine: Float64Array;
    readonly impostor: Float64Array;
    readonly within: ReadonlyMap<string, Float64Array>;
    readonly threshold: number;
  }) => GroupsReport;
  readonly isSamePictureTwice: (comparison: Comparison) => boolean;
  /** Fused score from which the product answers Positive. */
  readonly threshold: number;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

type Templates = ReadonlyMap<string, Template>;
type Report = FacesReport & Partial<GroupsReport>;

/** `idem measure faces`. Answers the exit code 0. Throws UsageError for wrong words, CommandError for a bad list. */
export const measureFaces = async (argv: readonly string[], deps: MeasureFacesDeps): Promise<number> => {
  const { values } = parseOptions(argv, {
    pairs: { type: "string" },
    identities: { type: "string" },
    groups: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  const list = values.pairs ?? values.identities;
  if (list === undefined || (values.pairs !== undefined && values.identities !== undefined)) {
    throw new UsageError("Say which list to measure on: --pairs CSV or --identities CSV");
  }
  if (values.groups !== undefined && values.identities === undefined) {
    throw new UsageError("--groups goes with --identities, whose score at FMR 1e-3 it uses");
  }
  const root = values.root ?? dirname(list);
  const report =
    values.pairs === undefined
      ? await overIdentities(list, root, values.groups, values.root, deps)
      : await overPairs(list, root, deps);
  for (const line of describe(report)) deps.out(line);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  return 0;
};

const enrol = async (paths: readonly string[], root: string, deps: MeasureFacesDeps): Promise<Templates> => {
  const templates = new Map<string, Template>();
  let done = 0;
  await mapConcurrently(paths, deps.concurrency, async (path) => {
    const measured = await deps.measure(await readFile(resolve(root, path)), { template: true });
    const packed = measured.kind === "measured" ? measured.template : undefined;
    const template = packed && deps.unpackTemplate(packed);
    if (template === undefined) {
      deps.progress(`no face enrolled from ${path}`);
    } else {
      templates.set(path, template);
    }
    done++;
    if (done % 100 === 0 || done === paths.length) deps.progress(`${done} of ${paths.length} pictures`);
  });
  return templates;
};

const overPairs = async (list: string, root: string, deps: MeasureFacesDeps): Promise<FacesReport> => {
  const rows = await readList(list, ["image_a", "image_b", "same"]);
  const paths = [...new Set(rows.flatMap((row) => [row["image_a"]!, row["image_b"]!]))];
  const templates = await enrol(paths, root, deps);
  const scoresOf = (same: boolean): Float64Array => {
    const scores: number[] = [];
    for (const row of rows.filter((one) => (one["same"] === "1") === same)) {
      const [a, b] = [templates.get(row["image_a"]!), templates.get(row["image_b"]!)];
      // A pair with a picture that was not enrolled is left out here and counted as a failure to enrol.
      const score = a && b && deps.compare(a, b)?.score;
      if (score !== undefined) scores.push(score);
    }
    return Float64Array.from(scores);
  };
  return summarise(paths, templates, scoresOf(true), scoresOf(false), deps);
};

const overIdentities = async (
  list: string,
  root: string,
  groupList: string | undefined,
  groupRoot: string | undefined,
  deps: MeasureFacesDeps,
): Promise<Report> => {
  const rows = await readList(list, ["path", "person"]);
  const paths = rows.map((row) => row["path"]!);
  const templates = await enrol(paths, root, deps);
  const enrolled = rows.flatMap((row) => {
    const template = templates.get(row["path"]!);
    return template ? [{ template, person: row["person"]! }] : [];
  });
  const { genuine, impostor } = deps.choosePairs(enrolled.map(({ person }) => person));
  const scoresOf = (pairs: Iterable<readonly [number, number]>): Float64Array => {
    const scores: number[] = [];
    for (const [a, b] of pairs) {
      const comparison = deps.compare(enrolled[a]!.template, enrolled[b]!.template);
      if (comparison !== undefined) scores.push(comparison.score);
      if (scores.length % 1_000_000 === 0) deps.progress(`${scores.length} pairs compared`);
    }
    return Float64Array.from(scores);
  };
  const scores = { genuine: scoresOf(genuine), impostor: scoresOf(impostor) };
  const report = summarise(paths, templates, scores.genuine, scores.impostor, deps);
  if (groupList === undefined) return report;
  const within = await withinGroups(groupList, groupRoot ?? dirname(groupList), deps);
  return { ...report, ...deps.summariseGroups({ ...scores, within, threshold: deps.threshold }) };
};

/** Scores of the pairs within each group: every picture is taken for another person's, but for one picture twice. */
const withinGroups = async (
  list: string,
  root: string,
  deps: MeasureFacesDeps,
): Promise<ReadonlyMap<string, Float64Array>> => {
  const rows = await readList(list, ["path", "group"]);
  const templates = await enrol(
    rows.map((row) => row["path"]!),
    root,
    deps,
  );
  const scores = new Map<string, Float64Array>();
  for (const [name, members] of Map.groupBy(rows, (row) => row["group"]!)) {
    const own = members.flatMap((row) => templates.get(row["path"]!) ?? []);
    const pairs = own.flatMap((a, i) => own.slice(i + 1).flatMap((b) => deps.compare(a, b) ?? []));
    const different = pairs.filter((comparison) => !deps.isSamePictureTwice(comparison));
    scores.set(
      name,
      Float64Array.from(different, ({ score }) => score),
    );
  }
  return scores;
};

const summarise = (
  paths: readonly string[],
  templates: Templates,
  genuine: Float64Array,
  impostor: Float64Array,
  deps: MeasureFacesDeps,
): FacesReport =>
  deps.summarise({
    genuine,
    impostor,
    pictures: paths.length,
    failuresToEnrol: paths.length - templates.size,
    threshold: deps.threshold,
  });

const percent = (value: number): string => (Number.isNaN(value) ? "-" : `${(100 * value).toFixed(2)} %`);

const describe = (report: Report): readonly string[] => {
  const { threshold } = report;
  const points = Object.entries(report.fnmrAtFmr).map(
    ([fmr, { rate, low, high, threshold: at }]) =>
      `FNMR at FMR ${fmr}   ${percent(rate)} (95 %: ${percent(low)} to ${percent(high)}), score over ${at.toFixed(3)}`,
  );
  const { fmrBounds, fnmrBounds } = threshold;
  return [
    `pictures            ${report.pictures}, failures to enrol ${report.failuresToEnrol}`,
    `pairs               ${report.genuinePairs} genuine, ${report.impostorPairs} impostor`,
    `AUC                 ${report.auc.toFixed(5)}`,
    ...points,
    `product threshold   score from ${threshold.value}`,
    `  FMR               ${(100 * threshold.fmr).toFixed(4)} % (95 %: ${(100 * fmrBounds.low).toFixed(4)} to ${(100 * fmrBounds.high).toFixed(4)} %)`,
    `  FNMR              ${percent(threshold.fnmr)} (95 %: ${percent(fnmrBounds.low)} to ${percent(fnmrBounds.high)})`,
    ...describeGroups(report),
  ];
};

const describeGroups = ({ groups, tarAtWorstGroupFmr }: Report): readonly string[] =>
  groups === undefined || tarAtWorstGroupFmr === undefined
    ? []
    : [
        "within groups       FMR at the score of FMR 1e-3 above, and from the product threshold",
        ...Object.entries(groups).map(
          ([name, { n, fmr, fmrBounds, fmrAtThreshold }]) =>
            `  ${name.padEnd(18)}${percent(fmr)} (95 %: ${percent(fmrBounds.low)} to ${percent(fmrBounds.high)}), ${percent(fmrAtThreshold)}, ${n} pairs`,
        ),
        `TAR, worst group    ${percent(tarAtWorstGroupFmr["1e-2"])} at its FMR 1e-2, ${percent(tarAtWorstGroupFmr["1e-3"])} at 1e-3`,
      ];
