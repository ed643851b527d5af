/** Levenshtein distance: the least number of inserted, deleted and replaced characters. A swap counts twice. */
export const editDistance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced));
    }
    previous = current;
  }
  return previous[b.length]!;
};

/**
 * Whether two texts are at most `edits` edits apart. It compares the lengths first, because they never differ
 * by more.
 */
export const isWithinEdits = (a: string, b: string, edits: number): boolean =>
  Math.abs(a.length - b.length) <= edits && editDistance(a, b) <= edits;
