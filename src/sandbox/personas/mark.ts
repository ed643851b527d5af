/**
 * The mark of a persona: its name and that of the image, in a metadata segment of a JPEG (APP9, ITU-T T.81
 * B.2.4.6) or a tEXt chunk of a PNG (PNG third edition, 11.3.3.3). Written into and read from the encoded
 * bytes; no pixel is decoded or changed.
 */
import { crc32 } from "node:zlib";

/** The name of a persona and that of its image: each of lower-case words joined by hyphens. */
const markPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\/[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

const identifier = "Idem-Persona";
/** The identifier, a zero byte, and the two names with a slash between them. */
const contentBytesMax = identifier.length + 1 + 64 + 1 + 32;

/** A file of a camera or an editor has a few dozen segments. A mark that we write comes first. */
const segmentsMax = 64;

const jpeg = { start: [0xff, 0xd8], segment: 0xe9, scan: 0xda, end: 0xd9 } as const;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
/** Length, type and checksum of a chunk. */
const chunkFrame = 12;
/** The header chunk has 13 bytes and stands first. */
const afterHeader = pngSignature.length + chunkFrame + 13;

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const contentOf = (mark: string): Buffer => Buffer.from(`${identifier}\0${mark}`, "latin1");

/** The marked bytes. Throws Error for a mark of another form, or for bytes that are no JPEG or PNG. */
export const writeMark = (bytes: Uint8Array, mark: string): Uint8Array => {
  if (!markPattern.test(mark)) throw new Error(`No mark of a persona: ${mark}`);
  const content = contentOf(mark);
  if (startsWith(bytes, jpeg.start)) return inserted(bytes, 2, jpegSegment(content));
  if (startsWith(bytes, pngSignature)) return inserted(bytes, afterHeader, pngChunk(content));
  throw new Error("Only a JPEG or a PNG takes a mark");
};

const inserted = (bytes: Uint8Array, at: number, added: Uint8Array): Uint8Array =>
  Uint8Array.from(Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]));

const jpegSegment = (content: Buffer): Buffer => {
  const head = Buffer.from([0xff, jpeg.segment, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

const pngChunk = (content: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from("tEXt", "latin1"), content]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  chunk.set(typed, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  return chunk;
};

/**
 * The mark of an encoded image, `persona/image`; undefined where it has none. Never throws, and reads at most
 * 64 segments before the pixels: a segment states its own length, so the work does not grow with the file.
 */
export const readMark = (bytes: Uint8Array): string | undefined => {
  if (startsWith(bytes, jpeg.start)) return findInJpeg(bytes);
  return startsWith(bytes, pngSignature) ? findInPng(bytes) : undefined;
};

const markIn = (content: Uint8Array): string | undefined => {
  if (content.length > contentBytesMax) return undefined;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
  const mark = text.startsWith(`${identifier}\0`) ? text.slice(identifier.length + 1) : "";
  return markPattern.test(mark) ? mark : undefined;
};

const findInJpeg = (bytes: Uint8Array): string | undefined => {
  let at = 2;
  for (let n = 0; n < segmentsMax && at + 4 <= bytes.length; n++) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff || marker === jpeg.scan || marker === jpeg.end) return undefined;
    const end = at + 2 + ((bytes[at + 2]! << 8) | bytes[at + 3]!);
    if (end < at + 4 || end > bytes.length) return undefined;
    const mark = marker === jpeg.segment ? markIn(bytes.subarray(at + 4, end)) : undefined;
    if (mark !== undefined) return mark;
    at = end;
  }
  return undefined;
};

const findInPng = (bytes: Uint8Array): string | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at: number = pngSignature.length;
  for (let n = 0; n < segmentsMax && at + chunkFrame <= bytes.length; n++) {
    const end = at + chunkFrame + view.getUint32(at);
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString("latin1");
    if (type === "IDAT" || type === "IEND" || end > bytes.length) return undefined;
    const mark = type === "tEXt" ? markIn(bytes.subarray(at + 8, end - 4)) : undefined;
    if (mark !== undefined) return mark;
    at = end;
  }
  return undefined;
};
