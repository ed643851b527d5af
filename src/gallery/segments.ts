import { dlibSize, faceresSize } from "./scoring.ts";

/** Rows of one segment: a tenant with one user takes 1.2 MB of address space, of which the system gives what is touched. */
export const segmentRows = 1024;

/**
 * A part of a gallery: rows of signed bytes where the kernel reads them, and for each row what turns its sums into score.
 * `begin` is the first row's address in the memory.
 */
export type Segment = {
  readonly begin: number;
  /** Score per unit of a sum, before the query's own step. */
  readonly dlibFactors: Float32Array;
  readonly faceresFactors: Float32Array;
  /** What is added so that no rounding can lower a score: with the handicap, for dlib alone; then for faceres. */
  readonly dlibSlack: Float32Array;
  readonly faceresSlack: Float32Array;
};

const pageBytes = 65_536;
const dlibBytes = segmentRows * dlibSize;
const segmentBytes = dlibBytes + segmentRows * faceresSize;
/** Before the segments: the query, offsets and sums of one call of the kernel. */
const scratchBytes = pageBytes;
/** 4 GiB, what 32-bit addresses reach. */
const pagesMax = 65_536;

export const dlibAt = ({ begin }: Segment, row: number): number => begin + row * dlibSize;
export const faceresAt = ({ begin }: Segment, row: number): number => begin + dlibBytes + row * faceresSize;

/** Segments of one memory, given out and taken back. What is taken back is overwritten. */
export type Segments = {
  readonly memory: WebAssembly.Memory;
  /** Throws Error where 3.6 million rows are held: past that another design is needed. */
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
