import { describe, expect, it } from "vitest";
import { isWithinBound } from "./bounded-name.ts";

const complete = { mayBeTruncated: false, mayOmitParts: false };
const within = (printed: string, value: string, bound = complete) =>
  isWithinBound(printed, { value, ...bound });

describe("a name that an MRZ bounds", () => {
  it.each([
    ["Solís Prueba", "SOLIS PRUEBA"],
    ["Müller", "MUELLER"],
    ["O'Neil", "ONEIL"],
    ["Pérez-López", "PEREZ LOPEZ"],
    ["Weiß", "WEISS"],
  ])("may be answered as %s for %s: marks, case and separators differ", (printed, mrz) => {
    expect(within(printed, mrz)).toBe(true);
  });

  it.each([
    ["SOLIS PRUEBA", "SOLIS", "a neighbouring line was added"],
    ["SOLIS", "SOLIS PRUEBA", "a line was not read"],
    ["DE LA CRUZ", "CRUZ", "the MRZ has no particle"],
    ["PRUEBA SOLIS", "SOLIS PRUEBA", "the order is another one"],
    ["SOLISS", "SOLIS", "one letter more"],
    ["S0LIS", "SOLIS", "a character was misread"],
    ["GARCIA", "SOLIS", "it is another name"],
  ])("is not %s for %s: %s", (printed, mrz) => {
    expect(within(printed, mrz)).toBe(false);
  });

  it("may go beyond an MRZ whose field is full to the last letter", () => {
    const full = { mayBeTruncated: true, mayOmitParts: false };
    expect(within("Nilavadhanananda Chayapa", "NILAVADHANANANDA CHAY", full)).toBe(true);
    expect(within("NILAVADHANANANDA CHAY", "NILAVADHANANANDA CHAYAPA", full)).toBe(false);
    expect(within("Peter Chayapa", "NILAVADHANANANDA CHAY", full)).toBe(false);
  });

  it("may have the surname that a national MRZ omits, and no other end", () => {
    const national = { mayBeTruncated: false, mayOmitParts: true };
    expect(within("SOLÍS PRUEBA", "SOLIS", national)).toBe(true);
    expect(within("GARCÍA SOLÍS", "SOLIS", national)).toBe(false);
  });
});
