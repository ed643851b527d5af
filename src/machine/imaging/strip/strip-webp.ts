import { readOrientation, writeOrientation } from "./orientation.ts";

/** Chunks that decide on pixels and colour (RFC 9649, 2.7). */
const needed: ReadonlySet<string> = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** Flags of VP8X: EXIF and XMP. */
const [exifFlag, xmpFlag] = [0x08, 0x04];

const chunk = (type: string, data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, "latin1"), length, data, Buffer.alloc(data.length & 1)]);
};

const withFlags = (extended: Uint8Array, hasExif: boolean): Buffer => {
  const data = Buffer.from(extended);
  if (data.length > 0) data[0] = (data[0]! & ~(exifFlag | xmpFlag)) | (hasExif ? exifFlag : 0);
  return data;
};

/**
 * The same pixels of a WebP without metadata, unknown chunks and bytes behind its end. An orientation stays,
 * alone. Undefined for a file whose chunks cannot be read.
 */
export const stripWebp = (bytes: Uint8Array): Uint8Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20) return undefined;
  const to = Math.min(bytes.length, 8 + view.getUint32(4, true));
  const chunks: (readonly [string, Uint8Array])[] = [];
  let orientation = 1;
  for (let at = 12; at + 8 <= to; ) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return undefined;
    if (needed.has(type)) chunks.push([type, data]);
    if (type === "EXIF" && orientation === 1) orientation = readOrientation(data);
    at += 8 + length + (length & 1);
  }
  const isExtended = chunks.some(([type]) => type === "VP8X");
  const hasExif = isExtended && orientation !== 1;
  const kept = chunks.map(([type, data]) => chunk(type, type === "VP8X" ? withFlags(data, hasExif) : data));
  const body = Buffer.concat([
    Buffer.from("WEBP", "latin1"),
    ...kept,
    ...(hasExif ? [chunk("EXIF", writeOrientation(orientation))] : []),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return kept.length === 0 ? undefined : Buffer.concat([Buffer.from("RIFF", "latin1"), size, body]);
};
