import { readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Strangers } from "#face/matching/calibrate-cosine";
import type { Comparison } from "#face/matching/comparison";
import type { Template } from "#face/matching/template-kinds";
import type { FaceEngine } from "#face/measurement";
import type { ChosenPairs, chooseCrossPairs } from "#face/measuring/choose-pairs";
import type { FacesReport } from "#face/measuring/measure";
import type { GroupsReport } from "#face/measuring/measure-groups";
import { isReferenceKind, referenceKinds } from "#specimen/reference-picture";
import { parseOptions, UsageError } from "./command.ts";
import { describeFaces } from "./describe-faces.ts";
import { type DrawReference, makeDrawReference } from "./drawn-reference.ts";
import { type Face, type Faces, type Pair, readFaces, readGroups, readPairs } from "./face-lists.ts";
import { checkFiguresFile, writeFigures } from "./figures-file.ts";
import { mapPictures } from "./list-file.ts";
import { writeFacesPage } from "./report/faces-page.ts";

export type MeasureFacesDeps = {
  readonly measure: FaceEngine["measure"];
  /** Pictures measured at once: the pool's threads. */
  readonly concurrency: number;
  readonly unpackTemplate: (bytes: Uint8Array) => Template | undefined;
  readonly compare: (a: Template, b: Template) => Comparison | undefined;
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
  readonly isSamePictureTwice: (comparison: Comparison) => boolean;
  /** The similarity of a score, as the product answers it. */
  readonly similarityOf: (score: number) => number;
  /** Fused score from which the product answers Positive. */
  readonly threshold: number;
  /** What the faces were measured with, name to SHA-256; known once one was. */
  readonly models: () => Readonly<Record<string, string>>;
  /** Which cohort the faces were measured beside; known as the models are. */
  readonly cohort: () => string;
  readonly version: string;
  /** Told of the scores of strangers once all are measured. */
  readonly onStrangers?: (strangers: Strangers) => Promise<void>;
  /** What a score is, where it is not the product's own. */
  readonly meaning?: string;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

type Templates = ReadonlyMap<string, Template>;
type Report = FacesReport & Partial<GroupsReport>;
type MeasuredFaces = {
  readonly report: Report;
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  /** Scores of strangers within each group. */
  readonly within?: ReadonlyMap<string, Float64Array>;
};

/** `idem measure faces`. Answers the exit code 0. Throws UsageError for wrong words, CommandError for a bad list. */
export const measureFaces = async (argv: readonly string[], deps: MeasureFacesDeps): Promise<number> => {
  const { values } = parseOptions(argv, {
    pairs: { type: "string" },
    identities: { type: "string" },
    groups: { type: "string" },
    "groups-root": { type: "string" },
    reference: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
    html: { type: "string" },
  });
  const list = values.pairs ?? values.identities;
  if (list === undefined || (values.pairs !== undefined && values.identities !== undefined)) {
    throw new UsageError("Say which list to measure on: --pairs CSV or --identities CSV");
  }
  if (values.groups !== undefined && values.identities === undefined) {
    throw new UsageError("--groups goes with --identities, whose score at FMR 1e-3 it uses");
  }
  if (values["groups-root"] !== undefined && values.groups === undefined) {
    throw new UsageError("--groups-root goes with --groups, whose paths are relative to it");
  }
  const draw = drawerOf(values.reference, values.identities !== undefined);
  await checkFiguresFile("--json", values.json);
  await checkFiguresFile("--html", values.html);
  const root = values.root ?? dirname(list);
  const measured =
    values.pairs === undefined
      ? await overIdentities(await readFaces(list, root, "person"), await readGroups(values), draw, deps)
      : await overPairs(await readPairs(list, root), root, deps);
  const figures = { ...measured.report, cohort: deps.cohort() };
  for (const line of describeFaces(figures, deps.similarityOf, deps.meaning)) {
    deps.out(line);
  }
  await writeFigures(values.json, figures);
  await deps.onStrangers?.({ all: measured.impostor, within: measured.within ?? new Map() });
  if (values.html !== undefined) {
    const { similarityOf, models, version } = deps;
    const page = { ...measured, similarityOf, models: models(), version, words: argv, at: new Date() };
    await writeFile(values.html, writeFacesPage(page));
  }
  return 0;
};

/** How references are made of pictures; undefined where they are the pictures themselves. */
const drawerOf = (kind: string | undefined, isIdentities: boolean): DrawReference | undefined => {
  if (kind === undefined || kind === "selfie") return undefined;
  if (!isReferenceKind(kind) || !isIdentities) {
    throw new UsageError(`--reference is selfie, ${referenceKinds.join(" or ")}, and goes with --identities`);
  }
  return makeDrawReference(kind);
};

/** Templates of the pictures, by path; of what `draw` makes of them where it is given. */
const enrol = async (
  paths: readonly string[],
  root: string,
  deps: MeasureFacesDeps,
  draw: DrawReference = async (bytes) => bytes,
): Promise<Templates> => {
  const templates = new Map<string, Template>();
  await mapPictures(paths, { ...deps, every: 100 }, async (path, i) => {
    const bytes = await draw(await readFile(resolve(root, path)), i + 1);
    const measured = await deps.measure(bytes, { template: true });
    const packed = measured.kind === "measured" ? measured.template : undefined;
    const template = packed && deps.unpackTemplate(packed);
    if (template === undefined) {
      deps.progress(`no face enrolled from ${path}`);
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
      // A pair with a picture that was not enrolled is left out here and counted as a failure to enrol.
      const score = a && b && deps.compare(a, b)?.score;
      if (score !== undefined) scores.push(score);
    }
    return Float64Array.from(scores);
  };
  const count = { pictures: paths.length, enrolled: templates.size };
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

/** The first picture of each person of whom there is a second one. */
const firstOfEach = ({ faces, root }: Faces): Faces => ({
  root,
  faces: [...Map.groupBy(faces, ({ name }) => name).values()].flatMap(([first, second]) =>
    first && second ? [first] : [],
  ),
});

/** All pictures against all, or drawn references of one picture a person against all. */
const overIdentities = async (
  list: Faces,
  groups: Faces | undefined,
  draw: DrawReference | undefined,
  deps: MeasureFacesDeps,
): Promise<MeasuredFaces> => {
  const pictures = await enrolFaces(list, deps);
  const chosen = draw && firstOfEach(list);
  const references = chosen ? await enrolFaces(chosen, deps, draw) : pictures;
  const { genuine, impostor } = chosen
    ? deps.chooseCrossPairs(references, pictures)
    : deps.choosePairs(pictures.map(({ person }) => person));
  const score = (pairs: Iterable<readonly [number, number]>) => compareAll(references, pictures, pairs, deps);
  const scores = { genuine: score(genuine), impostor: score(impostor) };
  const count = {
    pictures: list.faces.length + (chosen?.faces.length ?? 0),
    enrolled: pictures.length + (chosen ? references.length : 0),
  };
  const report = summarise(count, scores.genuine, scores.impostor, deps);
  if (groups === undefined) return { ...scores, report };
  const within = await withinGroups(groups, draw, deps);
  const byGroup = deps.summariseGroups({ ...scores, within, threshold: deps.threshold });
  return { ...scores, within, report: { ...report, ...byGroup } };
};

/** Scores of pairs, by their places in the two lists; a pair for which `isLeftOut` holds has none. */
const compareAll = (
  references: readonly Enrolled[],
  pictures: readonly Enrolled[],
  pairs: Iterable<readonly [number, number]>,
  deps: MeasureFacesDeps,
  isLeftOut: (comparison: Comparison) => boolean = () => false,
): Float64Array => {
  const scores: number[] = [];
  let seen = 0;
  for (const [a, b] of pairs) {
    const comparison = deps.compare(references[a]!.template, pictures[b]!.template);
    if (comparison !== undefined && !isLeftOut(comparison)) scores.push(comparison.score);
    if (++seen % 1_000_000 === 0) deps.progress(`${seen} pairs compared`);
  }
  return Float64Array.from(scores);
};

const ofGroup = (faces: readonly Enrolled[], name: string) => faces.filter((face) => face.name === name);

const eachAlone = (faces: readonly Enrolled[]) => faces.map(({ path }) => ({ path, person: path }));

/** Scores of the pairs within each group: every picture is taken for another person's, but for one picture twice. */
const withinGroups = async (
  list: Faces,
  draw: DrawReference | undefined,
  deps: MeasureFacesDeps,
): Promise<ReadonlyMap<string, Float64Array>> => {
  const pictures = await enrolFaces(list, deps);
  const references = draw ? await enrolFaces(list, deps, draw) : pictures;
  return new Map(
    [...new Set(list.faces.map(({ name }) => name))].map((name) => {
      const [left, right] = [ofGroup(references, name), ofGroup(pictures, name)];
      const { impostor } = draw
        ? deps.chooseCrossPairs(eachAlone(left), eachAlone(right))
        : deps.choosePairs(left.map(({ path }) => path));
      return [name, compareAll(left, right, impostor, deps, deps.isSamePictureTwice)];
    }),
  );
};

type Count = { readonly pictures: number; readonly enrolled: number };

const summarise = (
  { pictures, enrolled }: Count,
  genuine: Float64Array,
  impostor: Float64Array,
  deps: MeasureFacesDeps,
): FacesReport =>
  deps.summarise({
    genuine,
    impostor,
    pictures,
    failuresToEnrol: pictures - enrolled,
    threshold: deps.threshold,
  });
