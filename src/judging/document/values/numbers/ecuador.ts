import { bareOf, checked, type NumberRule, refused, uncheckable } from "./number-rule.ts";

/**
 * Check digit with weights 2 1 2 1 … from the left; a product above nine loses nine (python-stdnum `ec/ci`).
 */
const checkDigitOf = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    const product = Number(digits[i]) * (i % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return String((10 - (sum % 10)) % 10);
};

/** 24 provinces, 30 for persons registered abroad; python-stdnum also accepts 50. */
const isProvince = (code: number): boolean => (code >= 1 && code <= 24) || code === 30 || code === 50;

/**
 * NUI of Ecuador, ten digits, printed plain or `171003406-5`. The check digit does not detect a swap of 09
 * and 90.
 */
export const ecuadorNui: NumberRule = {
  country: "ECU",
  sure: "L",
  sources: 2,
  read: (text) => {
    const number = bareOf(text);
    if (!/^\d{10}$/.test(number)) {
      return refused(number, "shape");
    }
    const province = number.slice(0, 2);
    if (!isProvince(Number(province))) {
      return refused(number, "region");
    }
    if (Number(number[2]) > 6) {
      return refused(number, "series");
    }
    if (checkDigitOf(number) !== number[9]) {
      return refused(number, "check-digit");
    }
    const printed = `${number.slice(0, 9)}-${number.slice(9)}`;
    return checked(number, { printed, hints: [{ about: "region", value: province, sure: "L" }] });
  },
};

/** Código dactilar on the back: two finger classes with four digits each, as `V1234I5678`. */
export const ecuadorFingerprintCode: NumberRule = {
  country: "ECU",
  sure: "L",
  read: (text) => {
    const code = bareOf(text);
    return /^[A-Z]\d{4}[A-Z]\d{4}$/.test(code) ? uncheckable(code) : refused(code, "shape");
  },
};
