import { fold } from "../../values/fold.ts";

/**
 * A text in the form in which labels are compared: capital letters without diacritics, blanks and signs;
 * digits as the letters that a reader confuses with them; L as I. `at` is the index of each character in the
 * raw text. `starts` and `ends` state whether a word begins or ends there.
 */
export type NormalisedText = {
  readonly text: string;
  readonly at: readonly number[];
  readonly starts: readonly boolean[];
  readonly ends: readonly boolean[];
  /** How often each letter occurs. */
  readonly counts: ReadonlyMap<string, number>;
};

const likeness: Readonly<Record<string, string>> = { 0: "O", 1: "I", 5: "S", 8: "B", L: "I" };

type Kind = "letter" | "figure" | "sign";

const kindOf = (character: string | undefined): Kind => {
  if (character === undefined || !/[\p{L}\p{M}\d]/u.test(character)) {
    return "sign";
  }
  return /\d/.test(character) ? "figure" : "letter";
};

/** Normalises a text, or returns it from a cache. */
export type NormaliseText = (raw: string) => NormalisedText;

/** Normalises each text once, for the lifetime of the returned function. */
export const cacheNormalised = (compute: NormaliseText): NormaliseText => {
  const known = new Map<string, NormalisedText>();
  return (raw) => {
    const letters = known.get(raw) ?? compute(raw);
    known.set(raw, letters);
    return letters;
  };
};

/** The normalised form of a text. Pure. */
export const normaliseText: NormaliseText = (raw) => {
  const letters: { readonly letter: string; readonly at: number }[] = [];
  for (let at = 0; at < raw.length; at++) {
    for (const letter of fold(raw[at]!).replaceAll(/[^A-Z0-9]/g, "")) {
      letters.push({ letter: likeness[letter] ?? letter, at });
    }
  }
  const counts = new Map<string, number>();
  for (const { letter } of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return {
    counts,
    text: letters.map(({ letter }) => letter).join(""),
    at: letters.map(({ at }) => at),
    starts: letters.map(({ at }) => kindOf(raw[at - 1]) !== kindOf(raw[at])),
    ends: letters.map(({ at }) => kindOf(raw[at + 1]) !== kindOf(raw[at])),
  };
};
