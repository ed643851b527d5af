import { bareOf, checked, type NumberReading, type NumberRule, refused } from "./number-rule.ts";

const letters = "TRWAGMYFPDXBNJZSQVHLCKE";

const holdsLetter = (digits: string, letter: string): boolean =>
  letters.charAt(Number(digits) % 23) === letter;

/** DNI of Spain: eight digits and the letter of their remainder by 23. */
export const spainDni: NumberRule = {
  country: "ESP",
  sure: "L",
  sources: 2,
  read: (text): NumberReading => {
    const number = bareOf(text);
    if (!/^\d{8}[A-Z]$/.test(number)) {
      return refused(number, "shape");
    }
    return holdsLetter(number.slice(0, 8), number.slice(8))
      ? checked(number)
      : refused(number, "check-digit");
  },
};

/** NIE of a foreigner in Spain: X, Y or Z for 0, 1, 2, seven digits and the same letter. */
export const spainNie: NumberRule = {
  country: "ESP",
  sure: "L",
  sources: 2,
  read: (text): NumberReading => {
    const number = bareOf(text);
    if (!/^[XYZ]\d{7}[A-Z]$/.test(number)) {
      return refused(number, "shape");
    }
    const digits = "XYZ".indexOf(number.charAt(0)) + number.slice(1, 8);
    return holdsLetter(digits, number.slice(8))
      ? checked(number, { hints: [{ about: "holder", value: "foreigner", sure: "L" }] })
      : refused(number, "check-digit");
  },
};
