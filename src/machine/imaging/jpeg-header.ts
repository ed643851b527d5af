/** Facts from the markers of a JPEG, without decoding it (ITU-T T.81, annex B). */
export type JpegHeader = {
  /** First luminance quantisation table, in zigzag order. */
  readonly luminanceTable?: readonly number[];
  /** Size of the first frame header, before any EXIF rotation. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Start-of-scan markers; 1 for a baseline file. */
  readonly scans: number;
  /** Whether a frame uses arithmetic coding in place of Huffman codes (SOF9…SOF11, SOF13…SOF15). */
  readonly isArithmetic: boolean;
};

const startOfScan = 0xda;
const quantisationTable = 0xdb;
const endOfImage = 0xd9;

/** Markers without a length: TEM, RST0…RST7, SOI. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** SOF0…SOF15 without DHT, JPG and DAC, which share the range. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const isArithmeticFrame = (marker: number): boolean => startsFrame(marker) && marker > 0xc8;

/** Annex K.1 in zigzag order: the table that quality 50 uses unchanged. */
const standardLuminance: readonly number[] = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58,
  51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103,
  62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
];

/** Tables of one DQT segment by destination (B.2.4.1); a broken segment yields its readable tables. */
const tablesOf = (segment: Uint8Array): ReadonlyMap<number, readonly number[]> => {
  const tables = new Map<number, readonly number[]>();
  for (let at = 0; at < segment.length; ) {
    const head = segment[at]!;
    const width = head >> 4 === 0 ? 1 : 2;
    const end = at + 1 + 64 * width;
    if (end > segment.length) break;
    const values = Array.from({ length: 64 }, (_, i) =>
      width === 1 ? segment[at + 1 + i]! : (segment[at + 1 + 2 * i]! << 8) | segment[at + 2 + 2 * i]!,
    );
    tables.set(head & 15, values);
    at = end;
  }
  return tables;
};

/** Next byte after an 0xFF that is a marker: entropy-coded data stuffs 0x00 there, fill bytes are 0xFF. */
const nextMarker = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1];
    if (marker === undefined) return -1;
    if (marker !== 0 && marker !== 0xff) return at + 1;
  }
  return -1;
};

/** Height and width of a frame header whose marker is at `at` (B.2.2). */
const frameSize = (bytes: Uint8Array, at: number): { width: number; height: number } => ({
  height: ((bytes[at + 4] ?? 0) << 8) | (bytes[at + 5] ?? 0),
  width: ((bytes[at + 6] ?? 0) << 8) | (bytes[at + 7] ?? 0),
});

/**
 * Walks the markers and jumps over segments; it never reads past the end and never throws, whatever the bytes
 * are.
 */
export const readJpegHeader = (bytes: Uint8Array): JpegHeader => {
  let scans = 0;
  let isArithmetic = false;
  let luminanceTable: readonly number[] | undefined;
  let size: JpegHeader["size"];
  for (let at = nextMarker(bytes, 2); at >= 0; ) {
    const marker = bytes[at]!;
    if (marker === endOfImage) break;
    if (standsAlone(marker)) {
      at = nextMarker(bytes, at + 1);
      continue;
    }
    const length = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    if (marker === startOfScan) scans++;
    if (marker === quantisationTable) {
      luminanceTable ??= tablesOf(bytes.subarray(at + 3, at + 1 + length)).get(0);
    }
    if (startsFrame(marker)) size ??= frameSize(bytes, at);
    isArithmetic ||= isArithmeticFrame(marker);
    at = nextMarker(bytes, at + 1 + Math.max(2, length));
  }
  return {
    scans,
    isArithmetic,
    ...(luminanceTable === undefined ? {} : { luminanceTable }),
    ...(size === undefined ? {} : { size }),
  };
};

/**
 * The quality 1…100 whose IJG scaling of the standard table is nearest to this table (mean ratio inverted: S
 * = 5000 / q below 50, 200 - 2 q above). For tables of other encoders, the nearest comparable number.
 */
export const estimateQuality = (luminanceTable: readonly number[]): number => {
  const ratios = luminanceTable.map((value, index) => (100 * value) / standardLuminance[index]!);
  const scale = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const quality = scale > 100 ? 5000 / scale : (200 - scale) / 2;
  return Math.min(100, Math.max(1, Math.round(quality)));
};
