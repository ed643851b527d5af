import { fold } from "../text/fold.ts";

/**
 * A text as labels are compared: capital letters without marks, blanks and signs, figures as the letters that readers take
 * for them, L as I. `at` tells where each stood, `starts` and `ends` whether a word begins or ends there.
 */
export type Letters = {
  readonly text: string;
  readonly at: readonly number[];
  readonly starts: readonly boolean[];
  readonly ends: readonly boolean[];
  /** How often each letter stands in it. */
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

/** The letters of a text, computed or remembered. */
export type LettersOf = (raw: string) => Letters;

/** Every text's letters once; for as long as the result lives. */
export const rememberLetters = (compute: LettersOf): LettersOf => {
  const known = new Map<string, Letters>();
  return (raw) => {
    const letters = known.get(raw) ?? compute(raw);
    known.set(raw, letters);
    return letters;
  };
};

export const lettersOf: LettersOf = (raw) => {
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
