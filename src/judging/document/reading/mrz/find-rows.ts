import { upperMedian } from "#contract/statistics/quantile";
import type { GreyImage } from "#machine/imaging/image";
import { acrossAt, type LineBand } from "../ocr/text-lines.ts";
import type { Seed } from "./find-seeds.ts";
import type { CropMargins, LineReader, ReadLine } from "./read-line.ts";

/** One row of an MRZ: its position and the read text, at its full likely length. */
export type Row = { readonly line: LineBand; readonly read: ReadLine };

/** Rows above and below a seed, by their distance from it (0 is the seed). */
export type Rows = {
  readonly angle: number;
  /** u of the centre of the first character. */
  readonly left: number;
  /** px from character to character. */
  readonly pitch: number;
  /** px from row to row; undefined with a single row. */
  readonly spacing: number | undefined;
  readonly tilt: number;
  readonly height: number;
  readonly rows: ReadonlyMap<number, Row>;
};

/**
 * Row spacings in character pitches of 2.54 mm: the rows of cards are 4.23 mm apart, of two-line documents
 * 6.35 mm.
 */
const spacings = { card: 1.68, book: 2.45, min: 1.2, max: 3.2 } as const;
const limits = { confidenceMin: 0.45, lengthMin: 14, confidenceReliable: 0.7, charactersMin: 29 } as const;

export const rowMargins: CropMargins = { tall: 1.45, ends: 0.4 };

/**
 * Mean step between characters, without the gaps of missed characters; undefined for fewer than nine
 * characters.
 */
const pitchOf = (centres: readonly number[]): number | undefined => {
  const steps = centres.slice(1).map((centre, i) => centre - centres[i]!);
  if (steps.length < 8) {
    return undefined;
  }
  const median = upperMedian(steps);
  const regular = steps.filter((step) => step > 0.7 * median && step < 1.4 * median);
  return regular.reduce((sum, step) => sum + step, 0) / regular.length;
};

/** State of the row search. */
type Search = {
  readonly readLine: LineReader;
  readonly image: GreyImage;
  readonly seed: Seed;
  readonly pitch: number;
  readonly height: number;
  readonly rows: Map<number, Row>;
  left: number;
  spacing: number | undefined;
};

/** The nearest detected line above or below; without one, the positions that the formats predict. */
const placesBeside = (
  { seed, left, pitch, spacing }: Search,
  across: number,
  side: number,
): readonly number[] => {
  const detected = seed.lines
    .filter((line) => line.from < left + 6 * pitch && line.to > left + 6 * pitch)
    .map((line) => acrossAt(line, left))
    .filter((v) => (v - across) * side > spacings.min * pitch && (v - across) * side < spacings.max * pitch)
    .sort((a, b) => (a - b) * side);
  if (detected[0] !== undefined) {
    return [detected[0]];
  }
  const steps = spacing === undefined ? [spacings.card * pitch, spacings.book * pitch] : [spacing];
  return steps.map((step) => across + side * step);
};

const lineAt = ({ seed, left, pitch, height, spacing }: Search, across: number): LineBand => {
  const last = seed.read.centres[seed.read.centres.length - 1] ?? left;
  return {
    from: left - 0.7 * pitch,
    to: left + Math.max(last - left, limits.charactersMin * pitch) + 0.7 * pitch,
    across,
    pivot: left,
    height: Math.min(height, (spacing ?? Infinity) * 0.95),
    tilt: seed.line.tilt,
  };
};

const worthOf = ({ greedy }: ReadLine): number => greedy.confidence * Math.min(1, greedy.text.length / 28);

const readBest = async (search: Search, places: readonly number[]): Promise<Row> => {
  const rows: Row[] = [];
  for (const across of places) {
    const line = lineAt(search, across);
    const read = await search.readLine(search.image, search.seed.angle, line, rowMargins);
    rows.push({ line: { ...line, across: across + read.shift }, read });
  }
  return rows.reduce((best, row) => (worthOf(row.read) > worthOf(best.read) ? row : best));
};

const isRow = ({ greedy }: ReadLine): boolean =>
  greedy.confidence >= limits.confidenceMin && greedy.text.length >= limits.lengthMin;

/**
 * Moves the left edge: a reliable row that begins further left shows that the seed lost its first characters.
 */
const moveLeft = (search: Search, read: ReadLine): void => {
  const first = read.centres[0] ?? search.left;
  const { left, pitch } = search;
  if (
    read.greedy.confidence > limits.confidenceReliable &&
    first < left - 0.6 * pitch &&
    first > left - 2.5 * pitch
  ) {
    search.left = first;
  }
};

/** Reads the row at an offset; returns whether there was a row to add. */
const addRow = async (search: Search, offset: number): Promise<boolean> => {
  const side = Math.sign(offset);
  const neighbour = search.rows.get(offset - side);
  if (neighbour === undefined) {
    return false;
  }
  const row = await readBest(search, placesBeside(search, neighbour.line.across, side));
  if (!isRow(row.read)) {
    return false;
  }
  search.rows.set(offset, row);
  search.spacing = Math.abs(row.line.across - neighbour.line.across);
  moveLeft(search, row.read);
  return true;
};

/**
 * A first line begins with its document code and a state; a line of names only is the third line of a card.
 */
const firstLine = /^[ACIPV][A-Z<]{4}/;
const nameLine = /^[A-Z]+<[A-Z<]*$/;

const offsetsAround = ({ greedy: { text } }: ReadLine): readonly number[] => {
  if (firstLine.test(text)) {
    return [1, 2, -1, -2];
  }
  return nameLine.test(text) ? [-1, -2, 1, 2] : [-1, 1, -2, 2];
};

const mrzOf = ({ seed, left, pitch, height, spacing, rows }: Search): Rows => ({
  angle: seed.angle,
  left,
  pitch,
  spacing,
  tilt: seed.line.tilt,
  height,
  rows,
});

/**
 * Reads the rows around a seed, at most two above and two below. `isEnough` runs after each row and can end
 * the search. Undefined when the seed has too few characters.
 */
export const findRows = async (
  readLine: LineReader,
  image: GreyImage,
  seed: Seed,
  isEnough: (mrz: Rows) => Promise<boolean>,
): Promise<Rows | undefined> => {
  const pitch = pitchOf(seed.read.centres);
  const left = seed.read.centres[0];
  if (pitch === undefined || left === undefined) {
    return undefined;
  }
  const height = Math.max(seed.read.inkHeight * 1.6, 0.9 * pitch);
  const search: Search = { readLine, image, seed, pitch, height, rows: new Map(), left, spacing: undefined };
  const own = await readBest(search, [acrossAt(seed.line, left) + seed.read.shift]);
  search.rows.set(0, own);
  moveLeft(search, own.read);
  for (const offset of offsetsAround(own.read)) {
    if ((await addRow(search, offset)) && (await isEnough(mrzOf(search)))) {
      break;
    }
  }
  return mrzOf(search);
};
