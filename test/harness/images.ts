import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Imaging } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Case, makeCases } from "#sandbox/specimen/demo-cases";
import { type Persons, readPersons } from "#sandbox/specimen/persons";
import { drawTable } from "#sandbox/specimen/photograph";
import { writePng } from "./png.ts";

const require = createRequire(import.meta.url);

export const imaging: Imaging = makeImaging({ limits: defaultImagingLimits });
export const persons: Persons = await readPersons();

/** Drawn once for all files of a worker. */
let cases: ReturnType<typeof makeCases> | undefined;

/** The demo's cases by name. */
export const drawCases = async (): Promise<Readonly<Record<string, Case>>> => {
  cases ??= makeCases(imaging, persons, new Date());
  return Object.fromEntries((await cases).map((one) => [one.name, one]));
};

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Wood, without a face. */
export const drawWithoutFace = async (): Promise<Uint8Array> =>
  await imaging.encodeJpeg(drawTable(800, 600, 5), 90);

/** Several women side by side, from the package with the recognition weights. */
export const readGroup = async (): Promise<Uint8Array> =>
  await readFile(join(dirname(require.resolve("@vladmandic/face-api/package.json")), "demo/sample1.jpg"));

/** The selfie so far away that the eyes are a few pixels apart. */
export const drawFarAway = async (): Promise<Uint8Array> => {
  const selfie = await imaging.resize(await imaging.open(persons.selfie), 120, 96);
  const table = drawTable(800, 600, 5);
  for (let y = 0; y < selfie.height; y++) {
    const row = selfie.data.subarray(y * selfie.width * 3, (y + 1) * selfie.width * 3);
    table.data.set(row, ((250 + y) * table.width + 340) * 3);
  }
  return await imaging.encodeJpeg(table, 95);
};

/** A PNG of a few hundred bytes that decodes to 30,000 × 30,000 pixels. */
export const makeBomb = (): Uint8Array =>
  writePng({ width: 30_000, height: 30_000 }, Buffer.alloc(3751 * 200));

/** Two frames of one pixel (GIF89a). */
export const animatedGif = Buffer.from(
  "47494638396101000100800000000000ffffff21f90400640000002c00000000010001000002024401002" +
    "1f90400640000002c000000000100010000020244010" +
    "03b",
  "hex",
);

export const pdf = Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

/** The smallest PNG, in Base64: it shows no face, so that a call costs little. */
export const onePixelPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
