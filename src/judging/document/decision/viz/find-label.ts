import type { NormalisedText } from "./normalise-text.ts";

/**
 * The place of a label in a line: raw characters `from` to `to` (exclusive), and the number of wrong letters.
 */
export type FoundLabel = { readonly from: number; readonly to: number; readonly edits: number };

/** One wrong letter in five is allowed. A label of fewer than five letters must match exactly. */
export const editsMaxFor = (length: number): number => Math.floor(length / 5);

/**
 * Finds a label in a line, without regard to accents, case, blanks and signs: whole words with the fewest
 * wrong letters, the longest of those. Undefined where more than one letter in five would be wrong.
 */
export const findLabel = (line: NormalisedText, label: NormalisedText): FoundLabel | undefined => {
  const editsMax = editsMaxFor(label.text.length);
  if (label.text.length < 2 || !mayHold(line, label, editsMax)) {
    return undefined;
  }
  const matchFrom = matcherOf(label.text, editsMax);
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

/** A cheap filter without false negatives: each letter of the label that the line lacks is one edit. */
const mayHold = (line: NormalisedText, label: NormalisedText, editsMax: number): boolean => {
  let missing = label.text.length > line.text.length + editsMax ? Infinity : 0;
  for (const [letter, count] of label.counts) {
    missing += Math.max(0, count - (line.counts.get(letter) ?? 0));
    if (missing > editsMax) {
      return false;
    }
  }
  return true;
};

/**
 * Edit distance of the label to every prefix of the line from a start on; the best that ends with a word
 * counts. Only cells within `editsMax` are computed: in all others more letters are missing than allowed. One
 * pair of rows serves every start in the line: allocating a new pair for each cost more than the search
 * itself.
 */
const matcherOf = (label: string, editsMax: number) => {
  let [previous, current] = [new Int32Array(label.length + 1), new Int32Array(label.length + 1)];
  const beyond = editsMax + 1;
  return (line: NormalisedText, from: number): FoundLabel | undefined => {
    if (editsMax === 0 && !line.text.startsWith(label, from)) {
      return undefined;
    }
    const width = Math.min(line.text.length - from, label.length + editsMax);
    for (let i = 0; i <= label.length; i++) previous[i] = i;
    let best: FoundLabel | undefined;
    for (let j = 1; j <= width; j++) {
      const [first, last] = [Math.max(1, j - editsMax), Math.min(label.length, j + editsMax)];
      const letter = line.text[from + j - 1];
      current[first - 1] = first === 1 ? j : beyond;
      let least = current[first - 1]!;
      for (let i = first; i <= last; i++) {
        const replaced = previous[i - 1]! + (label[i - 1] === letter ? 0 : 1);
        current[i] = Math.min(previous[i]! + 1, current[i - 1]! + 1, replaced);
        least = Math.min(least, current[i]!);
      }
      if (least > editsMax) break;
      if (last < label.length) current[last + 1] = beyond;
      const edits = last === label.length ? current[last]! : beyond;
      const end = from + j - 1;
      const found = { from: line.at[from]!, to: line.at[end]! + 1, edits };
      if (edits <= editsMax && line.ends[end] === true && isBetter(found, best)) {
        best = found;
      }
      [previous, current] = [current, previous];
    }
    return best;
  };
};
