import {
  bareOf,
  checked,
  grouped,
  type NumberHint,
  type NumberRule,
  refused,
  uncheckable,
  weightedSum,
} from "./number-rule.ts";

/** Numbers from here on are issued to foreigners. */
const foreignersFrom = 90_000_000;

const dotted = (number: string): string => number.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ".");

/**
 * DNI of Argentina, seven or eight digits `30.123.456`, no check digit. Old papers (LE, LC) put M or F before
 * it; eight characters may begin with a 0.
 */
export const argentinaDni: NumberRule = {
  country: "ARG",
  sure: "L",
  read: (text) => {
    const bare = bareOf(text);
    const match = /^([MF]?)(0?[1-9]\d{6}|[1-9]\d{7})$/.exec(bare);
    if (match === null) {
      return refused(bare, "shape");
    }
    const [, letter = "", digits = ""] = match;
    const number = digits.replace(/^0/, "");
    const hints: readonly NumberHint[] = [
      ...(letter === "" ? [] : [{ about: "sex" as const, value: letter, sure: "L" as const }]),
      ...(Number(number) >= foreignersFrom
        ? [{ about: "holder" as const, value: "foreigner", sure: "?" as const }]
        : []),
    ];
    return uncheckable(number, { printed: dotted(number), hints });
  },
};

const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2] as const;

/**
 * Check digit of ten digits by modulo 11. Undefined when the remainder allows none: that number was never
 * issued.
 */
const cuilDigit = (body: string): string | undefined => {
  const rest = 11 - (weightedSum(body, weights) % 11);
  return rest === 10 ? undefined : String(rest % 11);
};

const prefixSex: Readonly<Record<string, string>> = { 20: "M", 27: "F" };

/**
 * CUIL of Argentina, `20-12345678-6`. If prefix 20 or 27 would give the digit 10, the person gets prefix 23
 * with its ordinary digit (RG AFIP 10/97). So a 20 or 27 with remainder 10 does not exist.
 */
export const argentinaCuil: NumberRule = {
  country: "ARG",
  sure: "L",
  read: (text) => {
    const number = bareOf(text);
    if (!/^\d{11}$/.test(number)) {
      return refused(number, "shape");
    }
    if (!/^2[034567]/.test(number)) {
      return refused(number, "series");
    }
    const digit = cuilDigit(number);
    if (digit !== number[10]) {
      return refused(number, digit === undefined ? "not-issued" : "check-digit");
    }
    const sex = prefixSex[number.slice(0, 2)];
    return checked(number, {
      printed: grouped(number, [2, 8, 1], "-"),
      hints: [
        { about: "dni", value: number.slice(2, 10).replace(/^0/, ""), sure: "L" },
        ...(sex === undefined ? [] : [{ about: "sex" as const, value: sex, sure: "L" as const }]),
      ],
    });
  },
};

/** Número de trámite: eleven digits, no check digit. */
export const argentinaProcedure: NumberRule = {
  country: "ARG",
  sure: "L",
  read: (text) => {
    const number = bareOf(text);
    return /^\d{11}$/.test(number) ? uncheckable(number) : refused(number, "shape");
  },
};
