/** The EXIF texts that a reviewer needs (Exif 2.32, 4.6.4: tags 0x010F, 0x0110, 0x0131 of IFD0). */
export type ExifFacts = { readonly software?: string; readonly camera?: string };

const tagMake = 0x010f;
const tagModel = 0x0110;
const tagSoftware = 0x0131;
const typeAscii = 2;
const entriesMax = 256;
const textLengthMax = 64;

/** Printable ASCII up to the first NUL, truncated and trimmed: the sender of the file controls this text. */
const textAt = (view: DataView, offset: number, count: number): string | undefined => {
  const end = Math.min(view.byteLength, offset + Math.min(count, textLengthMax));
  let text = "";
  for (let at = offset; at < end; at++) {
    const code = view.getUint8(at);
    if (code === 0) break;
    text += code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "?";
  }
  text = text.trim();
  return text === "" ? undefined : text;
};

/**
 * Reads IFD0 of a raw EXIF block, with or without the leading `Exif\0\0`. It checks every offset against the
 * block, reads at most 256 entries and follows no pointer. Broken blocks give no facts and no error.
 */
export const readExif = (block: Uint8Array): ExifFacts => {
  const start = block[0] === 0x45 && block[1] === 0x78 ? 6 : 0;
  if (block.length < start + 8) return {};
  const view = new DataView(block.buffer, block.byteOffset + start, block.length - start);
  const littleEndian = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, littleEndian);
  if (directory + 2 > view.byteLength) return {};
  const entries = Math.min(entriesMax, view.getUint16(directory, littleEndian));
  const texts = new Map<number, string>();
  for (let i = 0; i < entries; i++) {
    const at = directory + 2 + 12 * i;
    if (at + 12 > view.byteLength) break;
    if (view.getUint16(at + 2, littleEndian) !== typeAscii) continue;
    const count = view.getUint32(at + 4, littleEndian);
    const offset = count <= 4 ? at + 8 : view.getUint32(at + 8, littleEndian);
    const text = offset < view.byteLength ? textAt(view, offset, count) : undefined;
    if (text !== undefined) texts.set(view.getUint16(at, littleEndian), text);
  }
  return factsOf(texts);
};

const factsOf = (texts: ReadonlyMap<number, string>): ExifFacts => {
  const software = texts.get(tagSoftware);
  const camera = [texts.get(tagMake), texts.get(tagModel)].filter((text) => text !== undefined).join(" ");
  return { ...(software === undefined ? {} : { software }), ...(camera === "" ? {} : { camera }) };
};
