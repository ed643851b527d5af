/**
 * Draws genuine captures of artificial passports and attacks with them:
 *
 * node lab/training/document-attacks/draw.ts PORTRAITS OUT [DOCUMENTS] [SEED]
 *
 * Each document gives three genuine images and one of every attack. OUT/labels.csv is for `idem measure
 * document-attacks --labels`, the folders OUT/genuine, OUT/KIND for `idem train document-attacks`. The same
 * portraits give the same images.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import type { Image } from "../../../src/machine/imaging/image.ts";
import { makeImaging } from "../../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../../src/machine/imaging/limits.ts";
import { readOutlines } from "../../../src/sandbox/specimen/lettering.ts";
import { drawDocument, drawImage, type ImageKind, imageKinds } from "./kinds.ts";

const [portraits, out, countText = "20", seedText = "1"] = process.argv.slice(2);
const [count, seed] = [Number(countText), Number(seedText)];
if (portraits === undefined || out === undefined || !(count > 0) || !Number.isInteger(seed)) {
  console.error("usage: node lab/training/document-attacks/draw.ts PORTRAITS OUT [DOCUMENTS] [SEED]");
  process.exit(2);
}

const imaging = makeImaging({ limits: defaultImagingLimits });
const outlines = readOutlines();
const names = (await readdir(portraits)).filter((name) => /\.(jpe?g|png)$/.test(name)).toSorted();
if (names.length < 2) {
  console.error("Two portraits are needed: a holder's and another's.");
  process.exit(2);
}

/** Neighbours in a folder often look similar: a step spreads them. */
const portraitStep = 37;
const genuineEach = 3;
/** Seeds of one document's images. */
const seedsEach = 64;

const portraitAt = async (index: number): Promise<Image> =>
  await imaging.open(await readFile(path.join(portraits, names[(index * portraitStep) % names.length]!)));

/** As camera files: some with halved colour resolution, some without. */
const encode = async ({ width, height, data }: Image, i: number): Promise<Uint8Array> =>
  await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 78 + ((i * 7) % 18), chromaSubsampling: i % 2 === 0 ? "4:4:4" : "4:2:0" })
    .toBuffer();

const rows = ["path,label,attack,clip"];
const writeDocument = async (document: number): Promise<void> => {
  const [portrait, other] = [await portraitAt(2 * document), await portraitAt(2 * document + 1)];
  const drawn = drawDocument({ portrait, other, outlines, document: seed + document });
  const wanted: readonly ImageKind[] = [
    ...Array.from({ length: genuineEach - 1 }, () => "genuine" as const),
    ...imageKinds,
  ];
  for (const [i, kind] of wanted.entries()) {
    const { image } = drawImage(kind, drawn, (seed + document) * seedsEach + i);
    const name = `${kind}/d${document}_${i}.jpg`;
    await writeFile(path.join(out, name), await encode(image, document * wanted.length + i));
    const isGenuine = kind === "genuine";
    rows.push(`${name},${isGenuine ? "genuine" : "attack"},${isGenuine ? "" : kind},d${document}`);
  }
};

for (const kind of imageKinds) await mkdir(path.join(out, kind), { recursive: true });
for (let document = 0; document < count; document++) {
  await writeDocument(document);
  console.log(`${document + 1} of ${count} documents`);
}
await writeFile(path.join(out, "labels.csv"), `${rows.join("\n")}\n`);
