import { distance } from "fastest-levenshtein";

/**
 * Levenshtein distance: the least number of inserted, deleted and replaced UTF-16 units. A swap counts twice.
 */
export const editDistance = (a: string, b: string): number => distance(a, b);

/**
 * Whether two texts are at most `edits` edits apart. It compares the lengths first, because they never differ
 * by more.
 */
export const isWithinEdits = (a: string, b: string, edits: number): boolean =>
  Math.abs(a.length - b.length) <= edits && editDistance(a, b) <= edits;
