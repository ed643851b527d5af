import { makePlaces } from "./places.ts";
import { lengthOf, quantiseRow } from "./quantise.ts";
import { makeScan, type Scan } from "./scan.ts";
import { type Descriptors, dlibSize, faceresSize, lengthsMax, type Scoring } from "./scoring.ts";
import { dlibAt, faceresAt, type Segment, type Segments, segmentRows } from "./segments.ts";

/** The faces of one gallery, by id, in memory only. Made by {@link makeGallery}. */
export type Gallery = {
  /**
   * Adds a face, or replaces the face of the same id, a UUID. Throws Error for vectors longer than a
   * template's.
   */
  readonly put: (id: string, face: Descriptors) => void;
  readonly remove: (id: string) => void;
  readonly clear: () => void;
  readonly size: () => number;
  readonly search: Scan;
};

/** A gallery in the segments of a memory that other galleries share. */
export const makeGallery = (segments: Segments, scoring: Scoring): Gallery => {
  const rows: Segment[] = [];
  const places = makePlaces();
  const segmentOf = (place: number): Segment => rows[Math.floor(place / segmentRows)]!;

  const place = (id: string): number => {
    if (places.size() === rows.length * segmentRows) {
      rows.push(segments.take());
    }
    return places.add(id);
  };

  const remove = (id: string): void => {
    const hole = places.find(id);
    if (hole === undefined) {
      return;
    }
    places.remove(hole);
    const last = places.size();
    const tail = segmentOf(last);
    if (hole !== last) {
      copyRow(segments.memory, tail, last % segmentRows, segmentOf(hole), hole % segmentRows);
    }
    eraseRow(segments.memory, tail, last % segmentRows);
    if (last % segmentRows === 0) {
      rows.pop();
      segments.giveBack(tail);
    }
  };

  return {
    put: (id, face) => {
      requireBounded(face);
      const at = places.find(id) ?? place(id);
      writeRow(segments.memory, segmentOf(at), at % segmentRows, face, scoring);
    },
    remove,
    clear: () => {
      rows.splice(0).forEach(segments.giveBack);
      places.clear();
    },
    size: places.size,
    search: makeScan(segments.memory, rows, places, scoring),
  };
};

const requireBounded = ({ dlib, faceres, handicap }: Descriptors): void => {
  const isSized = dlib.length === dlibSize && faceres.length === faceresSize;
  const isBounded = [dlib, faceres].every((vector) => lengthOf(vector) ** 2 <= lengthsMax);
  if (!isSized || !isBounded || !(handicap >= 0)) {
    throw new Error("The gallery takes only unit vectors of a template, or parts of one");
  }
};

/**
 * q·b = q̂·b̂ + q·(b - b̂) + (q - q̂)·b̂ for a query and a row with their rounded forms. The rounding error
 * of the row contributes at most its length times the query's length (Cauchy-Schwarz): this is the row's
 * slack. The last term belongs to the query.
 */
const writeRow = (
  memory: WebAssembly.Memory,
  segment: Segment,
  row: number,
  { dlib, faceres, handicap }: Descriptors,
  scoring: Scoring,
): void => {
  const [short, long] = [quantiseRow(dlib), quantiseRow(faceres)];
  new Int8Array(memory.buffer, dlibAt(segment, row), dlibSize).set(short.values);
  new Int8Array(memory.buffer, faceresAt(segment, row), faceresSize).set(long.values);
  segment.dlibFactors[row] = scoring.dlib * short.step;
  segment.faceresFactors[row] = scoring.faceres * long.step;
  segment.dlibSlack[row] = scoring.dlib * short.error * lengthsMax - handicap / 2;
  segment.faceresSlack[row] = scoring.faceres * long.error * lengthsMax;
};

const copyRow = (
  { buffer }: WebAssembly.Memory,
  from: Segment,
  fromRow: number,
  to: Segment,
  toRow: number,
): void => {
  const bytes = new Uint8Array(buffer);
  bytes.copyWithin(dlibAt(to, toRow), dlibAt(from, fromRow), dlibAt(from, fromRow) + dlibSize);
  bytes.copyWithin(faceresAt(to, toRow), faceresAt(from, fromRow), faceresAt(from, fromRow) + faceresSize);
  for (const numbers of numbersOf) {
    numbers(to)[toRow] = numbers(from)[fromRow]!;
  }
};

const numbersOf: readonly ((segment: Segment) => Float32Array)[] = [
  ({ dlibFactors }) => dlibFactors,
  ({ faceresFactors }) => faceresFactors,
  ({ dlibSlack }) => dlibSlack,
  ({ faceresSlack }) => faceresSlack,
];

/** Overwrites the row, so that no vector stays in memory after its user is deleted. */
const eraseRow = ({ buffer }: WebAssembly.Memory, segment: Segment, row: number): void => {
  new Uint8Array(buffer, dlibAt(segment, row), dlibSize).fill(0);
  new Uint8Array(buffer, faceresAt(segment, row), faceresSize).fill(0);
};
