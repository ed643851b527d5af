import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPrintedNumber } from "./printed-number.ts";

describe("readPrintedNumber", () => {
  it.each([
    ["30.123.456", ["99.999.999"], "30.123.456"],
    ["3O.I23.4S6", ["99.999.999"], "30.123.456"],
    ["30 123 456", ["99.999.999"], "30.123.456"],
    ["8-123-456", ["9-999-999"], "8-123-456"],
    ["PP135768", ["AA999999"], "PP135768"],
    ["PPI3S768", ["AA999999"], "PP135768"],
    ["0P135768", ["AA999999"], "OP135768"],
    ["600622/8734", ["999999/9999"], "600622/8734"],
    ["12.345.678-K", ["99.999.999-X"], "12.345.678-K"],
    ["12345678", ["9999999", "99999999"], "12345678"],
    ["V1234I5678", ["A9999A9999"], "V1234I5678"],
    ["V12341567B", ["A9999A9999"], "V1234I5678"],
  ])("reads %s with %j", (text, patterns, number) => {
    expect(readPrintedNumber(text, patterns)).toBe(number);
  });

  it("prefers the pattern that changes least", () => {
    expect(readPrintedNumber("AB123456", ["99999999", "AA999999"])).toBe("AB123456");
    expect(readPrintedNumber("12345678", ["AA999999", "99999999"])).toBe("12345678");
  });

  it.each([
    ["30.123.45", ["99.999.999"]],
    ["M0.123.456", ["99.999.999"]],
    ["PE-12-345", ["9-999-999"]],
    ["", ["9"]],
    ["123", []],
  ])("does not force %s into %j", (text, patterns) => {
    expect(readPrintedNumber(text, patterns)).toBeUndefined();
  });

  it("leaves a text that fits as it is", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{2}\d{6}$/), (number) => {
        expect(readPrintedNumber(number, ["AA999999"])).toBe(number);
      }),
    );
  });
});
