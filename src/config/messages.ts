/** Longest value that a message repeats: a master key in Base64 has 44 characters, an API key more. */
const shownMax = 40;

/** The received value for a message: the value itself, or only its length where it may be a secret. */
export const seenAs = (seen: string, isSecret: boolean): string =>
  isSecret || seen.length > shownMax ? `a text of ${count(seen.length, "character")}` : JSON.stringify(seen);

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** Most typing errors between a misspelt name and the suggested name; in a short name one for each two characters. */
const errorsMax = 3;
const charactersPerError = 2;

/** The known name nearest to a misspelt name, if any is near. */
export const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  const [best] = [...known]
    .map((candidate) => ({ candidate, errors: typingErrors(name, candidate) }))
    .sort((a, b) => a.errors - b.errors);
  const allowed = Math.min(errorsMax, Math.floor(name.length / charactersPerError));
  return best !== undefined && best.errors <= allowed ? best.candidate : undefined;
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
