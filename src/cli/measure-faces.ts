import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Comparison } from "#face/comparison";
import type { ChosenPairs, FacesReport } from "#face/measure";
import type { GroupsReport } from "#face/measure-groups";
import type { FaceEngine } from "#face/measurement";
import type { Template } from "#face/template";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { describeFaces } from "./describe-faces.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { checkPictures, type ListRow, mapConcurrently, readList } from "./list-file.ts";

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
  /** The similarity of a score, as the product answers it. */
  readonly similarityOf: (score: number) => number;
  /** Fused score from which the product answers Positive. */
  readonly threshold: number;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

type Templates = ReadonlyMap<string, Template>;
type Report = FacesReport & Partial<GroupsReport>;

type Face = { readonly path: string; readonly name: string };
type Faces = { readonly faces: readonly Face[]; readonly root: string };

/** A list of pictures, each with a name in `column`; every picture is there. */
const readFaces = async (list: string, root: string, column: string): Promise<Faces> => {
  const rows = await readList(list, ["path", column]);
  await checkPictures(picturesOf(rows, ["path"], list), root);
  return { root, faces: rows.map(({ cells }) => ({ path: cells["path"] ?? "", name: cells[column] ?? "" })) };
};

const readGroups = async (values: {
  readonly groups?: string | undefined;
  readonly root?: string | undefined;
}): Promise<Faces | undefined> =>
  values.groups === undefined
    ? undefined
    : await readFaces(values.groups, values.root ?? dirname(values.groups), "group");

type Pair = { readonly a: string; readonly b: string; readonly isGenuine: boolean };

const readPairs = async (list: string, root: string): Promise<readonly Pair[]> => {
  const rows = await readList(list, ["image_a", "image_b", "same"]);
  const pairs = rows.map((row) => ({
    a: row.cells["image_a"] ?? "",
    b: row.cells["image_b"] ?? "",
    isGenuine: isSame(row, list),
  }));
  await checkPictures(picturesOf(rows, ["image_a", "image_b"], list), root);
  return pairs;
};

/** Pictures of a row by their columns, with the place that names them. */
const picturesOf = (rows: readonly ListRow[], columns: readonly string[], list: string) =>
  rows.flatMap(({ line, cells }) =>
    columns.map((column) => ({ path: cells[column] ?? "", where: `Line ${line} of ${list}` })),
  );

/** What `same` may say. Anything else is refused: a genuine pair that counts as an impostor's spoils every figure. */
const sameWords: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

const isSame = ({ line, cells }: ListRow, list: string): boolean => {
  const word = cells["same"] ?? "";
  const same = Object.hasOwn(sameWords, word.toLowerCase()) ? sameWords[word.toLowerCase()] : undefined;
  if (same === undefined) {
    throw new CommandError(
      `Line ${line} of ${list} has ${JSON.stringify(word)} as same. Write 1 or true for one person, 0 or false for two.`,
    );
  }
  return same;
};

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
  await checkFiguresFile(values.json);
  const root = values.root ?? dirname(list);
  const report =
    values.pairs === undefined
      ? await overIdentities(await readFaces(list, root, "person"), await readGroups(values), deps)
      : await overPairs(await readPairs(list, root), root, deps);
  for (const line of describeFaces(report, deps.similarityOf)) deps.out(line);
  await writeFigures(values.json, report);
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

const overPairs = async (
  pairs: readonly Pair[],
  root: string,
  deps: MeasureFacesDeps,
): Promise<FacesReport> => {
  const paths = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const templates = await enrol(paths, root, deps);
  const scoresOf = (isGenuine: boolean): Float64Array => {
    const scores: number[] = [];
    for (const pair of pairs.filter((one) => one.isGenuine === isGenuine)) {
      const [a, b] = [templates.get(pair.a), templates.get(pair.b)];
      // A pair with a picture that was not enrolled is left out here and counted as a failure to enrol.
      const score = a && b && deps.compare(a, b)?.score;
      if (score !== undefined) scores.push(score);
    }
    return Float64Array.from(scores);
  };
  return summarise(paths, templates, scoresOf(true), scoresOf(false), deps);
};

const overIdentities = async (
  { faces, root }: Faces,
  groups: Faces | undefined,
  deps: MeasureFacesDeps,
): Promise<Report> => {
  const paths = faces.map(({ path }) => path);
  const templates = await enrol(paths, root, deps);
  const enrolled = faces.flatMap(({ path, name }) => {
    const template = templates.get(path);
    return template ? [{ template, person: name }] : [];
  });
  const { genuine, impostor } = deps.choosePairs(enrolled.map(({ person }) => person));
  const own = enrolled.map(({ template }) => template);
  const scores = { genuine: compareAll(own, genuine, deps), impostor: compareAll(own, impostor, deps) };
  const report = summarise(paths, templates, scores.genuine, scores.impostor, deps);
  if (groups === undefined) return report;
  const within = await withinGroups(groups, deps);
  return { ...report, ...deps.summariseGroups({ ...scores, within, threshold: deps.threshold }) };
};

/** Scores of pairs of templates, by their places; a pair for which `isLeftOut` holds has none. */
const compareAll = (
  templates: readonly Template[],
  pairs: Iterable<readonly [number, number]>,
  deps: MeasureFacesDeps,
  isLeftOut: (comparison: Comparison) => boolean = () => false,
): Float64Array => {
  const scores: number[] = [];
  let seen = 0;
  for (const [a, b] of pairs) {
    const comparison = deps.compare(templates[a]!, templates[b]!);
    if (comparison !== undefined && !isLeftOut(comparison)) scores.push(comparison.score);
    if (++seen % 1_000_000 === 0) deps.progress(`${seen} pairs compared`);
  }
  return Float64Array.from(scores);
};

/** Scores of the pairs within each group: every picture is taken for another person's, but for one picture twice. */
const withinGroups = async (
  { faces, root }: Faces,
  deps: MeasureFacesDeps,
): Promise<ReadonlyMap<string, Float64Array>> => {
  const templates = await enrol(
    faces.map(({ path }) => path),
    root,
    deps,
  );
  const scores = new Map<string, Float64Array>();
  for (const [name, members] of Map.groupBy(faces, (face) => face.name)) {
    const own = members.flatMap(({ path }) => templates.get(path) ?? []);
    const { impostor } = deps.choosePairs(own.map((_, i) => `${i}`));
    scores.set(name, compareAll(own, impostor, deps, deps.isSamePictureTwice));
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
