import { bareOf, checked, grouped, type NumberRule, refused, weightedSum } from "./number-rule.ts";

/** Number of municipalities in departments 01 to 22, 340 together. */
const municipalities = [
  17, 8, 16, 16, 14, 14, 19, 8, 24, 21, 9, 30, 33, 21, 8, 17, 14, 5, 11, 11, 7, 17,
] as const;

const weights = [2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Ninth digit of a CUI; undefined for numbers that were never issued. */
const cuiDigit = (body: string): string | undefined => {
  const rest = weightedSum(body, weights) % 11;
  return rest === 10 ? undefined : String(rest);
};

/**
 * CUI of Guatemala, thirteen digits `1234 56789 0101`: body, check digit, department and municipality of
 * registration.
 */
export const guatemalaCui: NumberRule = {
  country: "GTM",
  sure: "L",
  sources: 3,
  read: (text) => {
    const number = bareOf(text);
    if (!/^\d{13}$/.test(number)) {
      return refused(number, "shape");
    }
    const digit = cuiDigit(number);
    if (digit !== number[8]) {
      return refused(number, digit === undefined ? "not-issued" : "check-digit");
    }
    const [department, municipality] = [number.slice(9, 11), number.slice(11)];
    const known = municipalities[Number(department) - 1];
    if (known === undefined) {
      return refused(number, "region");
    }
    const isKnown = Number(municipality) >= 1 && Number(municipality) <= known;
    return checked(number, {
      printed: grouped(number, [4, 5, 4], " "),
      hints: [
        { about: "region", value: department, sure: "L" },
        { about: "municipality", value: municipality, sure: "L" },
      ],
      warnings: isKnown ? [] : ["municipality-unknown"],
    });
  },
};
