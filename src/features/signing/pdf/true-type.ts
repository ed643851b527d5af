/**
 * A TrueType font as it is drawn with: glyphs by their number, lengths in thousandths of the font size
 * (ISO/IEC 14496-22).
 */
export type TrueType = {
  /** For PostScript, such as `DejaVuSans`. */
  readonly name: string;
  /** Lower left and upper right corner of all glyphs. */
  readonly box: readonly number[];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly italicAngle: number;
  readonly isFixedPitch: boolean;
  /** The glyph of a code point; 0 where the font has none. */
  readonly glyphOf: (codePoint: number) => number;
  readonly widthOf: (glyph: number) => number;
  /** A font file in which these glyphs keep their numbers and all others are empty. */
  readonly subset: (glyphs: Iterable<number>) => Buffer;
};

type Tables = ReadonlyMap<string, Buffer>;

const tablesOf = (font: Buffer): Tables =>
  new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const at = 12 + index * 16;
      const from = font.readUInt32BE(at + 8);
      return [font.toString("latin1", at, at + 4), font.subarray(from, from + font.readUInt32BE(at + 12))];
    }),
  );

const getTable = (tables: Tables, tag: string): Buffer => {
  const table = tables.get(tag);
  if (table === undefined) throw new Error(`the font has no table ${tag}`);
  return table;
};

/** The table for all of Unicode (format 12), or for its first plane (format 4). */
const readCharacterMap = (cmap: Buffer): TrueType["glyphOf"] => {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.readUInt32BE(8 + index * 8),
  );
  const find = (format: number): Buffer | undefined => {
    const at = offsets.find((offset) => cmap.readUInt16BE(offset) === format);
    return at === undefined ? undefined : cmap.subarray(at);
  };
  const [whole, plane] = [find(12), find(4)];
  if (whole !== undefined) return (codePoint) => glyphInGroups(whole, codePoint);
  if (plane !== undefined) return (codePoint) => glyphInSegments(plane, codePoint);
  throw new Error("the font has no map of characters that is read");
};

const glyphInGroups = (map: Buffer, codePoint: number): number => {
  const count = map.readUInt32BE(12);
  for (let at = 16; at < 16 + count * 12; at += 12) {
    const first = map.readUInt32BE(at);
    if (codePoint >= first && codePoint <= map.readUInt32BE(at + 4))
      return map.readUInt32BE(at + 8) + codePoint - first;
  }
  return 0;
};

const glyphInSegments = (map: Buffer, codePoint: number): number => {
  const length = map.readUInt16BE(6);
  for (let segment = 0; segment < length; segment += 2) {
    if (codePoint > map.readUInt16BE(14 + segment)) continue;
    const first = map.readUInt16BE(16 + length + segment);
    if (codePoint < first) return 0;
    const delta = map.readUInt16BE(16 + 2 * length + segment);
    const rangeAt = 16 + 3 * length + segment;
    const range = map.readUInt16BE(rangeAt);
    const glyph = range === 0 ? codePoint : map.readUInt16BE(rangeAt + range + 2 * (codePoint - first));
    return range !== 0 && glyph === 0 ? 0 : (glyph + delta) % 0x1_00_00;
  }
  return 0;
};

/** The name for PostScript: number 6 of the names, in UTF-16 or in Latin letters. */
const readName = (names: Buffer): string => {
  const storage = names.readUInt16BE(4);
  for (let record = 6; record < 6 + names.readUInt16BE(2) * 12; record += 12) {
    if (names.readUInt16BE(record + 6) !== 6) continue;
    const from = storage + names.readUInt16BE(record + 10);
    const text = names.toString("latin1", from, from + names.readUInt16BE(record + 8));
    return text.replaceAll(/[^!-~]|[[\](){}<>/%]/g, "");
  }
  return "Font";
};

/** The data of each glyph. */
const glyphReader = (tables: Tables) => {
  const [loca, glyf] = [getTable(tables, "loca"), getTable(tables, "glyf")];
  const isLong = getTable(tables, "head").readUInt16BE(50) === 1;
  const offsetOf = (glyph: number): number =>
    isLong ? loca.readUInt32BE(glyph * 4) : 2 * loca.readUInt16BE(glyph * 2);
  return (glyph: number): Buffer => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
};

/** Flags of a part of a composite glyph: 16-bit offsets, one scale, more parts, two scales, a matrix. */
const [hasWords, hasScale, hasMore, hasScales, hasMatrix] = [1, 8, 32, 64, 128];

/** The glyphs that a composite glyph is made of. */
const partsOf = (data: Buffer): readonly number[] => {
  const parts: number[] = [];
  if (data.length === 0 || data.readInt16BE(0) >= 0) return parts;
  for (let at = 10, flags = hasMore; (flags & hasMore) !== 0; ) {
    flags = data.readUInt16BE(at);
    parts.push(data.readUInt16BE(at + 2));
    at += (flags & hasWords) !== 0 ? 8 : 6;
    if ((flags & hasScale) !== 0) at += 2;
    else if ((flags & hasScales) !== 0) at += 4;
    else if ((flags & hasMatrix) !== 0) at += 8;
  }
  return parts;
};

/** The widths of these glyphs; those of the others are 0, which compress well. */
const keepMetrics = (tables: Tables, kept: ReadonlySet<number>): Buffer => {
  const [hmtx, full] = [getTable(tables, "hmtx"), getTable(tables, "hhea").readUInt16BE(34)];
  const metrics = Buffer.alloc(hmtx.length);
  for (const glyph of kept) {
    const [from, length] = glyph < full ? [4 * glyph, 4] : [4 * full + 2 * (glyph - full), 2];
    hmtx.copy(metrics, from, from, from + length);
  }
  // Glyphs behind the last full entry have its width.
  hmtx.copy(metrics, 4 * (full - 1), 4 * (full - 1), 4 * full);
  return metrics;
};

const subsetTables = (tables: Tables, wanted: Iterable<number>): Tables => {
  const dataOf = glyphReader(tables);
  const kept = new Set<number>();
  const open = [0, ...wanted];
  for (let glyph = open.pop(); glyph !== undefined; glyph = open.pop()) {
    if (kept.has(glyph)) continue;
    kept.add(glyph);
    open.push(...partsOf(dataOf(glyph)));
  }
  const count = getTable(tables, "maxp").readUInt16BE(4);
  const loca = Buffer.alloc((count + 1) * 4);
  const parts: Buffer[] = [];
  let at = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    loca.writeUInt32BE(at, glyph * 4);
    if (!kept.has(glyph)) continue;
    const data = dataOf(glyph);
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4);
    data.copy(padded);
    parts.push(padded);
    at += padded.length;
  }
  loca.writeUInt32BE(at, count * 4);
  const head = Buffer.from(getTable(tables, "head"));
  // Its checksum is of the whole font, which readers of PDF do not check. Offsets are long.
  head.writeUInt32BE(0, 8);
  head.writeUInt16BE(1, 50);
  const same = ["cvt ", "fpgm", "hhea", "maxp", "prep"].flatMap((tag) => {
    const table = tables.get(tag);
    return table === undefined ? [] : [[tag, table] as const];
  });
  return new Map([
    ...same,
    ["glyf", Buffer.concat(parts)],
    ["head", head],
    ["hmtx", keepMetrics(tables, kept)],
    ["loca", loca],
  ]);
};

const checksumOf = (table: Buffer): number => {
  let sum = 0;
  for (let at = 0; at + 4 <= table.length; at += 4) sum = (sum + table.readUInt32BE(at)) % 0x1_0000_0000;
  return sum;
};

const writeTables = (tables: Tables): Buffer => {
  const list = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(12 + list.length * 16);
  const power = Math.floor(Math.log2(list.length));
  head.writeUInt32BE(0x1_0000, 0);
  head.writeUInt16BE(list.length, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (list.length - 2 ** power), 10);
  let at = head.length;
  const bodies = list.map(([tag, table], index) => {
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4);
    table.copy(padded);
    head.write(tag, 12 + index * 16, "latin1");
    head.writeUInt32BE(checksumOf(padded), 16 + index * 16);
    head.writeUInt32BE(at, 20 + index * 16);
    head.writeUInt32BE(table.length, 24 + index * 16);
    at += padded.length;
    return padded;
  });
  return Buffer.concat([head, ...bodies]);
};

/** Height of capital letters, since version 2 of the table; otherwise the ascent. */
const capHeightOf = (metrics: Buffer | undefined, ascent: number): number =>
  metrics !== undefined && metrics.readUInt16BE(0) >= 2 ? metrics.readInt16BE(88) : ascent;

/** Reads a font of the deployment. It is trusted: a damaged one is an error of ours. */
export const readTrueType = (bytes: Uint8Array): TrueType => {
  const tables = tablesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const [head, hhea, hmtx] = [getTable(tables, "head"), getTable(tables, "hhea"), getTable(tables, "hmtx")];
  const post = getTable(tables, "post");
  const scale = 1000 / head.readUInt16BE(18);
  const scaled = (units: number): number => Math.round(units * scale);
  const ascent = hhea.readInt16BE(4);
  const widths = hhea.readUInt16BE(34);
  return {
    name: readName(getTable(tables, "name")),
    box: [36, 38, 40, 42].map((at) => scaled(head.readInt16BE(at))),
    ascent: scaled(ascent),
    descent: scaled(hhea.readInt16BE(6)),
    capHeight: scaled(capHeightOf(tables.get("OS/2"), ascent)),
    italicAngle: post.readInt32BE(4) / 0x1_0000,
    isFixedPitch: post.readUInt32BE(12) !== 0,
    glyphOf: readCharacterMap(getTable(tables, "cmap")),
    widthOf: (glyph) => scaled(hmtx.readUInt16BE(4 * Math.min(glyph, widths - 1))),
    subset: (glyphs) => writeTables(subsetTables(tables, glyphs)),
  };
};
