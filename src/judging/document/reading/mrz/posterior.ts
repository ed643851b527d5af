import { mrzAlphabet } from "./alphabet.ts";

/** Number of CTC classes: the 37 characters and the blank, which is class 0. */
export const classes = mrzAlphabet.length + 1;

/** Log probabilities, `columns` x 38, row by row: the CTC output of the line network. */
export type Posterior = { readonly data: Float32Array; readonly columns: number };

/** The text of a line by greedy decoding: the best class of each column. */
export type GreedyText = {
  readonly text: string;
  /** Geometric mean of the characters' probabilities, 0…1. */
  readonly confidence: number;
  /** Centre of each character, in columns. */
  readonly centres: readonly number[];
};

/** Lower bound of a log probability: one speck must not outweigh a whole line. */
const floor = -11.5;

/** Log-softmax of the network's scores, column by column, with the lower bound applied. */
export const posteriorOf = (scores: Float32Array, columns: number): Posterior => {
  const data = new Float32Array(columns * classes);
  for (let from = 0; from < columns * classes; from += classes) {
    let highest = -Infinity;
    for (let k = 0; k < classes; k++) highest = Math.max(highest, scores[from + k]!);
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += Math.exp(scores[from + k]! - highest);
    const total = highest + Math.log(sum);
    for (let k = 0; k < classes; k++) data[from + k] = Math.max(floor, scores[from + k]! - total);
  }
  return { data, columns };
};

const bestClass = (data: Float32Array, from: number): number => {
  let best = 0;
  for (let k = 1; k < classes; k++) {
    if (data[from + k]! > data[from + best]!) best = k;
  }
  return best;
};

/** Greedy CTC decoding: the best class of every column, repeats and blanks removed. */
export const greedyText = ({ data, columns }: Posterior): GreedyText => {
  let text = "";
  let [sum, before] = [0, 0];
  const spans: [number, number][] = [];
  for (let column = 0; column < columns; column++) {
    const best = bestClass(data, column * classes);
    if (best !== 0 && best === before) {
      spans[spans.length - 1]![1] = column;
    } else if (best !== 0) {
      text += mrzAlphabet[best - 1]!;
      sum += data[column * classes + best]!;
      spans.push([column, column]);
    }
    before = best;
  }
  return {
    text,
    confidence: text === "" ? 0 : Math.exp(sum / text.length),
    centres: spans.map(([from, to]) => (from + to) / 2 + 0.5),
  };
};
