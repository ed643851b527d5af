import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNumbers } from "./compare-numbers.ts";

const compare = (a: string, b: string) => {
  const forwards = compareNumbers(a, b);
  expect(compareNumbers(b, a)).toEqual(forwards);
  return forwards;
};

describe("compareNumbers", () => {
  it.each([
    ["30.123.456", "30123456", "equal"],
    ["A-12345678", "a12345678", "equal"],
    ["L01X00T47<<", "L01X00T47", "equal"],
    ["001234567", "1234567", "leading-zeros"],
  ])("%s is %s (%s)", (a, b, reason) => {
    expect(compare(a, b)).toEqual({ verdict: "same", reason });
  });

  it.each([
    ["A12345678", "A12X45678", "one-character"],
    ["30123456", "3O123456", "look-alikes"],
    ["81234567", "B1Z34567", "look-alikes"],
    ["30123456", "30123459", "one-character"],
    ["30123456", "3012345", "one-character"],
    ["", "30123456", "missing"],
  ])("%s may be the same as %s (%s)", (a, b, reason) => {
    expect(compare(a, b)).toEqual({ verdict: "unsure", reason });
  });

  it.each([
    ["30123456", "30123519"],
    ["30123456", "30132456"],
    ["30123456", "301234"],
    ["30123456", "99"],
    ["1990-01-01", "1992-12-01"],
  ])("%s is not %s", (a, b) => {
    expect(compare(a, b)).toEqual({ verdict: "differs", reason: "other-number" });
  });

  it("accepts the nine characters of a visa as the beginning of a longer number", () => {
    expect(compare("D23145890AB112", "D23145890")).toEqual({ verdict: "truncated", reason: "cut" });
  });

  it("never reports a contradiction when two numbers differ only in look-alikes", () => {
    const pairs = ["0O", "1I", "2Z", "5S", "8B", "6G"];
    const character = fc.integer({ min: 0, max: pairs.length - 1 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(character, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 15 }),
        (places) => {
          const read = (side: 1 | 2) => places.map((place) => pairs[place[0]]![place[side] ? 1 : 0]).join("");
          expect(["same", "unsure"]).toContain(compare(read(1), read(2)).verdict);
        },
      ),
    );
  });
});
