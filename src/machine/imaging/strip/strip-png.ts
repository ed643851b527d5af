import { crc32 } from "node:zlib";
import { readOrientation, writeOrientation } from "./orientation.ts";

/** Chunks that decide on pixels and colour (PNG third edition, 11.2 and 11.3.2). */
const needed: ReadonlySet<string> = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "cICP",
  "sBIT",
]);

const signatureBytes = 8;

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/**
 * The same pixels of a PNG without texts, times and bytes behind its end. An orientation stays, alone.
 * Undefined for a file whose chunks cannot be read.
 */
export const stripPng = (bytes: Uint8Array): Uint8Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [];
  let orientation = 1;
  for (let at = signatureBytes; at + 12 <= bytes.length; ) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    if (needed.has(type)) kept.push(bytes.subarray(at, end));
    if (type === "eXIf" && orientation === 1) orientation = readOrientation(bytes.subarray(at + 8, end - 4));
    if (type === "IEND") {
      const [header, ...rest] = kept;
      if (header === undefined) return undefined;
      const exif = orientation === 1 ? [] : [chunk("eXIf", writeOrientation(orientation))];
      return Buffer.concat([
        bytes.subarray(0, signatureBytes),
        header,
        ...exif,
        ...rest,
        chunk("IEND", Buffer.of()),
      ]);
    }
    at = end;
  }
  return undefined;
};
