import type { GreyImage } from "#machine/imaging/image";
import { type LineBand, type LineGroup, rotatedLine } from "../ocr/text-lines.ts";
import type { CropMargins, LineReader, ReadLine } from "./read-line.ts";

/** A line that looks like an MRZ line. `lines` are the lines of its direction, in the same frame. */
export type Seed = {
  readonly angle: number;
  readonly line: LineBand;
  readonly read: ReadLine;
  readonly likeness: number;
  readonly lines: readonly LineBand[];
};

/** Measured on the development images (docs/measurements/documents.md). */
const limits = {
  groupsMax: 3,
  linesMax: 10,
  lengthMin: 12,
  lengthMax: 50,
  likenessMin: 0.25,
  likenessReliable: 0.9,
  /** Every MRZ line has this many fillers or digits; ordinary text, read as MRZ, seldom has. */
  fillersMin: 2,
  digitsMin: 8,
} as const;

const margins: CropMargins = { tall: 1.5, ends: 0.4 };

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Likeness to an MRZ line, 0…1: a confident, long text with many fillers and digits. */
const likenessOf = ({ greedy: { text, confidence } }: Pick<ReadLine, "greedy">): number => {
  if (text.length < limits.lengthMin || text.length > limits.lengthMax) {
    return 0;
  }
  const [fillers, digits] = [countOf(text, /</g), countOf(text, /\d/g)];
  if (fillers < limits.fillersMin && digits < limits.digitsMin) {
    return 0;
  }
  const typical = Math.min(1, (fillers / 3 + digits / 8) / 2);
  return confidence * Math.min(1, text.length / 30) * (0.4 + 0.6 * typical);
};

const lengthOf = (line: LineBand): number => line.to - line.from;

/** Both reading directions of each group, the longest lines first. */
const candidatesOf = function* (groups: readonly LineGroup[]) {
  for (const { angle, lines } of groups.slice(0, limits.groupsMax)) {
    const longest = [...lines].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, limits.linesMax);
    for (const isRotated of [false, true]) {
      const own = isRotated ? lines.map(rotatedLine) : lines;
      for (const line of longest) {
        yield {
          angle: isRotated ? angle + Math.PI : angle,
          line: isRotated ? rotatedLine(line) : line,
          lines: own,
        };
      }
    }
  }
};

/**
 * Lines that may belong to an MRZ. A reliable line is yielded as soon as it is read; the others follow at the
 * end, the likeliest first. Lines are read only as far as the caller asks for seeds.
 */
export async function* findSeeds(
  readLine: LineReader,
  image: GreyImage,
  groups: readonly LineGroup[],
): AsyncGenerator<Seed> {
  const doubtful: Seed[] = [];
  for (const { angle, line, lines } of candidatesOf(groups)) {
    const read = await readLine(image, angle, line, margins);
    const seed = { angle, line, read, likeness: likenessOf(read), lines };
    if (seed.likeness > limits.likenessReliable && read.greedy.text.includes("<<")) {
      yield seed;
    } else if (seed.likeness > limits.likenessMin) {
      doubtful.push(seed);
    }
  }
  yield* doubtful.sort((a, b) => b.likeness - a.likeness);
}
