import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, relative, resolve } from "node:path";
import type { Blended, CohortFace } from "#face/matching/blend-cohort";
import type { CohortFit, CohortGain, FalseMatches } from "#face/matching/fit-points";
import type { PairTemplate } from "#face/matching/template-kinds";
import type { FaceEngine } from "#face/measurement";
import { rateOf } from "#statistics/rate";
import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Command, CommandError, parseOptions, print, say, UsageError } from "./command.ts";
import { checkFiguresFile } from "./figures-file.ts";
import { mapPictures, namesText, unread } from "./list-file.ts";
import { boundsText, percent } from "./percent.ts";

/** A picture's only face, with how common it looks to the cohort that ships, as templates say; `picture`: its path under DIR. */
type SeenFace = CohortFace & PairTemplate & { readonly picture: string };

/** What the command takes from the composition. */
export type CohortDeps = {
  readonly measure: FaceEngine["measure"];
  /** Pictures measured at once. */
  readonly concurrency: number;
  readonly unpackTemplate: (bytes: Uint8Array) => PairTemplate | undefined;
  readonly personsMin: number;
  /** A second face of this share of the subject's width leaves open who is meant. */
  readonly crowdShareMin: number;
  readonly blend: (faces: readonly SeenFace[]) => Blended<SeenFace> | undefined;
  /** Or, in words, why it cannot be told. */
  readonly fit: (persons: readonly SeenFace[]) => CohortFit | string;
  readonly gain: (fit: CohortFit, persons: readonly SeenFace[], falseMatchRate: number) => CohortGain;
  /** That which the operator allows two selfies. */
  readonly falseMatchRate: number;
  readonly pack: (cohort: Blended["cohort"]) => Uint8Array;
};

const pictureEndings: ReadonlySet<string> = new Set([".jpg", ".jpeg", ".png"]);

/** Paths of the pictures under a folder, relative to it. A link in it may lead anywhere, also to a picture that is there already. */
const picturesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new CommandError(`--images ${folder} cannot be read. Name a folder of pictures.`);
  });
  const namesOf = (some: typeof entries): readonly string[] =>
    some.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).toSorted();
  tellLeftOut("links, which are not followed", namesOf(entries.filter((entry) => entry.isSymbolicLink())));
  const files = entries.filter((entry) => entry.isFile());
  return namesOf(files.filter(({ name }) => pictureEndings.has(extname(name).toLowerCase())));
};

const tellLeftOut = (why: string, names: readonly string[]): void => {
  if (names.length > 0) say(`Left out, ${why}: ${namesText(names)}`);
};

/** What keeps a picture from saying anything of strangers. */
const lacks = [unread, "no face", "more than one face"] as const;

const seeFace = async (
  bytes: Uint8Array,
  picture: string,
  { measure, unpackTemplate, crowdShareMin }: CohortDeps,
): Promise<SeenFace | (typeof lacks)[number]> => {
  const measured = await measure(bytes, { template: true, attributes: true });
  if (measured.kind !== "measured") return unread;
  if ((measured.faceWidths[1] ?? 0) >= crowdShareMin) return "more than one face";
  const template = measured.template && unpackTemplate(measured.template);
  return template && measured.attributes
    ? { ...template, ageYears: measured.attributes.ageYears, picture }
    : "no face";
};

/** The subject of each picture that shows one face of a person; the others are named. */
const seeFaces = async (
  folder: string,
  pictures: readonly string[],
  deps: CohortDeps,
): Promise<readonly SeenFace[]> => {
  const pace = { concurrency: deps.concurrency, every: 100, progress: say };
  const seen = await mapPictures(pictures, pace, async (picture) => {
    const bytes = await readFile(join(folder, picture)).catch(() => undefined);
    return bytes === undefined ? lacks[0] : await seeFace(bytes, picture, deps);
  });
  for (const lack of lacks) {
    tellLeftOut(
      lack,
      pictures.filter((_, i) => seen[i] === lack),
    );
  }
  return seen.filter((face) => typeof face !== "string");
};

/** Names the faces that are in no cohort. */
const tellUnblended = ({ minors, repeated }: Blended<SeenFace>): void => {
  const namesOf = (faces: readonly SeenFace[]) => faces.map(({ picture }) => picture);
  tellLeftOut("children", namesOf(minors));
  tellLeftOut("second pictures of a person", namesOf(repeated));
};

const matchesText = ({ count, worstRate }: FalseMatches, pairs: number): string => {
  const rate = rateOf(count, pairs);
  return `${percent(rate.rate, 3)} (95 %: ${boundsText(rate, 3)}); in the group where most do ${percent(worstRate, 2)}`;
};

const tellPoints = ({ points }: CohortFit): void => {
  say("Counted among strangers of one kind, each person judged by a cohort of others:");
  for (const { falseMatchRate, value, pairs } of points) {
    say(`  rate ${falseMatchRate}: fused score ${value.toFixed(2)}, over ${pairs} pairs`);
  }
  say(`Rates under ${points.at(-1)?.falseMatchRate} are prolonged from these: nobody has counted them.`);
};

const tellGain = ({ pairs, shipped, own }: CohortGain, falseMatchRate: number): void => {
  say(`At the rate ${falseMatchRate} the product takes for one person, of ${pairs} pairs of strangers:`);
  say(`  by the cohort that ships  ${matchesText(shipped, pairs)}`);
  say(`  by one of the others      ${matchesText(own, pairs)}`);
};

const strictRate = 1e-3;
/** The operator's rate, and a strict one: beside an even cohort the whole population's rate is nearer to the worst group's. */
const ratesToTell = ({ falseMatchRate }: CohortDeps): readonly number[] => [
  ...new Set([falseMatchRate, strictRate]),
];

/** Points for the cohort, where there are people enough to count; undefined leaves the shipped curve to it. */
const countPoints = (persons: readonly SeenFace[], deps: CohortDeps): Blended["cohort"]["points"] => {
  say("Counting what scores are worth beside it …");
  const fit = deps.fit(persons);
  if (typeof fit === "string") {
    say(
      `What scores are worth beside this cohort was not counted: ${fit}. Thresholds stay those of the cohort that ships. Beside yours they hold at 1e-2 and below, and some more of the right people are turned away than the rate asks for; at 1e-1 somewhat more strangers pass than it says.`,
    );
    return undefined;
  }
  tellPoints(fit);
  for (const rate of ratesToTell(deps)) tellGain(deps.gain(fit, persons, rate), rate);
  say(
    "Choose IDEM_FMR_SELFIE, _DOCUMENT and _REGISTRY by these: beside the new cohort groups are even, so that all people",
  );
  say(
    "together have nearer to the rate of the worst group. True matches, of which one picture a person tells nothing, are",
  );
  say("counted by idem measure faces.");
  return fit.points;
};

const build: Command = {
  summary: "make a cohort of faces like those of your users",
  help: `Usage: idem cohort build --images DIR --out FILE

Measures the pictures (JPEG, PNG) under DIR and writes a cohort: faces against which the product tells how common a face
looks, so that it accepts strangers of every group as seldom. Take pictures as your users take them, one a person, of as
many people of every group as you have: 200 at least, a thousand is good. Pictures without a face or with several, children
and second pictures of a person are left out; how many, and the first of them by name, is told. DIR may be a link, links in it
are not followed. FILE holds random blends of many faces, nobody's vectors; the pictures are only read.

From 350 people on FILE also says what scores are worth beside it, counted in groups of people who look alike: thresholds for a
false-match rate then fit your users. It prints what was counted. With fewer, thresholds are those of the cohort that ships:
at 1e-2 and below they turn some more of the right people away than the rate asks for, at 1e-1 more strangers pass.

Then set IDEM_FACE_COHORT=FILE for idem serve and for idem measure, and compare the figures of idem measure faces --groups
with and without it. Registered users need not be enrolled anew.

  --images DIR   folder of pictures, with its folders
  --out FILE     where the cohort goes; written anew where it is there`,
  run: async (args) => {
    const { values } = parseOptions(args, { images: { type: "string" }, out: { type: "string" } });
    const { images, out } = values;
    if (images === undefined || out === undefined) {
      throw new UsageError("Say --images DIR and --out FILE.");
    }
    await checkFiguresFile("--out", out);
    const pictures = await picturesIn(images);
    const measuring = makeMeasuring(readConfig(), "bundled");
    try {
      const faces = await seeFaces(images, pictures, measuring.cohort);
      say(`${pictures.length} pictures, ${faces.length} faces`);
      return await writeCohort(faces, resolve(out), measuring.cohort);
    } finally {
      await measuring.close();
    }
  },
};

const writeCohort = async (faces: readonly SeenFace[], out: string, deps: CohortDeps): Promise<number> => {
  const blended = deps.blend(faces);
  if (blended === undefined) {
    throw new CommandError(
      `These ${faces.length} faces are fewer than ${deps.personsMin} grown people, second pictures of a person left out. Nothing was written: add pictures of more people.`,
    );
  }
  const { cohort, persons } = blended;
  tellUnblended(blended);
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

export const cohort: Command = {
  summary: "make a cohort of your own population",
  help: `Usage: idem cohort build --images DIR --out FILE

${build.help.split("\n").slice(2).join("\n")}`,
  topics: { build: async () => build },
  run: async () => {
    throw new UsageError("Say what to do: idem cohort build --images DIR --out FILE");
  },
};
