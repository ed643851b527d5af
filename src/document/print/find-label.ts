import type { Letters } from "./letters.ts";

/** Where a label stands in a line: raw characters `from` to `to` (exclusive), and how many letters were read otherwise. */
export type FoundLabel = { readonly from: number; readonly to: number; readonly edits: number };

/** One wrong letter in five is forgiven; a label of fewer than five must be right. */
const editsMax = (length: number): number => Math.floor(length / 5);

/**
 * Finds a label in a line, whatever its accents, case, blanks and signs: whole words with the fewest wrong letters, the
 * longest of those. Undefined where more than one letter in five would be wrong.
 */
export const findLabel = (line: Letters, label: Letters): FoundLabel | undefined => {
  const budget = editsMax(label.text.length);
  if (label.text.length < 2 || !mayHold(line, label, budget)) {
    return undefined;
  }
  const matchFrom = matcherOf(label.text, budget);
  let best: FoundLabel | undefined;
  line.starts.forEach((isStart, from) => {
    const found = isStart ? matchFrom(line, from) : undefined;
    if (found !== undefined && isBetter(found, best)) {
      best = found;
    }
  });
  return best;
};

const isBetter = (one: FoundLabel, other: FoundLabel | undefined): boolean =>
  other === undefined ||
  one.edits < other.edits ||
  (one.edits === other.edits && one.to - one.from > other.to - other.from);

/** Cheap and never wrong: letters of the label that the line has not are edits, each. */
const mayHold = (line: Letters, label: Letters, budget: number): boolean => {
  let missing = label.text.length > line.text.length + budget ? Infinity : 0;
  for (const [letter, count] of label.counts) {
    missing += Math.max(0, count - (line.counts.get(letter) ?? 0));
    if (missing > budget) {
      return false;
    }
  }
  return true;
};

/**
 * Edit distance of the label to every beginning of the line from here on; the nearest that ends with a word counts. Only cells
 * that the budget can reach are worked out: elsewhere more letters are missing than it allows. One pair of rows serves every
 * place of the line: making a new one for each cost more than the search itself.
 */
const matcherOf = (label: string, budget: number) => {
  let [previous, current] = [new Int32Array(label.length + 1), new Int32Array(label.length + 1)];
  const beyond = budget + 1;
  return (line: Letters, from: number): FoundLabel | undefined => {
    if (budget === 0 && !line.text.startsWith(label, from)) {
      return undefined;
    }
    const width = Math.min(line.text.length - from, label.length + budget);
    for (let i = 0; i <= label.length; i++) previous[i] = i;
    let best: FoundLabel | undefined;
    for (let j = 1; j <= width; j++) {
      const [first, last] = [Math.max(1, j - budget), Math.min(label.length, j + budget)];
      const letter = line.text[from + j - 1];
      current[first - 1] = first === 1 ? j : beyond;
      let least = current[first - 1]!;
      for (let i = first; i <= last; i++) {
        const replaced = previous[i - 1]! + (label[i - 1] === letter ? 0 : 1);
        current[i] = Math.min(previous[i]! + 1, current[i - 1]! + 1, replaced);
        least = Math.min(least, current[i]!);
      }
      if (least > budget) break;
      if (last < label.length) current[last + 1] = beyond;
      const edits = last === label.length ? current[last]! : beyond;
      const end = from + j - 1;
      const found = { from: line.at[from]!, to: line.at[end]! + 1, edits };
      if (edits <= budget && line.ends[end] === true && isBetter(found, best)) {
        best = found;
      }
      [previous, current] = [current, previous];
    }
    return best;
  };
};
