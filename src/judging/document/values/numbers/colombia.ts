import { bareOf, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/**
 * NUIP of Colombia, three to ten digits `1.020.304.050`, no check digit (the digit of the NIT is for taxes).
 */
export const colombiaNuip: NumberRule = {
  country: "COL",
  sure: "?",
  read: (text) => {
    const number = bareOf(text);
    return /^[1-9]\d{2,9}$/.test(number)
      ? uncheckable(number, { printed: number.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ".") })
      : refused(number, "shape");
  },
};
