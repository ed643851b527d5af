/** A class that a text has at this place; an optional one stands between two others, or not. */
export type CtcSymbol = { readonly code: number; readonly isOptional: boolean };

/** Probability of a class in a column; class 0 is the blank. */
export type ClassProbability = (column: number, code: number) => number;

/** Share of all paths so far below which one is given up: what it could add does not show in a float32. */
const negligible = 1e-10;

/**
 * Logarithm of the probability that the columns say this text: over every alignment of it, and with and without each optional
 * symbol (forward variables of CTC, Graves 2006, 4.1, scaled in every column).
 */
export const logProbabilityOfText = (
  symbols: readonly CtcSymbol[],
  columns: number,
  probabilityOf: ClassProbability,
): number => {
  const { length } = symbols;
  // Of the paths so far, those that end in symbol i, and those that end in the blank after it.
  let [ends, nextEnds] = [new Float64Array(length), new Float64Array(length)];
  let [blanks, nextBlanks] = [new Float64Array(length), new Float64Array(length)];
  // Nothing but blanks.
  let empty = 1;
  let total = 0;
  for (let column = 0; column < columns; column++) {
    const blank = probabilityOf(column, 0);
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const { code } = symbols[i]!;
      const follows = (j: number): number =>
        j < 0 ? empty : blanks[j]! + (symbols[j]!.code === code ? 0 : ends[j]!);
      const reached = ends[i]! + follows(i - 1) + (symbols[i - 1]?.isOptional === true ? follows(i - 2) : 0);
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
