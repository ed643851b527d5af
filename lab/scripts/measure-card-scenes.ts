/**
 * Measures scenes with one and with two documents, and the backs of the drawn cards: the table of
 * docs/measurements/documents.md, "Second document in the image" and "Portraits".
 *
 * node lab/scripts/measure-card-scenes.ts PORTRAITS [SCENES] [SEED]
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { endWithHelp } from "../../scripts/help.ts";
import { seededRandom } from "../../src/contract/statistics/random.ts";
import type { Image, Point, Quad } from "../../src/machine/imaging/image.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { sandboxCountries } from "../../src/sandbox/persons/sandbox-person.ts";
import { drawNationalCard } from "../../src/sandbox/specimen/cards/cards.ts";
import { portraitSize } from "../../src/sandbox/specimen/cards/draw-card.ts";
import { readOutlines } from "../../src/sandbox/specimen/lettering.ts";
import { drawTable, expose, lay } from "../../src/sandbox/specimen/photograph.ts";
import { openReader } from "../../test/support/document/reader.ts";
import { drawDocument } from "../training/document-attacks/kinds.ts";

endWithHelp(import.meta.filename);

const [folder, scenesText = "20", seedText = "1"] = process.argv.slice(2);
const [scenes, seed] = [Number(scenesText), Number(seedText)];
if (folder === undefined || !(scenes > 0) || !Number.isInteger(seed)) {
  throw new Error("usage: node lab/scripts/measure-card-scenes.ts PORTRAITS [SCENES] [SEED]");
}

const { imaging, readSide } = await openReader();
const outlines = readOutlines();
const names = (await readdir(folder)).filter((name) => name.endsWith(".jpg")).toSorted();
const portraitAt = async (index: number): Promise<Image> =>
  await imaging.open(await readFile(path.join(folder, names[(index * 37) % names.length]!)));

const passportAt = async (index: number): Promise<Image> => {
  const [portrait, other] = [await portraitAt(index), await portraitAt(index + 1)];
  return drawDocument({ portrait, other, outlines, document: index }).page;
};

/** Both sides of a card of one of the countries of the sandbox, with a portrait of the folder. */
const cardAt = async (index: number) => {
  const country = sandboxCountries[index % sandboxCountries.length]!;
  const portrait = await imaging.resize(await portraitAt(index), portraitSize.width, portraitSize.height);
  return await drawNationalCard({
    country,
    holder: personAt(country, index),
    portrait,
    outlines,
    seed: index,
  });
};

/**
 * Places of the documents in shares of the frame, and the longer side of each as a share of the frame's
 * width.
 */
type Layout = {
  readonly frame: readonly [number, number];
  readonly middles: readonly Point[];
  readonly share: number;
};

const layouts: Readonly<Record<"alone" | "two", readonly Layout[]>> = {
  alone: [{ frame: [2016, 1512], middles: [[0.5, 0.5]], share: 0.75 }],
  two: [
    {
      frame: [2016, 1512],
      middles: [
        [0.26, 0.5],
        [0.74, 0.5],
      ],
      share: 0.42,
    },
    {
      frame: [1512, 2016],
      middles: [
        [0.5, 0.26],
        [0.5, 0.74],
      ],
      share: 0.6,
    },
    {
      frame: [2016, 1512],
      middles: [
        [0.3, 0.29],
        [0.7, 0.72],
      ],
      share: 0.5,
    },
    {
      frame: [1200, 1600],
      middles: [
        [0.5, 0.27],
        [0.5, 0.73],
      ],
      share: 0.72,
    },
  ],
};

const photographScene = (pages: readonly Image[], layout: Layout, sceneSeed: number): Image => {
  const random = seededRandom(sceneSeed);
  const [width, height] = layout.frame;
  const scene = drawTable(width, height, sceneSeed);
  if (random() < 0.5) for (let i = 0; i < scene.data.length; i++) scene.data[i] = 255 - scene.data[i]! / 3;
  for (const [n, page] of pages.entries()) {
    const [x, y] = layout.middles[n]!;
    const angle = 0.16 * (random() - 0.5) + (random() < 0.2 ? Math.PI : 0);
    const scale = (layout.share * width * (0.95 + 0.1 * random())) / Math.max(page.width, page.height);
    const corner = (sideX: number, sideY: number): Point => {
      const [u, v] = [(sideX * page.width * scale) / 2, (sideY * page.height * scale) / 2];
      return [
        x * width + u * Math.cos(angle) - v * Math.sin(angle),
        y * height + u * Math.sin(angle) + v * Math.cos(angle),
      ];
    };
    const quad: Quad = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    lay(scene, page, quad);
  }
  return expose(scene, { noise: 2.5, blurPx: 1, falloff: 0.85, seed: sceneSeed });
};

const read = async (image: Image) =>
  readSide(await imaging.encodeJpeg(image, 90), {
    mrz: "expected",
    barcodes: false,
    attacks: false,
    upright: false,
  });

const counts = new Map<string, [number, number]>();
const note = (row: string, isFound: boolean): void => {
  const [found, all] = counts.get(row) ?? [0, 0];
  counts.set(row, [found + (isFound ? 1 : 0), all + 1]);
};

const several = async (row: string, image: Image): Promise<void> => {
  const { otherCards = 0, otherPortraits = 0 } = await read(image);
  note(row, Math.max(otherCards, otherPortraits) > 0);
  note(`${row}, by outlines`, otherCards > 0);
  note(`${row}, by portraits`, otherPortraits > 0);
};

for (let i = 0; i < scenes; i++) {
  const at = seed * 1000 + i;
  const two = layouts.two[i % layouts.two.length]!;
  const pages = [await passportAt(2 * at), await passportAt(2 * at + 1)];
  await several("two passports", photographScene(pages, two, at));
  await several("one passport", photographScene(pages.slice(0, 1), layouts.alone[0]!, at));
  const cards = [await cardAt(2 * at), await cardAt(2 * at + 1)];
  const fronts = cards.map(({ front }) => front);
  await several("two cards", photographScene(fronts, two, at));
  await several("front and back", photographScene([cards[0]!.front, cards[0]!.back], two, at));
  await several("one card", photographScene(fronts.slice(0, 1), layouts.alone[0]!, at));
  const back = await read(photographScene([cards[0]!.back], layouts.alone[0]!, at));
  note(`portrait on a back`, back.portrait !== undefined);
  if (back.faces > 0)
    console.log(
      "back",
      sandboxCountries[(2 * at) % 8],
      back.faces,
      back.portrait?.score,
      back.portrait?.face,
    );
}
for (const [row, [found, all]] of counts) console.log(`${row}: ${found} of ${all}`);
