/**
 * The smaller and the larger of two whole numbers without a branch: print and noise are hard to predict, and
 * Math.min took eight times as long in `ocr/morphology.ts`. Their difference is less than 2^31.
 */
export const smaller = (a: number, b: number): number => b + ((a - b) & ((a - b) >> 31));

export const larger = (a: number, b: number): number => a - ((a - b) & ((a - b) >> 31));
