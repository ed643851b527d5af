import type { GreyImage } from "#machine/imaging/image";
import { mrzAlphabet } from "./alphabet.ts";
import { heldCount, judgeChecks } from "./checks.ts";
import { type DecodedLine, decodeLine, marginsOf } from "./decode.ts";
import { layouts } from "./formats.ts";
import type { Hypothesis } from "./hypotheses.ts";
import { type LineMask, masks } from "./masks.ts";
import type { CropMargins, LineReader } from "./read-line.ts";

/**
 * Crops that differ from the first one (ink .3, stretch 1) as the training crops do. At 9 px per character,
 * the network's score of M against N varies by 5 nats between crops, around the true value.
 */
const extraCrops: readonly CropMargins[] = [
  { tall: 1.45, ends: 0.2, ink: 0.2, stretch: 1 },
  { tall: 1.45, ends: 0.2, ink: 0.2, stretch: 1.1 },
  { tall: 1.45, ends: 0.2, ink: 0.3, stretch: 1.1 },
  { tall: 1.45, ends: 0.2, ink: 0.4, stretch: 0.9 },
];

/**
 * A crop whose text differs at more positions has slipped by a character, so its positions do not match the
 * positions of the others.
 */
const differencesMax = 4;

const differencesOf = (a: string, b: string): number =>
  Array.from(a).filter((character, place) => character !== b[place]).length;

/** Mean score of every character at every position, and the most likely text that the mask allows. */
const average = (lines: readonly DecodedLine[], mask: LineMask): DecodedLine => {
  const [first] = lines;
  if (first === undefined) {
    throw new Error("No line to average");
  }
  const scores = first.scores.map((row, place) =>
    row.map((_, code) => lines.reduce((sum, line) => sum + line.scores[place]![code]!, 0) / lines.length),
  );
  const codes = scores.map((row, place) =>
    mask.allowed[place]!.reduce((best, code) => (row[code]! > row[best]! ? code : best)),
  );
  const mean = (of: (line: DecodedLine) => number): number =>
    lines.reduce((sum, line) => sum + of(line), 0) / lines.length;
  return {
    text: codes.map((code) => mrzAlphabet[code]!).join(""),
    score: mean(({ score }) => score),
    maskCost: mean(({ maskCost }) => maskCost),
    scores,
  };
};

/**
 * Reads the rows of a doubtful reading in other crops too, and averages the scores of each character. The
 * average removes sampling noise; real doubt stays. The first reading stays if the average loses a check
 * digit that held. Costs four network runs per row; `likelihood` stays that of the first crop.
 */
export const averageCrops = async (
  readLine: LineReader,
  image: GreyImage,
  found: Hypothesis,
): Promise<Hypothesis> => {
  const decoded: DecodedLine[] = [];
  for (const [i, row] of found.rows.entries()) {
    const mask = masks[found.format][i]!;
    const lines = [found.decoded[i]!];
    for (const margins of extraCrops) {
      const { posterior } = await readLine(image, found.mrz.angle, row, margins);
      const line = decodeLine(posterior, mask);
      if (line !== undefined && differencesOf(line.text, found.lines[i]!) <= differencesMax) {
        lines.push(line);
      }
    }
    decoded.push(average(lines, mask));
  }
  const lines = decoded.map(({ text }) => text);
  const checks = judgeChecks(layouts[found.format], lines);
  if (heldCount(checks) < heldCount(found.checks)) {
    return found;
  }
  const margins = decoded.map((line, i) => marginsOf(line, masks[found.format][i]!));
  return { ...found, decoded, lines, margins, checks };
};
