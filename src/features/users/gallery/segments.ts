import { dlibSize, faceresSize } from "./scoring.ts";

/**
 * Rows of one segment. A tenant with one user takes 1.2 MB of address space; the system provides only the
 * touched pages.
 */
export const segmentRows = 1024;

/**
 * A part of a gallery: rows of signed bytes where the kernel reads them, and for each row the factors from
 * its sums to its score. `begin` is the first row's address in the memory.
 */
export type Segment = {
  readonly begin: number;
  /** Score per unit of a sum, before the query's own step. */
  readonly dlibFactors: Float32Array;
  readonly faceresFactors: Float32Array;
  /** The slack that keeps rounding from lowering a score: for dlib with the handicap, then for faceres. */
  readonly dlibSlack: Float32Array;
  readonly faceresSlack: Float32Array;
};

const pageBytes = 65_536;
const dlibBytes = segmentRows * dlibSize;
const segmentBytes = dlibBytes + segmentRows * faceresSize;
/** Space before the segments: the query, offsets and sums of one call of the kernel. */
const scratchBytes = pageBytes;
/** 4 GiB, the range of 32-bit addresses. */
const pagesMax = 65_536;

export const dlibAt = ({ begin }: Segment, row: number): number => begin + row * dlibSize;
export const faceresAt = ({ begin }: Segment, row: number): number => begin + dlibBytes + row * faceresSize;

/**
 * Hands out and takes back the segments of one memory. A returned segment is overwritten. Made by
 * {@link makeSegments}.
 */
export type Segments = {
  readonly memory: WebAssembly.Memory;
  /** Throws Error when 3.6 million rows are held: a larger gallery needs another design. */
  readonly take: () => Segment;
  readonly giveBack: (segment: Segment) => void;
};

const numbers = (): Float32Array => new Float32Array(segmentRows);

export const makeSegments = (): Segments => {
  const memory = new WebAssembly.Memory({ initial: scratchBytes / pageBytes, maximum: pagesMax });
  const free: number[] = [];
  let end = scratchBytes;

  const extend = (): number => {
    const missing = Math.ceil((end + segmentBytes - memory.buffer.byteLength) / pageBytes);
    if (end + segmentBytes > pagesMax * pageBytes) {
      throw new Error("The gallery of this process is full");
    }
    if (missing > 0) {
      memory.grow(missing);
    }
    const begin = end;
    end += segmentBytes;
    return begin;
  };

  return {
    memory,
    take: () => ({
      begin: free.pop() ?? extend(),
      dlibFactors: numbers(),
      faceresFactors: numbers(),
      dlibSlack: numbers(),
      faceresSlack: numbers(),
    }),
    giveBack: ({ begin }) => {
      new Uint8Array(memory.buffer, begin, segmentBytes).fill(0);
      free.push(begin);
    },
  };
};
