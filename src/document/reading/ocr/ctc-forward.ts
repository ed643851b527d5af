/** A label: the class of a text at one position. An optional label may be left out between two others. */
export type CtcLabel = { readonly code: number; readonly isOptional: boolean };

/** Probability of a class in a column; class 0 is the blank. */
export type ClassProbability = (column: number, code: number) => number;

/**
 * Beam threshold: a path below this share of all paths is dropped; its contribution is invisible in a
 * float32.
 */
const negligible = 1e-10;

/**
 * Log-likelihood of a text under the CTC output: the sum over every alignment, with and without each optional
 * label. This is the forward algorithm of CTC (Graves 2006, 4.1): it scales the forward variables in every
 * column, and the scales add up to the log-likelihood.
 */
export const logProbabilityOfText = (
  labels: readonly CtcLabel[],
  columns: number,
  probabilityOf: ClassProbability,
): number => {
  const { length } = labels;
  // Forward variables: the paths that end in label i, and the paths that end in the blank after it.
  let [ends, nextEnds] = [new Float64Array(length), new Float64Array(length)];
  let [blanks, nextBlanks] = [new Float64Array(length), new Float64Array(length)];
  // The path of blanks only.
  let empty = 1;
  let total = 0;
  for (let column = 0; column < columns; column++) {
    const blank = probabilityOf(column, 0);
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const { code } = labels[i]!;
      const follows = (j: number): number =>
        j < 0 ? empty : blanks[j]! + (labels[j]!.code === code ? 0 : ends[j]!);
      const reached = ends[i]! + follows(i - 1) + (labels[i - 1]?.isOptional === true ? follows(i - 2) : 0);
      nextEnds[i] = reached < negligible ? 0 : reached * probabilityOf(column, code);
      nextBlanks[i] = (blanks[i]! + ends[i]!) * blank;
      sum += nextEnds[i]! + nextBlanks[i]!;
    }
    empty *= blank;
    sum += empty;
    if (sum === 0) return -Infinity;
    for (let i = 0; i < length; i++) {
      nextEnds[i]! /= sum;
      nextBlanks[i]! /= sum;
    }
    empty /= sum;
    total += Math.log(sum);
    [ends, nextEnds, blanks, nextBlanks] = [nextEnds, ends, nextBlanks, blanks];
  }
  return total + Math.log(length === 0 ? empty : ends[length - 1]! + blanks[length - 1]!);
};
