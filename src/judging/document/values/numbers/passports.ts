import { bareOf, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/**
 * Number of a passport. No country gives it a check digit of its own, and the shapes are known only from
 * libraries. So another shape is only a hint.
 */
const passportOf = (country: string, shape: RegExp): NumberRule => ({
  country,
  sure: "?",
  read: (text) => {
    const number = bareOf(text);
    return shape.test(number) ? uncheckable(number) : refused(number, "shape");
  },
});

/** Eight or nine letters and digits; before September 2013 the RUN. */
export const chilePassport = passportOf("CHL", /^[A-Z\d]{8,9}$/);

/** Three letters and six digits; before, nine digits. */
export const argentinaPassport = passportOf("ARG", /^([A-Z]{3}\d{6}|\d{9})$/);

/** Nine digits; newer ones a letter and eight. */
export const peruPassport = passportOf("PER", /^(\d{9}|[A-Z]\d{8})$/);

/** A and seven or eight digits, or the ten digits of the NUI. */
export const ecuadorPassport = passportOf("ECU", /^(A\d{7,8}|\d{7,10})$/);

/** Nine places, letters first; older ones the cédula's number. */
export const costaRicaPassport = passportOf("CRI", /^(?=.{9}$)[A-Z]{0,3}\d+$/);

/** Eight or nine places; renumbered in 2024. */
export const guatemalaPassport = passportOf("GTM", /^[A-Z\d]{8,9}$/);

/** Up to two letters and six to eight digits. */
export const panamaPassport = passportOf("PAN", /^[A-Z]{0,2}\d{6,8}$/);

/** A letter and six or seven digits; older ones nine digits. */
export const hondurasPassport = passportOf("HND", /^([A-Z]\d{6,7}|\d{9})$/);
