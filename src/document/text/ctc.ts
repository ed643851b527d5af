import { type ClassProbability, type CtcSymbol, logProbabilityOfText } from "./ctc-forward.ts";

/** What a line network answers: `columns` x `classes` values, row by row, from `at` on. */
export type Scores = {
  readonly data: Float32Array;
  readonly at: number;
  readonly columns: number;
  readonly classes: number;
};

/** Class 0 is the blank of CTC; `symbols[i]` is what class i stands for. */
export type CtcCode = {
  readonly symbols: readonly string[];
  /** What the network's values are. */
  readonly values: "logits" | "probabilities";
  /**
   * Class of the space, and the probability from which one column between two characters makes a space. Only of logits; absent:
   * a space is written where it leads.
   */
  readonly space?: { readonly code: number; readonly from: number };
};

/** A line as the network alone reads it. */
export type DecodedLine = {
  readonly text: string;
  /**
   * What a character of it is worth, 0…1: the probability of the text, over all of its alignments, to one over its length.
   * 0 for an empty line.
   */
  readonly confidence: number;
};

const blank = 0;

const bestOf = (data: Float32Array, from: number, classes: number): number => {
  let best = 0;
  for (let k = 1; k < classes; k++) {
    if (data[from + k]! > data[from + best]!) best = k;
  }
  return best;
};

/** Classes so far below a column's best add nothing to its sum, in nats: 200 of them .0003 %. */
const negligible = 18;

/** Logarithm of the sum of a column's exponentials. */
const logSumOf = ({ data, classes }: Scores, from: number, highest: number): number => {
  let sum = 0;
  for (let k = 0; k < classes; k++) {
    const below = highest - data[from + k]!;
    if (below < negligible) sum += Math.exp(-below);
  }
  return highest + Math.log(sum);
};

/** `best`: the leading class of each column. */
const probabilities = (scores: Scores, best: Int32Array, values: CtcCode["values"]): ClassProbability => {
  const { data, at, classes } = scores;
  if (values === "probabilities") return (column, k) => data[at + column * classes + k]!;
  const sums = Float64Array.from(best, (code, column) => {
    const from = at + column * classes;
    return logSumOf(scores, from, data[from + code]!);
  });
  return (column, k) => Math.exp(data[at + column * classes + k]! - sums[column]!);
};

/**
 * Best class of every column; repeats are one character, the blank none (Graves 2006, best path). A space has no ink that
 * would give it a column of its own: where words stand close together the blank outweighs it, so between two characters it
 * is written from a lower probability on.
 */
export const decodeCtc = (scores: Scores, { symbols, values, space }: CtcCode): DecodedLine => {
  const { data, at, columns, classes } = scores;
  const bests = Int32Array.from({ length: columns }, (_, column) =>
    bestOf(data, at + column * classes, classes),
  );
  const probabilityOf = probabilities(scores, bests, values);
  const said: CtcSymbol[] = [];
  let [before, spaced] = [blank, false];
  for (const [column, best] of bests.entries()) {
    if (best !== blank && best !== before) {
      if (space !== undefined && spaced && mayTakeSpace(said, best, space.code)) {
        said.push({ code: space.code, isOptional: true });
      }
      said.push({ code: best, isOptional: false });
      spaced = false;
    } else {
      spaced ||= space !== undefined && probabilityOf(column, space.code) >= space.from;
    }
    before = best;
  }
  const text = said.map(({ code }) => symbols[code] ?? "").join("");
  return { text, confidence: meanOf(logProbabilityOfText(said, columns, probabilityOf), text) };
};

/** Between two characters only. */
const mayTakeSpace = (said: readonly CtcSymbol[], next: number, space: number): boolean =>
  said.length > 0 && next !== space && said.at(-1)!.code !== space;

const meanOf = (logProbability: number, { length }: string): number =>
  length === 0 ? 0 : Math.min(1, Math.exp(logProbability / length));
