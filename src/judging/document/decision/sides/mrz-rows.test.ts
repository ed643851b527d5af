import { describe, expect, it } from "vitest";
import { line } from "#support/document/printed-lines";
import { isMrzTrace, linesApartFrom } from "./mrz-rows.ts";

/** A Portuguese card: its number has 12 characters, three of them in the optional data. */
const mrzs = [
  ["I<PRT000024759<ZZ72<<<<<<<<<<<", "8503127F3109111PRT1234567890<6", "PRUEBA<<ANNA<<<<<<<<<<<<<<<<<<"],
] as const;
const isTrace = (text: string): boolean => isMrzTrace(mrzs, line(0, 0, text));

describe("a printed line", () => {
  it.each([
    ["fillers", "ANNA<<<<"],
    ["a first line without fillers", "IPRT000024759"],
    ["a second line without its beginning", "F3109111PRT"],
    ["a second line with misread letters", "85O3127F31O9111PRT"],
  ])("with %s is of an MRZ", (_, text) => {
    expect(isTrace(text)).toBe(true);
  });

  it.each([
    ["the number of the card", "00002475 9 ZZ7"],
    ["the optional data", "1234567890"],
    ["the names", "PRUEBA ANNA"],
    ["nine characters of a second line", "9111PRT12"],
    ["one filler", "A < B"],
    ["a heading", "REPÚBLICA PORTUGUESA 2025"],
  ])("with %s alone is print", (_, text) => {
    expect(isTrace(text)).toBe(false);
  });

  it("between the lines of an MRZ is of it, and beside or above it is print", () => {
    const rows = mrzs[0].map((text, i) => line(0.05, 0.7 + i * 0.08, text));
    const [between, above] = [line(0.05, 0.78, "85O3 l27F"), line(0.05, 0.6, "IDEM")];
    expect(linesApartFrom(mrzs, [above, ...rows, between])).toEqual([above]);
    expect(linesApartFrom(mrzs, [above, between])).toEqual([above, between]);
  });
});
