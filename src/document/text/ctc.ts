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
  /** Geometric mean of its characters' probabilities, 0…1; 0 for an empty line. */
  readonly confidence: number;
};

const blank = 0;
/** No character counts for less than this: one speck must not outweigh a whole line. */
const logFloor = -11.5;

const bestOf = (data: Float32Array, from: number, classes: number): number => {
  let best = 0;
  for (let k = 1; k < classes; k++) {
    if (data[from + k]! > data[from + best]!) best = k;
  }
  return best;
};

/** Logarithm of the softmax of class `k` in the column that begins at `from`. */
const logProbability = ({ data, classes }: Scores, from: number, k: number): number => {
  const score = data[from + k]!;
  let sum = 0;
  for (let other = 0; other < classes; other++) sum += Math.exp(data[from + other]! - score);
  return Math.max(logFloor, -Math.log(sum));
};

/** Logarithm of the probability of class `k` in the column that begins at `from`. */
const certaintyOf = (scores: Scores, from: number, k: number, values: CtcCode["values"]): number =>
  values === "logits"
    ? logProbability(scores, from, k)
    : Math.min(0, Math.max(logFloor, Math.log(scores.data[from + k]!)));

/** Whether the column speaks for a space though another class leads. A softmax is taken only where it could. */
const hintsAtSpace = (
  scores: Scores,
  from: number,
  best: number,
  { code, from: least }: NonNullable<CtcCode["space"]>,
): boolean =>
  scores.data[from + best]! - scores.data[from + code]! <= -Math.log(least) &&
  logProbability(scores, from, code) >= Math.log(least);

/**
 * Best class of every column; repeats are one character, the blank none (Graves 2006, best path). A space has no ink that
 * would give it a column of its own: where words stand close together the blank outweighs it, so between two characters it
 * is written from a lower probability on.
 */
export const decodeCtc = (scores: Scores, { symbols, values, space }: CtcCode): DecodedLine => {
  let text = "";
  let [sum, characters, before, spaced] = [0, 0, blank, false];
  for (let column = 0; column < scores.columns; column++) {
    const from = scores.at + column * scores.classes;
    const best = bestOf(scores.data, from, scores.classes);
    if (best !== blank && best !== before) {
      const symbol = symbols[best] ?? "";
      text += spaced && symbol !== " " && text !== "" && !text.endsWith(" ") ? ` ${symbol}` : symbol;
      sum += certaintyOf(scores, from, best, values);
      characters++;
      spaced = false;
    } else {
      spaced ||= space !== undefined && hintsAtSpace(scores, from, best, space);
    }
    before = best;
  }
  return { text, confidence: characters === 0 ? 0 : Math.exp(sum / characters) };
};
