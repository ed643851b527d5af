import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDigit } from "./check-digit.ts";
import { judgeMrz } from "./judge-mrz.ts";

const day = "2026-06-30";
const passport = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
] as const;
const card = [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  "7408122F1204159UTO<<<<<<<<<<<6",
  "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
] as const;
const replaceAt = (text: string, at: number, to: string) =>
  text.slice(0, at) + to + text.slice(at + to.length);

describe("a valid MRZ", () => {
  it.each([
    ["TD1", card],
    ["TD2", ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]],
    ["TD3", passport],
    ["TD3 with another second letter", ["PO" + passport[0].slice(2), passport[1]]],
    ["TD3 with X for the sex", [passport[0], replaceAt(passport[1], 20, "X")]],
    [
      "TD3 with < over an empty personal number",
      ["P<CHLSOLIS<PRUEBA<<ANA<MARIA<<<<<<<<<<<<<<<<", "F123456789CHL9001011F3501014<<<<<<<<<<<<<<<8"],
    ],
    [
      "TD3 with the DNI as personal number",
      ["P<ARGSOLIS<<ANA<MARIA<<<<<<<<<<<<<<<<<<<<<<<", "AAA1234565ARG9001011F350101430123456<<<<<<20"],
    ],
    [
      "MRV-A",
      ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"],
    ],
    ["MRV-B", ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"]],
    ["FRA-ID", ["IDFRATEST<NAME<<<<<<<<<<<<<<<<0CHE02", "1710GVA123451ROBERTA<<<<<<<9112311F2"]],
    ["FRA-LICENCE", ["D1FRA13AA000026181231MARTIN<<9"]],
    ["CHE-LICENCE", ["AAA001D<<", "FACHE305142128097<<800126<<<<<", "MARCHAND<<FABIENNE<<<<<<<<<<<<"]],
    [
      "German card",
      ["IDD<<L01X00T471<<<<<<<<<<<<<<<", "6408125F3309106D<<<<<<<<<<<<<0", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
    ],
    [
      "Spanish card",
      ["IDESPBAA000589599999999R<<<<<<", "8001014F2501017ESP<<<<<<<<<<<7", "ESPANOLA<ESPANOLA<<CARMEN<<<<<"],
    ],
  ])("%s has no fault", (_, lines) => {
    expect(judgeMrz(lines, day)).toMatchObject({ isValid: true, faults: [], defects: [] });
  });

  it.each([
    "GBD",
    "GBN",
    "GBO",
    "GBP",
    "GBS",
    "RKS",
    "EUE",
    "UNO",
    "UNA",
    "UNK",
    "XOM",
    "XPO",
    "XXA",
    "XXB",
    "XXC",
    "XXX",
  ])("with the code %s has a known code", (code) => {
    const lines = [replaceAt(passport[0], 2, code), replaceAt(passport[1], 10, code)];
    expect(judgeMrz(lines, day)).toMatchObject({ isValid: true, defects: [] });
  });

  it.each(["74<<<<", "7408<<", "<<<<<<"])(
    "with the birth date %s has an unknown date and no fault",
    (birth) => {
      const second = `${birth}${checkDigit(birth)}F1204159UTO<<<<<<<<<<<`;
      const composite = checkDigit(
        card[0].slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18),
      );
      expect(judgeMrz([card[0], second + composite, card[2]], day)).toMatchObject({
        isValid: true,
        defects: [],
      });
    },
  );
});

const withDigits = (first: string, second: string): readonly string[] => {
  const composite = checkDigit(
    first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29),
  );
  return [first, second.slice(0, 29) + composite, card[2]];
};
const long = (issuer: string, nine: string, rest: string, digit: string | undefined) =>
  withDigits(`I<${issuer}${nine}<${rest}${digit}`.padEnd(30, "<"), `7408122F1204159${issuer}<<<<<<<<<<<<`);

describe("a long number", () => {
  it.each([
    ["123456789", "0101"],
    ["987654321", "0123"],
  ])("is valid with the digit that excludes position 15: %s %s", (nine, rest) => {
    expect(judgeMrz(long("UTO", nine, rest, checkDigit(nine + rest)), day).isValid).toBe(true);
    expect(judgeMrz(long("UTO", nine, rest, checkDigit(`${nine}<${rest}`)), day)).toMatchObject({
      isValid: false,
      faults: ["documentNumber"],
    });
  });

  it("of a Belgian card accepts either digit, and no third one", () => {
    const digits = Array.from("0123456789").filter(
      (digit) => judgeMrz(long("BEL", "123456789", "0101", digit), day).isValid,
    );
    expect(digits).toEqual(["1", "7"]);
  });
});

describe("faults", () => {
  it.each([
    ["documentNumber", 1, 9],
    ["birth", 1, 19],
    ["expiry", 1, 27],
    ["optional", 1, 42],
    ["composite", 1, 43],
  ] as const)("report %s when its digit is wrong", (fault, line, at) => {
    const digit = passport[line][at]!;
    const lines = passport.map((text, i) =>
      i === line ? replaceAt(text, at, String((Number(digit) + 1) % 10)) : text,
    );
    expect(judgeMrz(lines, day).faults).toContain(fault);
    expect(judgeMrz(lines, day).isValid).toBe(false);
  });

  it.each([
    ["shape", [passport[0]]],
    ["shape", [passport[0].slice(1), passport[1]]],
    ["shape", [...card, card[2]]],
    ["shape", [card[1], card[0], card[2]]],
    ["shape", []],
    ["alphabet", [passport[0].toLowerCase(), passport[1]]],
    ["alphabet", [` ${passport[0]}`, passport[1]]],
    ["alphabet", [passport[0], passport[1].replace("7408122", "74Ö8122")]],
  ] as const)("%s is the fault of %j", (fault, lines) => {
    expect(judgeMrz(lines, day)).toEqual({ isValid: false, faults: [fault], defects: [] });
  });

  it("report a letter in a date even when the digits happen to hold", () => {
    // K is 20, so its digit is that of a 0.
    const birth = "74K812";
    expect(checkDigit(birth)).toBe(checkDigit("740812"));
    const judged = judgeMrz([passport[0], replaceAt(passport[1], 13, birth)], day);
    expect(judged).toMatchObject({ isValid: false, faults: ["characters"] });
  });

  it("exclude impossible dates, foreign codes and digits in names: no check digit of ICAO covers them", () => {
    const judged = withDigits(
      `I<QQQ${card[0].slice(5)}`,
      `999999${checkDigit("999999")}F1313131QQQ<<<<<<<<<<<<`,
    );
    const expiry = checkDigit("131313");
    const lines = withDigits(judged[0]!, replaceAt(judged[1]!, 14, expiry ?? ""));
    expect(judgeMrz([lines[0]!, lines[1]!, card[2].replace("ANNA", "4NNA")], day)).toMatchObject({
      isValid: true,
      defects: ["birth-not-a-date", "expiry-not-a-date", "state-unknown", "digit-in-name"],
    });
  });

  it("report each changed digit of the data line", () => {
    const places = [0, 1, 9, 13, 18, 19, 21, 26, 27, 42, 43];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), (at, step) => {
        const found = passport[1][at]!;
        fc.pre(/\d/.test(found));
        const changed = replaceAt(passport[1], at, String((Number(found) + step) % 10));
        const { isValid, faults } = judgeMrz([passport[0], changed], day);
        expect(isValid).toBe(false);
        expect(faults.length).toBeGreaterThan(0);
      }),
    );
  });
});
