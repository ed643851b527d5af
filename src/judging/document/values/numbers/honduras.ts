import { bareOf, grouped, isPastYear, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/** Number of municipalities in departments 01 to 18, 298 together. */
const municipalities = [8, 10, 21, 23, 12, 16, 19, 28, 6, 17, 4, 19, 28, 16, 23, 28, 9, 11] as const;

/**
 * DNI of Honduras, thirteen digits `0801-1990-12345`: department, municipality, year of birth or
 * registration; no check digit.
 */
export const hondurasDni: NumberRule = {
  country: "HND",
  sure: "L",
  read: (text, day) => {
    const number = bareOf(text);
    if (!/^\d{13}$/.test(number)) {
      return refused(number, "shape");
    }
    const [department, municipality, year] = [number.slice(0, 2), number.slice(2, 4), number.slice(4, 8)];
    const known = municipalities[Number(department) - 1];
    if (known === undefined) {
      return refused(number, "region");
    }
    if (!isPastYear(year, day)) {
      return refused(number, "year");
    }
    const isKnown = Number(municipality) >= 1 && Number(municipality) <= known;
    return uncheckable(number, {
      printed: grouped(number, [4, 4, 5], "-"),
      hints: [
        { about: "region", value: department, sure: "L" },
        { about: "municipality", value: municipality, sure: "L" },
        { about: "birthYear", value: year, sure: "S" },
      ],
      warnings: isKnown ? [] : ["municipality-unknown"],
    });
  },
};
