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
};

const likeness: Readonly<Record<string, string>> = { 0: "O", 1: "I", 5: "S", 8: "B", L: "I" };

type Kind = "letter" | "figure" | "sign";

const kindOf = (character: string | undefined): Kind => {
  if (character === undefined || !/[\p{L}\p{M}\d]/u.test(character)) {
    return "sign";
  }
  return /\d/.test(character) ? "figure" : "letter";
};

export const lettersOf = (raw: string): Letters => {
  const letters: { readonly letter: string; readonly at: number }[] = [];
  for (let at = 0; at < raw.length; at++) {
    for (const letter of fold(raw[at]!).replaceAll(/[^A-Z0-9]/g, "")) {
      letters.push({ letter: likeness[letter] ?? letter, at });
    }
  }
  return {
    text: letters.map(({ letter }) => letter).join(""),
    at: letters.map(({ at }) => at),
    starts: letters.map(({ at }) => kindOf(raw[at - 1]) !== kindOf(raw[at])),
    ends: letters.map(({ at }) => kindOf(raw[at + 1]) !== kindOf(raw[at])),
  };
};
