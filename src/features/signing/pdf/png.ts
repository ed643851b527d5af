import { inflateSync } from "node:zlib";
import { undoPngPredictor } from "./predictor.ts";

/** The pixels of an image in 8 bits for each sample, from its upper left corner. */
export type Pixels = {
  readonly width: number;
  readonly height: number;
  /** One grey sample or three of red, green and blue for each pixel. */
  readonly colours: Buffer;
  readonly isGrey: boolean;
  /** One sample for each pixel; undefined where every pixel is opaque. */
  readonly opacity: Buffer | undefined;
};

/** What a PNG states of its pixels, and the parts that hold them (ISO/IEC 15948, 11.2 and 11.3.2). */
export type PngParts = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly kind: number;
  readonly isInterlaced: boolean;
  readonly palette: Buffer;
  readonly transparency: Buffer | undefined;
  readonly data: Buffer;
};

/** Samples of a pixel by the kind of colours (ISO/IEC 15948, 11.2.2). */
export const samplesOf: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** Decodes within `bytesMax` inflated bytes. Throws for an image that is interlaced, damaged or larger. */
export const decodePng = (png: PngParts, bytesMax: number): Pixels => {
  const { width, height, depth, kind } = png;
  const perPixel = samplesOf.get(kind) ?? 0;
  if (png.isInterlaced) throw new Error("an interlaced image is not read");
  const rowBytes = Math.ceil((width * perPixel * depth) / 8);
  const rows = undoPngPredictor(
    inflateSync(png.data, { maxOutputLength: bytesMax }),
    rowBytes,
    Math.max(1, (perPixel * depth) >> 3),
  );
  if (rows.length < rowBytes * height) throw new Error("rows of an image are missing");
  const samples = readSamples(rows, { ...png, perRow: width * perPixel, rowBytes });
  return { width, height, isGrey: kind % 4 === 0, ...splitSamples(samples, png) };
};

/** Samples as they stand in the image: of 1 to 16 bits. */
const readSamples = (
  rows: Buffer,
  { height, depth, perRow, rowBytes }: PngParts & { readonly perRow: number; readonly rowBytes: number },
): Uint16Array | Buffer => {
  if (depth === 8) return rows;
  const samples = new Uint16Array(perRow * height);
  for (let row = 0, to = 0; row < height; row++)
    for (let index = 0; index < perRow; index++, to++) {
      const bit = index * depth;
      const at = row * rowBytes + (bit >> 3);
      samples[to] =
        depth === 16 ? rows.readUInt16BE(at) : (rows[at]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
    }
  return samples;
};

type Split = Pick<Pixels, "colours" | "opacity">;

const splitSamples = (samples: Uint16Array | Buffer, png: PngParts): Split => {
  if (png.kind === 3) return splitIndices(samples, png);
  const hasOpacity = png.kind >= 4;
  const perColour = png.kind % 4 === 0 ? 1 : 3;
  const per = perColour + (hasOpacity ? 1 : 0);
  const pixels = png.width * png.height;
  const colours = Buffer.alloc(pixels * perColour);
  const clear = png.transparency;
  const opacity = hasOpacity || clear !== undefined ? Buffer.alloc(pixels, 255) : undefined;
  const factor = 255 / (2 ** png.depth - 1);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * per;
    let isClear = !hasOpacity && clear !== undefined;
    for (let colour = 0; colour < perColour; colour++) {
      const sample = samples[at + colour]!;
      colours[pixel * perColour + colour] = Math.round(sample * factor);
      // One colour of the image may be stated as transparent, in two bytes for each sample.
      if (isClear) isClear = clear?.readUInt16BE(2 * colour) === sample;
    }
    if (opacity !== undefined && hasOpacity) opacity[pixel] = Math.round(samples[at + perColour]! * factor);
    else if (opacity !== undefined && isClear) opacity[pixel] = 0;
  }
  return { colours, opacity };
};

const splitIndices = (
  samples: Uint16Array | Buffer,
  { width, height, palette, transparency }: PngParts,
): Split => {
  const pixels = width * height;
  const colours = Buffer.alloc(pixels * 3);
  const opacity = transparency === undefined ? undefined : Buffer.alloc(pixels, 255);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const index = samples[pixel]!;
    palette.copy(colours, pixel * 3, index * 3, index * 3 + 3);
    if (opacity !== undefined) opacity[pixel] = transparency?.[index] ?? 255;
  }
  return { colours, opacity };
};
