/**
 * Measures the judges of the portrait by kind of forgery: the tables of
 * docs/decisions/0079-portraits-are-bound.md. Negatives are the genuine images, saved again as the forged
 * ones are.
 *
 * node lab/scripts/measure-portraits.ts DOCUMENTS FACES [CARDS] [SEED] [--genuine]
 *
 * DOCUMENTS holds `index.json`, a list of images of published documents; at most eight of one folder count,
 * because a folder of templates is one design. Documents of even places in that list chose the thresholds,
 * the others are reported on. FACES holds `pairs.csv` and images of faces, 250 pixels wide, the face in the
 * middle. CARDS: drawn cards of persons from SEED on. --genuine: documents without forgeries of them.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { endWithHelp } from "../../scripts/help.ts";
import { seededRandom } from "../../src/contract/statistics/random.ts";
import { rateOf } from "../../src/contract/statistics/rate.ts";
import { defaultAttackPolicy } from "../../src/judging/document/decision/attacks/attack-policy.ts";
import { type DocumentCue, portraitCues } from "../../src/judging/document/decision/attacks/cue.ts";
import { judgePixelCues } from "../../src/judging/document/decision/attacks/pixel-cues.ts";
import { isPortraitDoubted } from "../../src/judging/document/decision/attacks/portrait-bound.ts";
import { makeReadCardMaps } from "../../src/judging/document/reading/locate/card-maps.ts";
import { makeFindQuad } from "../../src/judging/document/reading/locate/find-quad.ts";
import { cardScore } from "../../src/judging/document/reading/locate/located-card.ts";
import { mainFace } from "../../src/judging/document/reading/portrait.ts";
import { measureAttack } from "../../src/judging/document/reading/traces/measurement.ts";
import { frameQuad, straighten } from "../../src/judging/document/reading/upright.ts";
import type { Box, Image } from "../../src/machine/imaging/image.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { sandboxCountries } from "../../src/sandbox/persons/sandbox-person.ts";
import { drawNationalCard } from "../../src/sandbox/specimen/cards/cards.ts";
import { portraitSize } from "../../src/sandbox/specimen/cards/draw-card.ts";
import { drawPortrait } from "../../src/sandbox/specimen/drawn-person.ts";
import {
  forgePortrait,
  type OtherPerson,
  portraitForgeries,
} from "../../src/sandbox/specimen/forge-portrait.ts";
import { readOutlines } from "../../src/sandbox/specimen/lettering.ts";
import { photographPage } from "../../src/sandbox/specimen/photograph.ts";
import { openReader } from "../../test/support/document/reader.ts";

endWithHelp(import.meta.filename);

const words = process.argv.slice(2);
const isGenuineAlone = words.includes("--genuine");
const [documents, faces, cardsText = "0", seedText = "1"] = words.filter((word) => !word.startsWith("--"));
const [cards, seed] = [Number(cardsText), Number(seedText)];
if (documents === undefined || faces === undefined || !Number.isInteger(cards) || !Number.isInteger(seed)) {
  throw new Error("usage: node lab/scripts/measure-portraits.ts DOCUMENTS FACES [CARDS] [SEED]");
}

const { imaging, networks, findFaces } = await openReader();
const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, networks["card-finder"]));

/** Other persons: the part around the head that a forger would use, and the face in it. */
const names = [
  ...new Set(
    readFileSync(join(faces, "pairs.csv"), "utf8")
      .split("\n")
      .slice(1)
      .flatMap((line) => line.split(",").slice(1, 3)),
  ),
];
const otherAt = async (index: number): Promise<OtherPerson> => ({
  image: await imaging.open(readFileSync(join(faces, names[(index * 37) % names.length]!))),
  places: {
    portrait: { x: 57, y: 25, width: 136, height: 175 },
    face: { x: 82, y: 74, width: 86, height: 108 },
  },
});

/** Places of the portrait's image around a face; of the inner face. */
const portraitAround = ({ x, y, width, height }: Box): Box => ({
  x: x - 0.32 * width,
  y: y - 0.5 * height,
  width: 1.64 * width,
  height: 2.1 * width,
});
const innerFace = ({ x, y, width, height }: Box): Box => ({
  x: x - 0.02 * width,
  y: y - 0.08 * height,
  width: 1.04 * width,
  height: 1.16 * height,
});

/** Quality and colour resolution of the last save, by document: the same for genuine and forged. */
const encode = async ({ width, height, data }: Image, index: number): Promise<Uint8Array> => {
  const random = seededRandom(7919 * index + seed);
  return await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({
      quality: 82 + Math.floor(14 * random()),
      chromaSubsampling: random() < 0.6 ? "4:2:0" : "4:4:4",
    })
    .toBuffer();
};

const largeSide = 4096;
const readingSide = 2000;

/** As the reader of a side measures it, without MRZ, text and barcodes. Undefined without a portrait. */
const judge = async (bytes: Uint8Array): Promise<readonly DocumentCue[] | undefined> => {
  const native = await imaging.open(bytes, { longSideMax: largeSide });
  const opened = await imaging.open(bytes, { longSideMax: readingSide });
  const card = await findQuad(opened);
  const quad = card !== undefined && card.score >= cardScore.usable ? card.quad : undefined;
  const upright = quad === undefined ? opened : straighten(imaging, opened, quad);
  const portrait = mainFace(await findFaces(upright))?.box;
  if (portrait === undefined) return undefined;
  const toNative = native.width / opened.width;
  const enlarge = ([x, y]: readonly [number, number]) => [x * toNative, y * toNative] as const;
  const [a, b, c, d] = quad ?? frameQuad(opened);
  const measured = measureAttack(imaging, {
    native,
    isWhole: native.scale === 1,
    ...(native.file.jpegSteps && { jpegSteps: native.file.jpegSteps }),
    area: [enlarge(a), enlarge(b), enlarge(c), enlarge(d)],
    isLocated: quad !== undefined,
    upright,
    portrait,
    mrzShare: 0,
    lines: [],
  });
  return judgePixelCues(measured, "front", defaultAttackPolicy).filter(({ name }) =>
    portraitCues.includes(name),
  );
};

type Tally = { images: number; doubted: number; readonly by: Map<string, number> };
const tallies = new Map<string, Tally>();

const count = (row: string, cues: readonly DocumentCue[] | undefined): void => {
  const tally = tallies.get(row) ?? { images: 0, doubted: 0, by: new Map<string, number>() };
  tallies.set(row, tally);
  if (cues === undefined) {
    tally.by.set("no portrait found", (tally.by.get("no portrait found") ?? 0) + 1);
    return;
  }
  tally.images++;
  if (isPortraitDoubted(cues) === true) tally.doubted++;
  for (const { name } of cues.filter(({ level }) => level === "strong")) {
    tally.by.set(name, (tally.by.get(name) ?? 0) + 1);
  }
};

const verbose = process.env["VERBOSE"] !== undefined;
const judgeAndCount = async (row: string, name: string, bytes: Uint8Array): Promise<void> => {
  const cues = await judge(bytes);
  count(row, cues);
  if (verbose) {
    const said = cues?.map(({ name: cue, level, evidence }) => `${cue} ${level} ${JSON.stringify(evidence)}`);
    console.log(`${row}: ${name}: ${said?.join("; ") ?? "no portrait"}`);
  }
};

const perFolderMax = 8;
const list: readonly { readonly path: string }[] = JSON.parse(
  readFileSync(join(documents, "index.json"), "utf8"),
);
const perFolder = new Map<string, number>();
let place = 0;
for (const { path } of list) {
  const folder = dirname(path);
  if (path.includes("fake") || (perFolder.get(folder) ?? 0) >= perFolderMax) continue;
  const image = await imaging
    .open(readFileSync(join(documents, path)), { longSideMax: largeSide })
    .catch(() => undefined);
  const face = image && mainFace(await findFaces(image));
  if (image === undefined || face === undefined || Math.abs(face.rollDegrees ?? 0) > 8) continue;
  perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
  const index = place++;
  const half = index % 2 === 0 ? "chosen on" : "reported on";
  const places = { portrait: portraitAround(face.box), face: innerFace(face.box) };
  const other = await otherAt(index);
  await judgeAndCount(`published, as they are, ${half}`, path, readFileSync(join(documents, path)));
  if (isGenuineAlone) continue;
  await judgeAndCount(`published, genuine, ${half}`, path, await encode(image, index));
  for (const kind of portraitForgeries) {
    const forged = forgePortrait(kind, image, places, other, seed + index);
    await judgeAndCount(`published, ${kind}, ${half}`, path, await encode(forged, index));
  }
}

const outlines = readOutlines();
const sideOnTable = { width: 1450, height: 914 } as const;
/** The portrait and the face on a drawn front. */
const drawnPlaces = {
  portrait: { x: 60, y: 190, width: 420, height: 540 },
  face: { x: 155, y: 270, width: 230, height: 330 },
} as const;

for (let index = 0; index < cards; index++) {
  const country = sandboxCountries[index % sandboxCountries.length]!;
  const person = personAt(country, seed + index);
  const drawn = drawPortrait(seed + index + 1, person.gender, { width: 210, height: 270 });
  const portrait = await imaging.resize(drawn, portraitSize.width, portraitSize.height);
  const { front } = await drawNationalCard({
    country,
    holder: person,
    portrait,
    outlines,
    seed: seed + index,
  });
  const other = await otherAt(seed + index);
  // As an editor or a PDF shows a card: it was never before a camera.
  await judgeAndCount("flat card, genuine", country, await encode(front, index));
  for (const kind of portraitForgeries) {
    const forged = forgePortrait(kind, front, drawnPlaces, other, seed + index);
    await judgeAndCount(`flat card, ${kind}`, country, await encode(forged, index));
  }
  const shoot = async (side: Image): Promise<Image> =>
    photographPage(await imaging.resize(side, sideOnTable.width, sideOnTable.height), seed + index);
  const first = await sharp((await shoot(front)).data, { raw: { width: 1680, height: 1260, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
  await judgeAndCount("drawn, genuine, once saved", country, first);
  const taken = await imaging.open(first);
  await judgeAndCount("drawn, genuine, saved again", country, await encode(taken, index));
  const face = mainFace(await findFaces(taken));
  if (face === undefined) continue;
  const places = { portrait: portraitAround(face.box), face: innerFace(face.box) };
  for (const kind of portraitForgeries) {
    const forged = kind === "laid-on" ? undefined : forgePortrait(kind, taken, places, other, seed + index);
    if (forged !== undefined)
      await judgeAndCount(`drawn, ${kind} into the file`, country, await encode(forged, index));
    const before = await shoot(forgePortrait(kind, front, drawnPlaces, other, seed + index));
    await judgeAndCount(`drawn, ${kind} before the photograph`, country, await encode(before, index));
  }
}

const percent = (share: number): string => (100 * share).toFixed(1);

for (const [row, { images, doubted, by }] of [...tallies].toSorted(([a], [b]) => a.localeCompare(b))) {
  const { low, high } = rateOf(doubted, images);
  const cues = [...by].map(([name, times]) => `${name} ${times}`).join(", ");
  console.log(
    `${row}: ${doubted} of ${images} doubted (${percent(low)} to ${percent(high)} %)${cues === "" ? "" : `; ${cues}`}`,
  );
}
