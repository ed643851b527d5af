import { readOrientation, writeOrientation } from "./orientation.ts";

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];

/** Segments that decide on pixels: frames, tables, restart intervals (ITU-T T.81, table B.1). */
const isNeeded = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xda && marker <= 0xdf);

const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

const segment = (marker: number, content: Uint8Array): Buffer => {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

const beginsWith = (content: Uint8Array, text: string): boolean =>
  Buffer.from(content.subarray(0, text.length)).toString("latin1") === text;

/** The end of the entropy-coded data behind a scan header: the next marker that is no restart. */
const endOfScan = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return -1;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return -1;
};

/**
 * What colour needs of a metadata segment: JFIF, which says that it is YCbCr, and Adobe, each without more,
 * and the profile (ICC.1, B.4).
 */
const colourOf = (marker: number, content: Uint8Array): Buffer | undefined => {
  // The sides of the thumbnail stand in the last two bytes; its pixels are left out.
  if (marker === 0xe0 && beginsWith(content, "JFIF\0") && content.length >= 14)
    return segment(marker, Buffer.concat([content.subarray(0, 12), Buffer.alloc(2)]));
  if (marker === 0xe2 && beginsWith(content, "ICC_PROFILE\0")) return segment(marker, content);
  if (marker === 0xee && beginsWith(content, "Adobe") && content.length >= 12)
    return segment(marker, content.subarray(0, 12));
  return undefined;
};

/**
 * The same pixels of a JPEG without metadata, thumbnails and bytes behind its end. An orientation stays,
 * alone. Undefined for a file in another form than ITU-T T.81 has: it must be encoded anew.
 */
export const stripJpeg = (bytes: Uint8Array): Uint8Array | undefined => {
  const kept: Uint8Array[] = [];
  let [orientation, at] = [1, 2];
  for (;;) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return undefined;
    if (marker === endOfImage) break;
    const to = at + 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
    if (to < at + 4 || to > bytes.length || !(isNeeded(marker) || isMetadata(marker))) return undefined;
    const content = bytes.subarray(at + 4, to);
    if (isMetadata(marker)) {
      const colour = colourOf(marker, content);
      if (colour !== undefined) kept.push(colour);
      if (marker === 0xe1 && beginsWith(content, "Exif\0") && orientation === 1)
        orientation = readOrientation(content);
      at = to;
      continue;
    }
    const end = marker === startOfScan ? endOfScan(bytes, to) : to;
    if (end < 0) return undefined;
    kept.push(bytes.subarray(at, end));
    at = end;
  }
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), writeOrientation(orientation)]);
  return Buffer.concat([
    Buffer.of(0xff, startOfImage),
    ...(orientation === 1 ? [] : [segment(0xe1, exif)]),
    ...kept,
    Buffer.of(0xff, endOfImage),
  ]);
};
