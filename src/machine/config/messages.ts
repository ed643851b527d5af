/** Longest value that a message repeats: a master key in Base64 has 44 characters, an API key more. */
const shownMax = 40;

/** The received value for a message: the value itself, or only its length where it may be a secret. */
export const seenAs = (seen: string, isSecret: boolean): string =>
  isSecret || seen.length > shownMax ? `a text of ${count(seen.length, "character")}` : JSON.stringify(seen);

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/**
 * Most typing errors between a misspelt name and the suggested name; in a short name one for each two
 * characters.
 */
const errorsMax = 3;
const charactersPerError = 2;

/** Most names that one beginning suggests: more would be a list, not a suggestion. */
const suggestedMax = 3;
/** Least length of a beginning that suggests names. */
const beginningMin = 3;

/**
 * The known names that a misspelt name may mean. These are at most three names that begin with it. If there
 * are none, it is the name with the fewest typing errors, and of two such names the one with the longer
 * common beginning. Empty where none is near.
 */
export const nearestNames = (name: string, known: Iterable<string>): readonly string[] => {
  const names = [...new Set(known)];
  const continued = names.filter((candidate) => candidate.startsWith(name));
  if (name.length >= beginningMin && continued.length > 0 && continued.length <= suggestedMax) {
    return continued;
  }
  const [best] = names
    .map((candidate) => ({
      candidate,
      errors: typingErrors(name, candidate),
      common: commonBeginning(name, candidate),
    }))
    .sort((a, b) => a.errors - b.errors || b.common - a.common);
  const allowed = Math.min(errorsMax, Math.floor(name.length / charactersPerError));
  return best !== undefined && best.errors <= allowed ? [best.candidate] : [];
};

/** Names in a sentence: "a", "a or b", "a, b or c". */
export const namesInWords = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ");

/** Number of characters that both names begin with. */
const commonBeginning = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
};

/** Counts omitted, inserted, replaced and swapped characters (optimal string alignment distance). */
const typingErrors = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
};
