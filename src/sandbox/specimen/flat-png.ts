import { crc32, deflateSync } from "node:zlib";
import type { Colour } from "./canvas.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/**
 * A PNG of few flat colours (ISO/IEC 15948, 11.2.3), which compresses to a few kilobytes. `indexAt` gives the
 * position of a pixel's colour in the palette.
 */
export const encodeFlatPng = (
  width: number,
  height: number,
  palette: readonly Colour[],
  indexAt: (x: number, y: number) => number,
): Uint8Array => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexAt(x, y);
  }
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(palette.flat())),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
};
