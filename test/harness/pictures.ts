import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { type Case, makeCases } from "../../src/cli/demo-cases.ts";
import { type Persons, readPersons } from "../../src/cli/persons.ts";
import type { Imaging } from "../../src/imaging/image.ts";
import { makeImaging } from "../../src/imaging/imaging.ts";
import { defaultImagingLimits } from "../../src/imaging/limits.ts";
import { drawTable } from "../../src/specimen/photograph.ts";

const require = createRequire(import.meta.url);

export const imaging: Imaging = makeImaging({ limits: defaultImagingLimits });
export const persons: Persons = await readPersons();

/** The demo's cases by name. */
export const drawCases = async (): Promise<Readonly<Record<string, Case>>> =>
  Object.fromEntries((await makeCases(imaging, persons, new Date())).map((one) => [one.name, one]));

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Wood and nobody. */
export const drawNobody = async (): Promise<Uint8Array> =>
  await imaging.encodeJpeg(drawTable(800, 600, 5), 90);

/** Several women side by side, from the package that brings recognition weights. */
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
export const makeBomb = (): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(30_000, 0);
  header.writeUInt32BE(30_000, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc(3751 * 200));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Two frames of one pixel (GIF89a). */
export const animatedGif = Buffer.from(
  "47494638396101000100800000000000ffffff21f90400640000002c00000000010001000002024401002" +
    "1f90400640000002c000000000100010000020244010" +
    "03b",
  "hex",
);

export const pdf = Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
