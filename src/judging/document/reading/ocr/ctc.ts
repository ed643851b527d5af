import { type ClassProbability, type CtcLabel, logProbabilityOfText } from "./ctc-forward.ts";

/** Output of a line network: `columns` x `classes` values, row by row, starting at `at`. */
export type Scores = {
  readonly data: Float32Array;
  readonly at: number;
  readonly columns: number;
  readonly classes: number;
};

/** The CTC code of a network: class 0 is the blank; `characters[i]` is the text of class i. */
export type CtcCode = {
  readonly characters: readonly string[];
  /** Kind of the network's values. */
  readonly values: "logits" | "probabilities";
  /**
   * Class of the space, and the probability from which one column between two characters makes a space. Only
   * for logits; absent: a space is written where its class leads.
   */
  readonly space?: { readonly code: number; readonly from: number };
  /** Classes of characters that no word has twice in succession: a second peak is the same character. */
  readonly single?: ReadonlySet<number>;
};

/** The text of a line, decoded from the network's output alone. */
export type DecodedLine = {
  readonly text: string;
  /**
   * Confidence per character, 0…1: the text's probability over all of its alignments, to the power of one
   * over its length. 0 for an empty line.
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

/** Classes this many nats below a column's best add nothing to its sum: 200 of them add .0003 %. */
const negligible = 18;

/** Logarithm of the sum of a column's exponentials (log-sum-exp). */
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
 * Best-path decoding of CTC (Graves 2006): the best class of every column; repeats are one character, a blank
 * is none. A space has no ink and so no column of its own. Where words are close together the blank outweighs
 * it, so a lower probability is enough for a space between two characters.
 */
export const decodeCtc = (scores: Scores, { characters, values, space, single }: CtcCode): DecodedLine => {
  const { data, at, columns, classes } = scores;
  const bests = Int32Array.from({ length: columns }, (_, column) =>
    bestOf(data, at + column * classes, classes),
  );
  const probabilityOf = probabilities(scores, bests, values);
  const labels: CtcLabel[] = [];
  let [before, spaced] = [blank, false];
  for (const [column, best] of bests.entries()) {
    const isAgain = !spaced && single?.has(best) === true && labels.at(-1)?.code === best;
    if (best !== blank && best !== before && !isAgain) {
      if (space !== undefined && spaced && mayTakeSpace(labels, best, space.code)) {
        labels.push({ code: space.code, isOptional: true });
      }
      labels.push({ code: best, isOptional: false });
      spaced = false;
    } else {
      spaced ||= space !== undefined && probabilityOf(column, space.code) >= space.from;
    }
    before = best;
  }
  const text = labels.map(({ code }) => characters[code] ?? "").join("");
  return { text, confidence: meanOf(logProbabilityOfText(labels, columns, probabilityOf), text) };
};

/** A space is allowed only between two characters. */
const mayTakeSpace = (labels: readonly CtcLabel[], next: number, space: number): boolean =>
  labels.length > 0 && next !== space && labels.at(-1)!.code !== space;

const meanOf = (logProbability: number, { length }: string): number =>
  length === 0 ? 0 : Math.min(1, Math.exp(logProbability / length));
