import { mrzAlphabet } from "./alphabet.ts";

/** The 37 characters and, as class 0, the blank of CTC. */
export const classes = mrzAlphabet.length + 1;

/** Log probabilities, `columns` x 38, row by row. */
export type Posterior = { readonly data: Float32Array; readonly columns: number };

/** What a line says when every column is taken by itself. */
export type GreedyText = {
  readonly text: string;
  /** Geometric mean of the characters' probabilities, 0…1. */
  readonly confidence: number;
  /** Middle of each character, in columns. */
  readonly centres: readonly number[];
};

/** No column counts for more than this against a reading: one speck must not outweigh a whole line. */
const floor = -11.5;

/** Log-softmax of the network's scores, column by column, floored. */
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

/** Best class of every column, repeats and blanks removed. */
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
