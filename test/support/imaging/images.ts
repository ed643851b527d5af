import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Image } from "#machine/imaging/image";

/** An image whose pixels encode their position: red grows to the right, green downwards, blue is constant. */
export const gradient = (width: number, height: number): Image => {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data.set(
        [(255 * x) / Math.max(1, width - 1), (255 * y) / Math.max(1, height - 1), 80],
        (y * width + x) * 3,
      );
    }
  }
  return { width, height, data };
};

export const source = ({ data, width, height }: Image) =>
  sharp(data, { raw: { width, height, channels: 3 } });

/** One chunk of a PNG (PNG third edition, 5.3). */
export const pngChunk = (type: string, body: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(12 + body.length);
  chunk.writeUInt32BE(body.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(body, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length);
  return chunk;
};

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A grey PNG of any claimed size with only a few real bytes of pixels: 50,000 x 50,000 fits in a hundred
 * bytes.
 */
export const pngOf = (width: number, height: number, between: readonly Buffer[] = []): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(Math.min(1_000_000, (width + 1) * height)));
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    ...between,
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

/** A white PNG with all its pixels, one bit each: 50 megapixels fit in a few thousand bytes. */
export const whitePng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(rowBytes * height, 0xff);
  // The first byte of each row names its filter (PNG third edition, 9.2): none.
  for (let row = 0; row < height; row++) rows[row * rowBytes] = 0;
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

/** A baseline JPEG whose frame header claims another size. */
export const claimSize = (jpeg: Uint8Array, width: number, height: number): Buffer => {
  const bytes = Buffer.from(jpeg);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
};
