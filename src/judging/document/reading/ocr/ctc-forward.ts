/** A label: the class of a text at one position. An optional label may be left out between two others. */
export type CtcLabel = { readonly code: number; readonly isOptional: boolean };

/** Probability of a class in a column; class 0 is the blank. */
export type ClassProbability = (column: number, code: number) => number;

/**
 * Beam threshold: a path below this share of all paths is dropped; its contribution is invisible in a
 * float32.
 */
const negligible = 1e-10;

/** Forward variables: the paths that end in each label, and the paths that end in the blank after it. */
type Paths = { readonly ends: Float64Array; readonly blanks: Float64Array };

const makePaths = (length: number): Paths => ({
  ends: new Float64Array(length),
  blanks: new Float64Array(length),
});

/** Paths that may go on to a label of class `code` from label `from`; `empty` is the path of blanks only. */
const pathsInto = (
  { ends, blanks }: Paths,
  labels: readonly CtcLabel[],
  from: number,
  code: number,
  empty: number,
): number => (from < 0 ? empty : blanks[from]! + (labels[from]!.code === code ? 0 : ends[from]!));

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
  let paths = makePaths(length);
  let next = makePaths(length);
  let empty = 1;
  let total = 0;
  for (let column = 0; column < columns; column++) {
    const blank = probabilityOf(column, 0);
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const { code } = labels[i]!;
      const skipped = i > 0 && labels[i - 1]!.isOptional ? pathsInto(paths, labels, i - 2, code, empty) : 0;
      const reached = paths.ends[i]! + pathsInto(paths, labels, i - 1, code, empty) + skipped;
      next.ends[i] = reached < negligible ? 0 : reached * probabilityOf(column, code);
      next.blanks[i] = (paths.blanks[i]! + paths.ends[i]!) * blank;
      sum += next.ends[i]! + next.blanks[i]!;
    }
    empty *= blank;
    sum += empty;
    if (sum === 0) return -Infinity;
    for (let i = 0; i < length; i++) {
      next.ends[i]! /= sum;
      next.blanks[i]! /= sum;
    }
    empty /= sum;
    total += Math.log(sum);
    const used = paths;
    paths = next;
    next = used;
  }
  return total + Math.log(length === 0 ? empty : paths.ends[length - 1]! + paths.blanks[length - 1]!);
};
