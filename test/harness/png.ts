import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** One PNG chunk with its right CRC. */
export const chunk = (type: string, data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Contents of IHDR; numbers that no PNG may have are written as they are. */
export type PngHeader = {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly compression?: number;
  readonly filter?: number;
  readonly interlace?: number;
};

const headerChunk = ({
  width,
  height,
  depth = 1,
  colour = 0,
  compression = 0,
  filter = 0,
  interlace = 0,
}: PngHeader): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, compression, filter, interlace], 8);
  return chunk("IHDR", header);
};

/** A PNG of a header, any chunks, and the given bytes as deflated pixels. */
export const writePng = (header: PngHeader, pixels: Uint8Array, between: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    signature,
    headerChunk(header),
    ...between,
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);

/** A sound black PNG with one bit for each pixel. */
export const writeBlackPng = (width: number, height: number, between: readonly Buffer[] = []): Buffer =>
  writePng({ width, height }, Buffer.alloc((Math.ceil(width / 8) + 1) * height), between);
