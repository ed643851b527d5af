/** What a line network answers: `columns` x `classes` scores, row by row, from `at` on. */
export type Scores = {
  readonly data: Float32Array;
  readonly at: number;
  readonly columns: number;
  readonly classes: number;
};

/** How the scores are meant. `symbols` by class; the blank's is never written. */
export type CtcCode = {
  readonly blank: number;
  readonly symbols: readonly string[];
  /** logits: a softmax is still to be taken; probabilities: the network took it. */
  readonly scores: "logits" | "probabilities";
};

/** A line as the network alone reads it. */
export type DecodedLine = {
  readonly text: string;
  /** Geometric mean of its characters' probabilities, 0…1; 0 for an empty line. */
  readonly confidence: number;
};

const bestOf = (data: Float32Array, from: number, classes: number): number => {
  let best = 0;
  for (let k = 1; k < classes; k++) {
    if (data[from + k]! > data[from + best]!) best = k;
  }
  return best;
};

/** No character counts for less than this: one speck must not outweigh a whole line. */
const logFloor = -11.5;

const logProbability = (
  { data, classes }: Scores,
  from: number,
  best: number,
  kind: CtcCode["scores"],
): number => {
  const score = data[from + best]!;
  if (kind === "probabilities") {
    return Math.max(logFloor, Math.log(Math.min(1, score)));
  }
  let sum = 0;
  for (let k = 0; k < classes; k++) sum += Math.exp(data[from + k]! - score);
  return Math.max(logFloor, -Math.log(sum));
};

/** Best class of every column; repeats are one character, the blank none (Graves 2006, best path). */
export const decodeCtc = (scores: Scores, code: CtcCode): DecodedLine => {
  let text = "";
  let [sum, characters, before] = [0, 0, code.blank];
  for (let column = 0; column < scores.columns; column++) {
    const from = scores.at + column * scores.classes;
    const best = bestOf(scores.data, from, scores.classes);
    if (best !== code.blank && best !== before) {
      text += code.symbols[best] ?? "";
      sum += logProbability(scores, from, best, code.scores);
      characters++;
    }
    before = best;
  }
  return { text, confidence: characters === 0 ? 0 : Math.exp(sum / characters) };
};
