import { bareOf, checked, type NumberRule, refused } from "./number-rule.ts";

/** Check character of a RUN: weights 2 to 7 from the right, modulo 11. */
const runCheckCharacter = (body: string): string => {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    sum += Number(body[body.length - 1 - i]) * (2 + (i % 6));
  }
  const rest = 11 - (sum % 11);
  return rest === 10 ? "K" : String(rest % 11);
};

/**
 * RUN of Chile, `12.345.678-5`; the MRZ writes `12345678<5`. Canonical without separators and leading zeros.
 */
export const chileRun: NumberRule = {
  country: "CHL",
  sure: "L",
  sources: 2,
  read: (text) => {
    const bare = bareOf(text).replace(/^0+(?=.{2})/, "");
    const [, body, character] = /^(\d{1,8})([\dK])$/.exec(bare) ?? [];
    if (body === undefined || character === undefined) {
      return refused(bare, "shape");
    }
    if (runCheckCharacter(body) !== character) {
      return refused(bare, "check-digit");
    }
    return checked(bare, { printed: `${body.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ".")}-${character}` });
  },
};
