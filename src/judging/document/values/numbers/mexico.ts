import { isCalendarDate } from "#contract/calendar-date";
import { bareOf, checked, type NumberRule, refused } from "./number-rule.ts";

const alphabet = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ";

/** Federal entities; NE for persons born abroad. */
const entities = new Set(
  "AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE".split(
    " ",
  ),
);

const checkDigitOf = (curp: string): string => {
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    sum += alphabet.indexOf(curp.charAt(i)) * (18 - i);
  }
  return String((10 - (sum % 10)) % 10);
};

const sexes: Readonly<Record<string, string>> = { H: "M", M: "F", X: "X" };

/**
 * CURP of Mexico, eighteen characters: names, birth date, sex (H man, M woman), entity, consonants, a
 * character that is a digit for persons born before 2000, check digit (python-stdnum `mx/curp`).
 */
export const mexicoCurp: NumberRule = {
  country: "MEX",
  sure: "L",
  sources: 2,
  read: (text) => {
    const curp = bareOf(text).replaceAll("Ñ", "&");
    const match = /^[A-Z&]{4}(\d{2})(\d{2})(\d{2})([HMX])([A-Z]{2})[A-Z&]{3}([\dA-Z])\d$/.exec(curp);
    if (match === null) {
      return refused(curp, "shape");
    }
    const [, year = "", month = "", day = "", letter = "", entity = "", series = ""] = match;
    const birth = `${/\d/.test(series) ? "19" : "20"}${year}-${month}-${day}`;
    if (!isCalendarDate(birth)) {
      return refused(curp, "date");
    }
    if (!entities.has(entity)) {
      return refused(curp, "region");
    }
    if (checkDigitOf(curp) !== curp[17]) {
      return refused(curp, "check-digit");
    }
    return checked(curp, {
      hints: [
        { about: "birthDate", value: birth, sure: "L" },
        { about: "sex", value: sexes[letter] ?? "X", sure: "L" },
        { about: "region", value: entity, sure: "L" },
      ],
    });
  },
};
