import { bareOf, checked, type NumberRule, refused } from "./number-rule.ts";

/** Check digit of `digits`, with weights that fall to 2 at the right (python-stdnum `br/cpf`). */
const digitOf = (digits: string): string => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    sum += Number(digits[i]) * (digits.length + 1 - i);
  }
  return String(((11 - (sum % 11)) % 11) % 10);
};

/** CPF of Brazil, `123.456.789-09`: two check digits by modulo 11; one digit eleven times is not issued. */
export const brazilCpf: NumberRule = {
  country: "BRA",
  sure: "L",
  read: (text) => {
    const number = bareOf(text);
    if (!/^\d{11}$/.test(number)) {
      return refused(number, "shape");
    }
    if (/^(\d)\1{10}$/.test(number)) {
      return refused(number, "not-issued");
    }
    if (digitOf(number.slice(0, 9)) !== number[9] || digitOf(number.slice(0, 10)) !== number[10]) {
      return refused(number, "check-digit");
    }
    const body = number.slice(0, 9).replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ".");
    return checked(number, { printed: `${body}-${number.slice(9)}` });
  },
};
