import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalNumber } from "./canonical-number.ts";
import { numberRules } from "./number-rules.ts";

describe("canonicalNumber", () => {
  it.each([
    ["PAN", "8-123-456", "8-123-456"],
    ["PAN", "08-0123-00456", "8-123-456"],
    ["PAN", "08–123–456", "8-123-456"],
    ["PAN", "8 123 456", "8-123-456"],
    ["PAN", "8-12-3456", "8-12-3456"],
    ["PAN", "PA0123456", "PA0123456"],
    ["PER", "12345678-1", "12345678"],
    ["PER", "12345678", "12345678"],
    ["PER", "123456781", "123456781"],
    ["CHL", "12.345.678-5", "123456785"],
    ["CHL", "012345678-5", "123456785"],
    ["CHL", "f-123.456 78", "F12345678"],
    ["CRI", "01-1234-0567", "112340567"],
    ["DEU", "c01x-00t/47 8", "C01X00T478"],
  ])("writes %s %s as %s", (country, text, canonical) => {
    expect(canonicalNumber(country, text)).toBe(canonical);
  });

  it("leaves its own result unchanged", () => {
    const countries = [...new Set(Object.values(numberRules).map(({ country }) => country)), "DEU"];
    const text = fc.stringMatching(/^[A-Z0-9][A-Z0-9 .-]{2,14}$/);
    fc.assert(
      fc.property(fc.constantFrom(...countries), text, (country, number) => {
        const once = canonicalNumber(country, number);
        expect(canonicalNumber(country, once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
