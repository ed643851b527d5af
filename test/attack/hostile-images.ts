import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { avifOf, extendedWebp, lossyWebp } from "#support/imaging/other-files";
import { animatedGif, pdf, persons } from "../harness/images.ts";
import { chunk, type PngHeader, writeBlackPng, writePng } from "../harness/png.ts";
import type { Draw } from "./draw.ts";

export type HostileImage = { readonly name: string; readonly bytes: Buffer };

export type ImageBases = readonly { readonly format: string; readonly bytes: Buffer }[];

/** Sound images of every format that a decoder may meet, from which hostile ones are made. */
export const makeImageBases = async (): Promise<ImageBases> => {
  const small = sharp(persons.selfie).resize(160);
  const [png, progressive, webp, tiff, gif, avif] = await Promise.all([
    small.clone().png({ palette: false, progressive: true }).toBuffer(),
    small.clone().jpeg({ progressive: true, quality: 60 }).toBuffer(),
    small.clone().webp().toBuffer(),
    small.clone().tiff().toBuffer(),
    small.clone().gif().toBuffer(),
    small.clone().avif().toBuffer(),
  ]);
  const bases = { jpeg: Buffer.from(persons.selfie), png, progressive, webp, tiff, gif, avif };
  return Object.entries(bases).map(([format, bytes]) => ({ format, bytes }));
};

const startOfFrame = (jpeg: Buffer): number => {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return at;
  }
  throw new Error("A JPEG without a frame");
};

/** A JPEG whose header states another size than its pixels have. */
const jpegOfSize = (width: number, height: number): Buffer => {
  const jpeg = Buffer.from(persons.selfie);
  const frame = startOfFrame(jpeg);
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
};

/** A segment of a JPEG after its first two bytes. */
const withSegments = (marker: number, segments: readonly Buffer[]): Buffer => {
  const jpeg = Buffer.from(persons.selfie);
  const written = segments.map((data) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...written, jpeg.subarray(2)]);
};

/** An EXIF directory whose next directory is itself, with entries that point at each other. */
const loopingExif = (entries: number): Buffer => {
  const entry = Buffer.from([0x01, 0x12, 0x00, 0x03, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x08]);
  const count = Buffer.alloc(2);
  count.writeUInt16BE(entries);
  const head = Buffer.from("Exif\0\0MM\0\x2a\0\0\0\x08", "latin1");
  return Buffer.concat([
    head,
    count,
    ...Array.from({ length: entries }, () => entry),
    Buffer.from([0, 0, 0, 8]),
  ]);
};

/** Sides around every limit of the service: 16 px, the longest side, 16 bits. */
const sides = [1, 2, 3, 5, 8, 15, 16, 17, 255, 1000, 8192, 16_383, 16_384, 16_385, 32_768, 65_535] as const;

const ofSize = (width: number, height: number): HostileImage => ({
  name: `PNG of ${width} x ${height}`,
  bytes: writeBlackPng(width, height),
});

const thin = [1, 2, 3, 5, 8, 15, 16, 17].flatMap((side) => [ofSize(16_384, side), ofSize(side, 16_384)]);

const bombs = (): readonly HostileImage[] => [
  {
    name: "PNG bomb of 30000 x 30000",
    bytes: writePng({ width: 30_000, height: 30_000 }, Buffer.alloc(750_000)),
  },
  {
    name: "interlaced PNG of 50 MP with 16 bits",
    bytes: writePng(
      { width: 8192, height: 6144, depth: 16, interlace: 1 },
      Buffer.alloc(8192 * 6144 * 2 + 20_000),
    ),
  },
  { name: "JPEG that states 65535 x 65535", bytes: jpegOfSize(65_535, 65_535) },
  { name: "JPEG that states 8192 x 6144", bytes: jpegOfSize(8192, 6144) },
  { name: "JPEG that states 16384 x 1", bytes: jpegOfSize(16_384, 1) },
  { name: "WebP that states 16383 x 16383", bytes: lossyWebp(16_383, 16_383) },
  { name: "WebP whose canvas states 64 x 64", bytes: extendedWebp(64, 64, { inner: lossyWebp(8192, 6144) }) },
  { name: "AVIF that states 65536 x 65536", bytes: avifOf({ width: 65_536, height: 65_536 }) },
  { name: "AVIF with 60 hidden frames", bytes: avifOf({ width: 4096, height: 3072, frames: 60 }) },
  { name: "AVIF with a grid", bytes: avifOf({ width: 64, height: 64, types: ["grid", "av01"] }) },
  {
    name: "PNG with a compressed text of 100 MB",
    bytes: writeBlackPng(64, 64, [
      chunk("zTXt", Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(1e8))])),
    ]),
  },
  {
    name: "PNG with a compressed profile of 100 MB",
    bytes: writeBlackPng(64, 64, [
      chunk("iCCP", Buffer.concat([Buffer.from("a\0\0"), deflateSync(Buffer.alloc(1e8))])),
    ]),
  },
  {
    name: "SVG with nested entities",
    bytes: Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>' +
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&b;&b;</text></svg>',
    ),
  },
  {
    name: "TIFF whose directory follows itself",
    bytes: Buffer.concat([Buffer.from("MM\0\x2a\0\0\0\x08", "latin1"), Buffer.from([0, 0, 0, 0, 0, 8])]),
  },
];

const floods = (): readonly HostileImage[] => [
  {
    name: "PNG with 100,000 text chunks",
    bytes: writeBlackPng(
      64,
      64,
      Array.from({ length: 100_000 }, () => chunk("tEXt", Buffer.from("a\0b"))),
    ),
  },
  {
    name: "JPEG with 1,000,000 comments",
    bytes: withSegments(
      0xfe,
      Array.from({ length: 1_000_000 }, () => Buffer.alloc(0)),
    ),
  },
  {
    name: "JPEG with 100 profiles of 64 kB",
    bytes: withSegments(
      0xe2,
      Array.from({ length: 100 }, () => Buffer.from(`ICC_PROFILE\0${"a".repeat(65_000)}`)),
    ),
  },
  { name: "JPEG whose EXIF directory follows itself", bytes: withSegments(0xe1, [loopingExif(5000)]) },
];

const polyglots = (): readonly HostileImage[] => [
  {
    name: "JPEG with a page behind it",
    bytes: Buffer.concat([persons.selfie, Buffer.from("<script>1</script>")]),
  },
  { name: "JPEG with a PDF behind it", bytes: Buffer.concat([persons.selfie, pdf]) },
  {
    name: "JPEG in a comment of a JPEG",
    bytes: withSegments(0xfe, [Buffer.from(persons.selfie.subarray(0, 60_000))]),
  },
  { name: "PDF with a JPEG behind it", bytes: Buffer.concat([pdf, persons.selfie]) },
  { name: "animated GIF", bytes: animatedGif },
  { name: "two JPEGs", bytes: Buffer.concat([persons.selfie, persons.selfie]) },
];

/** Images of every run. */
export const listHostileImages = (): readonly HostileImage[] => [
  ofSize(1, 1),
  ofSize(15, 15),
  ofSize(16, 16),
  ofSize(65_535, 1),
  ofSize(16_385, 16),
  ...thin,
  ...bombs(),
  ...floods(),
  ...polyglots(),
];

const flip = (bytes: Buffer, draw: Draw): Buffer => {
  const flipped = Buffer.from(bytes);
  // Headers are short: half of the changes hit them.
  const end = draw.chance(0.5) ? Math.min(700, bytes.length) : bytes.length;
  for (let bits = draw.size(1, 64); bits > 0; bits--) flipped[draw.int(0, end - 1)]! ^= 1 << draw.int(0, 7);
  return flipped;
};

const headerLie = (draw: Draw): PngHeader => ({
  width: draw.pick(sides),
  height: draw.pick(sides),
  depth: draw.pick([0, 1, 2, 4, 8, 16, 32, 255]),
  colour: draw.pick([0, 1, 2, 3, 4, 5, 6, 255]),
  compression: draw.pick([0, 0, 0, 1]),
  filter: draw.pick([0, 0, 0, 1]),
  interlace: draw.pick([0, 1, 2]),
});

type Make = (draw: Draw, bases: ImageBases) => HostileImage;

const makers: readonly Make[] = [
  (draw, bases) => {
    const { format, bytes } = draw.pick(bases);
    return { name: `cut ${format}`, bytes: bytes.subarray(0, draw.int(1, bytes.length - 1)) };
  },
  (draw, bases) => {
    const { format, bytes } = draw.pick(bases);
    return { name: `flipped ${format}`, bytes: flip(bytes, draw) };
  },
  (draw) => ofSize(draw.pick(sides), draw.pick([1, 2, 3, 7, 15, 16, 17, 40])),
  (draw) => ofSize(draw.int(1, 40), draw.pick(sides)),
  (draw) => {
    const header = headerLie(draw);
    return {
      name: `PNG that states ${JSON.stringify(header)}`,
      bytes: writePng(header, draw.bytes(draw.size(1, 4000))),
    };
  },
  (draw) => {
    const [width, height] = [draw.pick([0, ...sides]), draw.pick([0, ...sides])];
    return { name: `JPEG that states ${width} x ${height}`, bytes: jpegOfSize(width, height) };
  },
  (draw) => {
    const count = draw.size(1, 3000);
    const marker = draw.pick([0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe, 0xdb, 0xc4, 0xdd]);
    const data = draw.bytes(draw.size(1, 500));
    return {
      name: `JPEG with ${count} segments ${marker.toString(16)}`,
      bytes: withSegments(
        marker,
        Array.from({ length: count }, () => data),
      ),
    };
  },
  (draw, bases) => {
    const [one, other] = [draw.pick(bases), draw.pick(bases)];
    const start = one.bytes.subarray(0, draw.int(1, one.bytes.length));
    return {
      name: `${one.format} that continues as ${other.format}`,
      bytes: Buffer.concat([start, other.bytes.subarray(draw.int(0, other.bytes.length - 1))]),
    };
  },
  (draw, bases) => {
    const { format, bytes } = draw.pick(bases);
    return {
      name: `noise behind the mark of ${format}`,
      bytes: Buffer.concat([bytes.subarray(0, 16), draw.bytes(3000)]),
    };
  },
];

/** A hostile image that the draws decide. */
export const makeHostileImage: Make = (draw, bases) => draw.pick(makers)(draw, bases);
