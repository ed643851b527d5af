import { describe, expect, it } from "vitest";
import type { NumberName } from "../../values/numbers/number-rules.ts";
import { findNationalNumber, numberCandidates } from "./find-national-number.ts";
import { parseMrz } from "./parse.ts";

const day = "2026-06-30";
const names = "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<";

const mrzOf = (first: string, second: string) => {
  const mrz = parseMrz([first, second, names], day);
  if (mrz === undefined) {
    throw new Error("No MRZ");
  }
  return mrz;
};

const find = (first: string, second: string, name: NumberName, printed: string | undefined) =>
  findNationalNumber(mrzOf(first, second), name, printed, day);

describe("findNationalNumber", () => {
  it.each([
    [
      "GTM in ICAO's form",
      "I<GTM123456789<01017<<<<<<<<<<",
      "9001011F3501014GTM<<<<<<<<<<<4",
      "gtm.cui",
      "1234 56789 0101",
    ],
    [
      "GTM as nine and four",
      "I<GTM12345678970101<<<<<<<<<<<",
      "9001011F3501014GTM<<<<<<<<<<<6",
      "gtm.cui",
      "1234567890101",
    ],
    [
      "ECU in the second optional data",
      "I<ECUA123456784<<<<<<<<<<<<<<<",
      "9001011F3501014ECU1710034065<9",
      "ecu.nui",
      "171003406-5",
    ],
    [
      "CHL, where it is the RUN",
      "INCHLA123456784S51<<<<<<<<<<<<",
      "9001011F3501014CHL12345678<5<7",
      "chl.run",
      "12.345.678-5",
    ],
    [
      "CHL with K",
      "INCHL5123456789<<<<<<<<<<<<<<<",
      "9001011F3501014CHL8765432<K<<5",
      "chl.run",
      "8.765.432-K",
    ],
    [
      "PER, without its ninth character",
      "I<PER12345678<8<<<<<<<<<<<<<<<",
      "9001011F3501014PER<<<<<<<<<<<0",
      "per.dni",
      "12345678-1",
    ],
    ["ARG", "IDARG30123456<2<<<<<<<<<<<<<<<", "9001011F3501014ARG<<<<<<<<<<<2", "arg.dni", "30.123.456"],
    ["CRI", "IDCRI1123405675<C00012345<<<<<", "9001011F3510063CRI<<<<<<<<<<<3", "cri.cedula", "1 1234 0567"],
    [
      "CRI DIMEX",
      "C<CRI1558123456678<<<<<<<<<<<<",
      "9001011F3001019NIC<<<<<<<<<<<5",
      "cri.dimex",
      "155812345678",
    ],
    ["COL", "ICCOL000000012505001<<<<<<<<<<", "9001011F3501014COL1234567890<9", "col.nuip", "1.234.567.890"],
    ["ESP", "IDESPBAA000589599999999R<<<<<<", "8001014F2501017ESP<<<<<<<<<<<7", "esp.dni", "99999999R"],
  ] as const)("finds the number of %s", (_, first, second, name, printed) => {
    const canonical = printed.replaceAll(/[ .-]/g, "");
    expect(find(first, second, name, printed)).toBe(name === "per.dni" ? "12345678" : canonical);
  });

  it("returns nothing when the number differs from the printed one, is invalid, or has nothing to compare with", () => {
    const [first, second] = ["I<ECUA123456784<<<<<<<<<<<<<<<", "9001011F3501014ECU1710034065<9"];
    expect(find(first, second, "ecu.nui", "0912345675")).toBeUndefined();
    expect(find(first, second, "ecu.nui", "1710034064")).toBeUndefined();
    expect(find(first, second, "ecu.nui", undefined)).toBeUndefined();
  });

  it("finds none in a card whose MRZ has only a serial number", () => {
    const mrz = ["I<HND0012345678<<<<<<<<<<<<<<<", "9001011F3101012HND<<<<<<<<<<<0"] as const;
    expect(find(...mrz, "hnd.dni", "0801-1990-12345")).toBeUndefined();
    expect(numberCandidates(mrzOf(...mrz))).toEqual(["001234567"]);
  });
});
