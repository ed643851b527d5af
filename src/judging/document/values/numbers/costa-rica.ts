import { bareOf, grouped, type NumberHint, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/** First digit: province of birth, or how the nationality was acquired. */
const originOf = (digit: string): NumberHint =>
  digit === "8"
    ? { about: "holder", value: "naturalised", sure: "S" }
    : digit === "9"
      ? { about: "holder", value: "special", sure: "S" }
      : { about: "region", value: digit, sure: "S" };

/** Cédula of Costa Rica, nine digits `1-1234-0567`, no check digit; the tax authority puts a 0 before it. */
export const costaRicaCedula: NumberRule = {
  country: "CRI",
  sure: "L",
  read: (text) => {
    const bare = bareOf(text);
    const number = bare.length === 10 ? bare.replace(/^0/, "") : bare;
    if (!/^[1-9]\d{8}$/.test(number)) {
      return refused(number, "shape");
    }
    return uncheckable(number, {
      printed: grouped(number, [1, 4, 4], "-"),
      hints: [originOf(number.slice(0, 1))],
    });
  },
};

/** DIMEX of a foreigner in Costa Rica: eleven or twelve digits, the first a 1, no check digit. */
export const costaRicaDimex: NumberRule = {
  country: "CRI",
  sure: "L",
  read: (text) => {
    const number = bareOf(text);
    return /^1\d{10,11}$/.test(number)
      ? uncheckable(number, { hints: [{ about: "holder", value: "foreigner", sure: "L" }] })
      : refused(number, "shape");
  },
};
