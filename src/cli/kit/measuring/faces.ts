import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Impostors } from "#evaluation/faces/calibrate-cosine";
import type { ChosenPairs, chooseCrossPairs } from "#evaluation/faces/choose-pairs";
import { describeFaces } from "#evaluation/faces/describe-faces";
import { type DrawReference, makeDrawReference } from "#evaluation/faces/drawn-reference";
import type { FacesReport } from "#evaluation/faces/measure";
import type { GroupsReport } from "#evaluation/faces/measure-groups";
import { writeFacesPage } from "#evaluation/report/faces-page";
import type { Comparison } from "#judging/face/matching/comparison";
import type { Template } from "#judging/face/matching/template-kinds";
import type { FaceEngine } from "#judging/face/measurement";
import { isReferenceKind, referenceKinds } from "#sandbox/specimen/reference-image";
import { parseOptions, UsageError } from "../../command.ts";
import { checkFiguresFile, writeFigures } from "../figures-file.ts";
import { mapImages } from "../list-file.ts";
import type { WorkProgress } from "../progress.ts";
import { type Face, type Faces, type Pair, readFaces, readGroups, readPairs } from "./face-lists.ts";
import { compareReferences, countOf } from "./several-references.ts";

export type MeasureFacesDeps = {
  readonly measure: FaceEngine["measure"];
  /** Images measured at once: the number of threads. */
  readonly concurrency: number;
  readonly unpackTemplate: (bytes: Uint8Array) => Template | undefined;
  readonly compare: (a: Template, b: Template) => Comparison | undefined;
  /** One comparison of a face with several references of one person. */
  readonly joinComparisons: (first: Comparison, others: readonly Comparison[]) => Comparison;
  readonly choosePairs: (persons: readonly string[]) => ChosenPairs;
  readonly chooseCrossPairs: typeof chooseCrossPairs;
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
  readonly isSameImageTwice: (comparison: Comparison) => boolean;
  /** The similarity of a score, as in the answers of the product. */
  readonly similarityOf: (score: number) => number;
  /** Fused score from which the product answers Positive. */
  readonly threshold: number;
  /** The models used for measuring, name to SHA-256; known after the first measurement. */
  readonly models: () => Readonly<Record<string, string>>;
  /** The cohort used for measuring; known after the first measurement. */
  readonly cohort: () => string;
  readonly version: string;
  /** Receives the impostor scores after all measurements. */
  readonly onImpostors?: (impostors: Impostors) => Promise<void>;
  /** The meaning of a score, where it is not the product's own. */
  readonly meaning?: string;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

type Templates = ReadonlyMap<string, Template>;
type Report = FacesReport & Partial<GroupsReport>;
type MeasuredFaces = {
  readonly report: Report;
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  /** Impostor scores within each group. */
  readonly within?: ReadonlyMap<string, Float64Array>;
};

/**
 * Runs `idem measure faces` and returns exit code 0. Throws UsageError for wrong usage, CommandError for a
 * bad list.
 */
export const measureFaces = async (argv: readonly string[], deps: MeasureFacesDeps): Promise<number> => {
  const { values } = parseOptions(argv, {
    pairs: { type: "string" },
    identities: { type: "string" },
    groups: { type: "string" },
    "groups-root": { type: "string" },
    reference: { type: "string" },
    references: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
    html: { type: "string" },
  });
  const list = values.pairs ?? values.identities;
  if (list === undefined || (values.pairs !== undefined && values.identities !== undefined)) {
    throw new UsageError("Name the list: --pairs CSV or --identities CSV");
  }
  if (values.groups !== undefined && values.identities === undefined) {
    throw new UsageError("Use --groups with --identities: it needs their score at FMR 1e-3");
  }
  if (values["groups-root"] !== undefined && values.groups === undefined) {
    throw new UsageError("--groups-root goes with --groups, whose paths are relative to it");
  }
  const count = countOf(values);
  const draw = drawerOf(values.reference, values.identities !== undefined);
  await checkFiguresFile("--json", values.json);
  await checkFiguresFile("--html", values.html);
  const root = values.root ?? dirname(list);
  const measured =
    values.pairs === undefined
      ? await overPersons(await readFaces(list, root, "person"), values, { draw, count }, deps)
      : await overPairs(await readPairs(list, root), root, deps);
  const figures = { ...measured.report, cohort: deps.cohort() };
  for (const line of describeFaces(figures, deps.similarityOf, deps.meaning)) {
    deps.out(line);
  }
  await writeFigures(values.json, figures);
  await deps.onImpostors?.({ all: measured.impostor, within: measured.within ?? new Map() });
  if (values.html !== undefined) {
    const { similarityOf, models, version } = deps;
    const page = { ...measured, similarityOf, models: models(), version, words: argv, at: new Date() };
    await writeFile(values.html, writeFacesPage(page));
  }
  return 0;
};

/** How references are made from images; undefined where the images are the references. */
const drawerOf = (kind: string | undefined, isIdentities: boolean): DrawReference | undefined => {
  if (kind === undefined || kind === "selfie") return undefined;
  if (!isReferenceKind(kind) || !isIdentities) {
    throw new UsageError(`--reference is selfie, ${referenceKinds.join(" or ")}, and goes with --identities`);
  }
  return makeDrawReference(kind);
};

/** Templates of the images by path; of the references that `draw` makes, where it is given. */
const enrol = async (
  paths: readonly string[],
  root: string,
  deps: MeasureFacesDeps,
  draw: DrawReference = async (bytes) => bytes,
): Promise<Templates> => {
  const templates = new Map<string, Template>();
  await mapImages(paths, deps, async (path, i) => {
    const bytes = await draw(await readFile(resolve(root, path)), i + 1);
    const measured = await deps.measure(bytes, { template: true });
    const packed = measured.kind === "measured" ? measured.template : undefined;
    const template = packed && deps.unpackTemplate(packed);
    if (template === undefined) {
      deps.progress.note(`no face enrolled from ${path}`);
    } else {
      templates.set(path, template);
    }
  });
  return templates;
};

const overPairs = async (
  pairs: readonly Pair[],
  root: string,
  deps: MeasureFacesDeps,
): Promise<MeasuredFaces> => {
  const paths = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const templates = await enrol(paths, root, deps);
  const scoresOf = (isGenuine: boolean): Float64Array => {
    const scores: number[] = [];
    for (const pair of pairs.filter((one) => one.isGenuine === isGenuine)) {
      const [a, b] = [templates.get(pair.a), templates.get(pair.b)];
      // A pair with an image that was not enrolled is skipped here and counted as a failure to enrol.
      const score = a && b && deps.compare(a, b)?.score;
      if (score !== undefined) scores.push(score);
    }
    return Float64Array.from(scores);
  };
  const count = { images: paths.length, enrolled: templates.size };
  const scores = { genuine: scoresOf(true), impostor: scoresOf(false) };
  return { ...scores, report: summarise(count, scores.genuine, scores.impostor, deps) };
};

type Enrolled = Face & { readonly person: string; readonly template: Template };

const enrolFaces = async (
  { faces, root }: Faces,
  deps: MeasureFacesDeps,
  draw?: DrawReference,
): Promise<readonly Enrolled[]> => {
  const paths = faces.map(({ path }) => path);
  const templates = await enrol(paths, root, deps, draw);
  return faces.flatMap((face) => {
    const template = templates.get(face.path);
    return template ? [{ ...face, person: face.name, template }] : [];
  });
};

/** The first image of each person with at least two images. */
const firstOfEach = ({ faces, root }: Faces): Faces => ({
  root,
  faces: [...Map.groupBy(faces, ({ name }) => name).values()].flatMap(([first, second]) =>
    first && second ? [first] : [],
  ),
});

type Made = { readonly draw: DrawReference | undefined; readonly count: number | undefined };

const overPersons = async (
  list: Faces,
  values: Parameters<typeof readGroups>[0],
  { draw, count }: Made,
  deps: MeasureFacesDeps,
): Promise<MeasuredFaces> =>
  count === undefined
    ? await overIdentities(list, await readGroups(values), draw, deps)
    : await overReferences(list, count, deps);

/** Compares each probe with all references of each person. */
const overReferences = async (
  { faces, root }: Faces,
  count: number,
  deps: MeasureFacesDeps,
): Promise<MeasuredFaces> => {
  let [images, enrolled] = [0, 0];
  const scores = await compareReferences(faces, count, deps, async (paths) => {
    const templates = await enrol(paths, root, deps);
    [images, enrolled] = [paths.length, templates.size];
    return templates;
  });
  return { ...scores, report: summarise({ images, enrolled }, scores.genuine, scores.impostor, deps) };
};

/** Compares all images with all, or one drawn reference per person with all images. */
const overIdentities = async (
  list: Faces,
  groups: Faces | undefined,
  draw: DrawReference | undefined,
  deps: MeasureFacesDeps,
): Promise<MeasuredFaces> => {
  const images = await enrolFaces(list, deps);
  const chosen = draw && firstOfEach(list);
  const references = chosen ? await enrolFaces(chosen, deps, draw) : images;
  const { genuine, impostor } = chosen
    ? deps.chooseCrossPairs(references, images)
    : deps.choosePairs(images.map(({ person }) => person));
  const score = (pairs: Iterable<readonly [number, number]>) => compareAll(references, images, pairs, deps);
  const scores = { genuine: score(genuine), impostor: score(impostor) };
  const count = {
    images: list.faces.length + (chosen?.faces.length ?? 0),
    enrolled: images.length + (chosen ? references.length : 0),
  };
  const report = summarise(count, scores.genuine, scores.impostor, deps);
  if (groups === undefined) return { ...scores, report };
  const within = await withinGroups(groups, draw, deps);
  const byGroup = deps.summariseGroups({ ...scores, within, threshold: deps.threshold });
  return { ...scores, within, report: { ...report, ...byGroup } };
};

/** Scores of pairs, by their positions in the two lists; a pair for which `isLeftOut` holds gets no score. */
const compareAll = (
  references: readonly Enrolled[],
  images: readonly Enrolled[],
  pairs: Iterable<readonly [number, number]>,
  deps: MeasureFacesDeps,
  isLeftOut: (comparison: Comparison) => boolean = () => false,
): Float64Array => {
  const scores: number[] = [];
  let seen = 0;
  for (const [a, b] of pairs) {
    const comparison = deps.compare(references[a]!.template, images[b]!.template);
    if (comparison !== undefined && !isLeftOut(comparison)) scores.push(comparison.score);
    if (++seen % 1_000_000 === 0) deps.progress.note(`${seen} pairs compared`);
  }
  return Float64Array.from(scores);
};

const ofGroup = (faces: readonly Enrolled[], name: string) => faces.filter((face) => face.name === name);

const eachAlone = (faces: readonly Enrolled[]) => faces.map(({ path }) => ({ path, person: path }));

/**
 * Scores of the pairs within each group. Each image counts as another person's, except an image listed twice.
 */
const withinGroups = async (
  list: Faces,
  draw: DrawReference | undefined,
  deps: MeasureFacesDeps,
): Promise<ReadonlyMap<string, Float64Array>> => {
  const images = await enrolFaces(list, deps);
  const references = draw ? await enrolFaces(list, deps, draw) : images;
  return new Map(
    [...new Set(list.faces.map(({ name }) => name))].map((name) => {
      const [left, right] = [ofGroup(references, name), ofGroup(images, name)];
      const { impostor } = draw
        ? deps.chooseCrossPairs(eachAlone(left), eachAlone(right))
        : deps.choosePairs(left.map(({ path }) => path));
      return [name, compareAll(left, right, impostor, deps, deps.isSameImageTwice)];
    }),
  );
};

type Count = { readonly images: number; readonly enrolled: number };

const summarise = (
  { images, enrolled }: Count,
  genuine: Float64Array,
  impostor: Float64Array,
  deps: MeasureFacesDeps,
): FacesReport =>
  deps.summarise({
    genuine,
    impostor,
    pictures: images,
    failuresToEnrol: images - enrolled,
    threshold: deps.threshold,
  });
