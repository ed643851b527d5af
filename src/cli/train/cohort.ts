import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, relative, resolve } from "node:path";
import { makeMeasuring } from "#app/evaluation";
import { rateOf } from "#contract/statistics/rate";
import type { Blended, CohortFace } from "#evaluation/faces/blend-cohort";
import type { CohortFit, CohortGain, FalseMatches } from "#evaluation/faces/fit-points";
import { boundsText, percent } from "#evaluation/report/percent";
import type { PairTemplate } from "#judging/face/matching/template-kinds";
import type { FaceEngine } from "#judging/face/measurement";
import { readConfig } from "#machine/config/config";
import { CommandError, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";
import { mapImages, namesText, unread } from "../kit/list-file.ts";
import { makeProgress } from "../kit/progress.ts";

/** The only face of an image, with its cohort score by the shipped cohort; `image`: its path under DIR. */
type MeasuredFace = CohortFace & PairTemplate & { readonly image: string };

/** Dependencies of the command, from the composition. */
export type CohortDeps = {
  readonly measure: FaceEngine["measure"];
  /** Images measured at once. */
  readonly concurrency: number;
  readonly unpackTemplate: (bytes: Uint8Array) => PairTemplate | undefined;
  readonly personsMin: number;
  /** A second face of at least this share of the subject's width makes the subject ambiguous. */
  readonly crowdShareMin: number;
  readonly blend: (faces: readonly MeasuredFace[]) => Blended<MeasuredFace> | undefined;
  /** Or the reason, in words, why no fit is possible. */
  readonly fit: (persons: readonly MeasuredFace[]) => CohortFit | string;
  readonly gain: (fit: CohortFit, persons: readonly MeasuredFace[], falseMatchRate: number) => CohortGain;
  /** The operator's false match rate for two selfies. */
  readonly falseMatchRate: number;
  readonly pack: (cohort: Blended["cohort"]) => Uint8Array;
};

const imageEndings: ReadonlySet<string> = new Set([".jpg", ".jpeg", ".png", ".webp", ".avif"]);

/**
 * Paths of the images under a folder, relative to it. Links are not followed: a link may lead anywhere, also
 * to an image of this folder.
 */
const imagesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new CommandError(`--images ${folder} cannot be read. Name a folder of images.`);
  });
  const namesOf = (some: typeof entries): readonly string[] =>
    some.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).toSorted();
  printLeftOut("links, which are not followed", namesOf(entries.filter((entry) => entry.isSymbolicLink())));
  const files = entries.filter((entry) => entry.isFile());
  return namesOf(files.filter(({ name }) => imageEndings.has(extname(name).toLowerCase())));
};

const printLeftOut = (why: string, names: readonly string[]): void => {
  if (names.length > 0) say(`Left out, ${why}: ${namesText(names)}`);
};

/** Reasons why an image gives no impostor. */
const lacks = [unread, "no face", "more than one face"] as const;

const seeFace = async (
  bytes: Uint8Array,
  image: string,
  { measure, unpackTemplate, crowdShareMin }: CohortDeps,
): Promise<MeasuredFace | (typeof lacks)[number]> => {
  const measured = await measure(bytes, { template: true, attributes: true });
  if (measured.kind !== "measured") return unread;
  if ((measured.faceWidths[1] ?? 0) >= crowdShareMin) return "more than one face";
  const template = measured.template && unpackTemplate(measured.template);
  return template && measured.attributes
    ? { ...template, ageYears: measured.attributes.ageYears, image }
    : "no face";
};

/** The subject of each image with one face; names the other images. */
const measureSubjects = async (
  folder: string,
  images: readonly string[],
  deps: CohortDeps,
): Promise<readonly MeasuredFace[]> => {
  const progress = makeProgress("Measured");
  const seen = await mapImages(images, { concurrency: deps.concurrency, progress }, async (image) => {
    const bytes = await readFile(join(folder, image)).catch(() => undefined);
    return bytes === undefined ? lacks[0] : await seeFace(bytes, image, deps);
  });
  progress.end();
  for (const lack of lacks) {
    printLeftOut(
      lack,
      images.filter((_, i) => seen[i] === lack),
    );
  }
  return seen.filter((face) => typeof face !== "string");
};

/** Names the faces that enter no cohort. */
const printUnblended = ({ minors, repeated }: Blended<MeasuredFace>): void => {
  const namesOf = (faces: readonly MeasuredFace[]) => faces.map(({ image }) => image);
  printLeftOut("children", namesOf(minors));
  printLeftOut("second images of a person", namesOf(repeated));
};

const matchesText = ({ count, worstRate }: FalseMatches, pairs: number): string => {
  const rate = rateOf(count, pairs);
  return `${percent(rate.rate, 3)} (95 %: ${boundsText(rate, 3)}); in the group where most do ${percent(worstRate, 2)}`;
};

const printPoints = ({ points }: CohortFit): void => {
  say("Counted over impostors of one group, each person judged by a cohort of others:");
  for (const { falseMatchRate, value, pairs } of points) {
    say(`  rate ${falseMatchRate}: fused score ${value.toFixed(2)}, over ${pairs} pairs`);
  }
  say(`Rates under ${points.at(-1)?.falseMatchRate} are extrapolated from these, not counted.`);
};

const printGain = ({ pairs, shipped, own }: CohortGain, falseMatchRate: number): void => {
  say(`At the rate ${falseMatchRate} the product accepts as one person, of ${pairs} impostor pairs:`);
  say(`  by the cohort that ships  ${matchesText(shipped, pairs)}`);
  say(`  by a cohort of the others ${matchesText(own, pairs)}`);
};

const strictRate = 1e-3;
/**
 * The operator's rate and a strict rate: with a balanced cohort the rate of the whole population is nearer to
 * the worst group's rate.
 */
const ratesToPrint = ({ falseMatchRate }: CohortDeps): readonly number[] => [
  ...new Set([falseMatchRate, strictRate]),
];

/** Points for the cohort, where there are enough people to count; undefined keeps the shipped curve. */
const countPoints = (persons: readonly MeasuredFace[], deps: CohortDeps): Blended["cohort"]["points"] => {
  say("Counting the false-match rates of its scores …");
  const fit = deps.fit(persons);
  if (typeof fit === "string") {
    say(
      `The false-match rates of scores under this cohort were not counted: ${fit}. Thresholds stay those of the shipped cohort. With your cohort they are safe at 1e-2 and below, with somewhat more false rejections than necessary; at 1e-1 somewhat more impostors pass than the rate states.`,
    );
    return undefined;
  }
  printPoints(fit);
  for (const rate of ratesToPrint(deps)) printGain(deps.gain(fit, persons, rate), rate);
  say(
    "Choose IDEM_FMR_SELFIE, _DOCUMENT and _REGISTRY by these: the new cohort balances the groups, so the rate of all people",
  );
  say(
    "together is nearer to the rate of the worst group. True matches need two images of a person: they are",
  );
  say("counted by idem measure faces.");
  return fit.points;
};

export const runBuild: Run = async (args) => {
  const { values } = parseOptions(args, { images: { type: "string" }, out: { type: "string" } });
  const { images, out } = values;
  if (images === undefined || out === undefined) {
    throw new UsageError("Name the folder and the file: --images DIR --out FILE.");
  }
  await checkFiguresFile("--out", out);
  const named = await imagesIn(images);
  const measuring = makeMeasuring(readConfig(), "bundled");
  try {
    const faces = await measureSubjects(images, named, measuring.cohort);
    say(`${named.length} images, ${faces.length} faces`);
    return await writeCohort(faces, resolve(out), measuring.cohort);
  } finally {
    await measuring.close();
  }
};

const writeCohort = async (
  faces: readonly MeasuredFace[],
  out: string,
  deps: CohortDeps,
): Promise<number> => {
  const blended = deps.blend(faces);
  if (blended === undefined) {
    throw new CommandError(
      `These ${faces.length} faces are fewer than ${deps.personsMin} grown people, second images of a person left out. Nothing was written: add images of more people.`,
    );
  }
  const { cohort, persons } = blended;
  printUnblended(blended);
  say(`${persons.length} people`);
  const points = countPoints(persons, deps);
  const bytes = deps.pack({ ...cohort, ...(points && { points }) });
  await writeFile(out, bytes, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`--out ${out} cannot be written (${error.code ?? error.message}).`);
  });
  say(`${cohort.faces.length} blends, SHA-256 ${createHash("sha256").update(bytes).digest("hex")}`);
  print(`IDEM_FACE_COHORT=${out}`);
  return 0;
};
