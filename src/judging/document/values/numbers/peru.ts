import { bareOf, checked, type NumberRule, refused, uncheckable, weightedSum } from "./number-rule.ts";

const weights = [3, 2, 7, 6, 5, 4, 3, 2] as const;

/** Check characters of eight digits: the digit of today's cards and the letter of older cards. */
const peruCheckCharacters = (digits: string): { readonly digit: string; readonly letter: string } => {
  const rest = weightedSum(digits, weights) % 11;
  return { digit: "65432110987".charAt(rest), letter: "KJIHGFEDCBA".charAt(rest) };
};

/**
 * DNI of Peru, eight digits, printed `12345678-1`. The ninth character is checked and dropped; it differs
 * from the digit behind the number in the MRZ. Without it nothing can be checked.
 */
export const peruDni: NumberRule = {
  country: "PER",
  sure: "L",
  sources: 2,
  read: (text) => {
    const bare = bareOf(text);
    const [, number, character] = /^(\d{8})([\dA-K]?)$/.exec(bare) ?? [];
    if (number === undefined || character === undefined) {
      return refused(bare, "shape");
    }
    const { digit, letter } = peruCheckCharacters(number);
    if (character === "") {
      return uncheckable(number, { printed: `${number}-${digit}` });
    }
    return character === digit || character === letter
      ? checked(number, { printed: `${number}-${character}` })
      : refused(number, "check-digit");
  },
};

/** Carné de extranjería of Peru: nine to twelve digits, no check digit. */
export const peruForeignerCard: NumberRule = {
  country: "PER",
  sure: "?",
  read: (text) => {
    const number = bareOf(text);
    return /^\d{9,12}$/.test(number)
      ? uncheckable(number, { hints: [{ about: "holder", value: "foreigner", sure: "?" }] })
      : refused(number, "shape");
  },
};
