import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { decodePng, type PngParts } from "./png.ts";

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const header = ({ width, height, depth, kind }: PngParts): Buffer => {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([depth, kind, 0, 0, 0], 8);
  return bytes;
};

/** The whole file of these parts. */
const wholePng = (parts: PngParts): Buffer =>
  Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header(parts)),
    ...(parts.palette.length > 0 ? [chunk("PLTE", parts.palette)] : []),
    ...(parts.transparency === undefined ? [] : [chunk("tRNS", parts.transparency)]),
    chunk("IDAT", parts.data),
    chunk("IEND", Buffer.alloc(0)),
  ]);

const [width, height] = [13, 5];
const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** An image of changing samples, whose rows have all five filters, as filtered bytes. */
const makeParts = (kind: number, depth: number, transparency?: Buffer): PngParts => {
  const rowBytes = Math.ceil((width * (samples.get(kind) ?? 0) * depth) / 8);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.from([row, ...Array.from({ length: rowBytes }, (__, at) => (at * 37 + row * 91) & 255)]),
  );
  const palette =
    kind === 3 ? Buffer.from(Array.from({ length: 768 }, (_, at) => (at * 7) & 255)) : Buffer.alloc(0);
  const data = deflateSync(Buffer.concat(rows));
  return { width, height, depth, kind, isInterlaced: false, palette, transparency, data };
};

test.each([
  ["grey of 1 bit", 0, 1, undefined],
  ["grey of 2 bits", 0, 2, undefined],
  ["grey of 4 bits", 0, 4, undefined],
  ["grey", 0, 8, undefined],
  ["grey with one transparent value", 0, 8, "0025"],
  ["colours", 2, 8, undefined],
  ["colours with one that is transparent", 2, 8, "0000 0025 004a"],
  ["a palette of 16", 3, 4, undefined],
  ["a palette of 256", 3, 8, undefined],
  ["a palette with opacities", 3, 8, "00 80 ff"],
  ["grey with opacity", 4, 8, undefined],
  ["colours with opacity", 6, 8, undefined],
] as const)("pixels are the ones that another decoder finds: %s", async (_, kind, depth, clear) => {
  const parts = makeParts(kind, depth, clear && Buffer.from(clear.replaceAll(" ", ""), "hex"));
  const { colours, isGrey, opacity } = decodePng(parts, 100_000);
  const known = await sharp(wholePng(parts)).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  const pixels = Buffer.concat(
    Array.from({ length: width * height }, (__, pixel) => {
      const colour = isGrey
        ? [colours[pixel], colours[pixel], colours[pixel]]
        : colours.subarray(3 * pixel, 3 * pixel + 3);
      return Buffer.from([...colour, opacity?.[pixel] ?? 255].map(Number));
    }),
  );
  expect(pixels.equals(known)).toBe(true);
});

test("of samples with 16 bits the nearest with 8 is taken", () => {
  const row = Buffer.alloc(1 + width * 2);
  row.writeUInt16BE(0xffff, 1);
  row.writeUInt16BE(0x8080, 3);
  row.writeUInt16BE(0x0081, 5);
  const data = deflateSync(row);
  const { colours } = decodePng({ ...makeParts(0, 16), height: 1, data }, 1000);
  expect([...colours.subarray(0, 4)]).toEqual([255, 128, 1, 0]);
});

test("an image without all of its rows, or with interlaced ones, is not decoded", () => {
  const parts = makeParts(2, 8);
  expect(() => decodePng({ ...parts, height: height + 1 }, 100_000)).toThrow("rows");
  expect(() => decodePng({ ...parts, isInterlaced: true }, 100_000)).toThrow("interlaced");
});
