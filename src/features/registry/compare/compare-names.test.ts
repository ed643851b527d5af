import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilCode } from "#contract/civil-code";
import { compareGivenNames, comparePersonNames, compareSurnames } from "./compare-names.ts";

type Order = "given-first" | "surnames-first";

/** Spellings of invented persons in documents and registries, with the codes that a clerk would give them. */
const tables: readonly (readonly [family: string, order: Order])[] = [
  ["surnames-first", "surnames-first"],
  ["argentina", "surnames-first"],
  ["given-first", "given-first"],
];

const rowsOf = (family: string) =>
  readFileSync(new URL(`../../../../test/support/registry/compare/${family}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("|"));

const nameOf = (lastName = "", firstName = "") => ({
  ...(lastName && { lastName }),
  ...(firstName && { firstName }),
});

describe.each(tables)("spellings of the family %s", (family, order) => {
  const rows = rowsOf(family);

  it("are 200 or more", () => {
    expect(rows.length).toBeGreaterThanOrEqual(200);
  });

  it("compare as expected, whichever side holds which", () => {
    const results = rows.map(([sentLast, sentFirst, heldLast, heldFirst, ...codes]) => {
      const [sent, held] = [nameOf(sentLast, sentFirst), nameOf(heldLast, heldFirst)];
      const there = comparePersonNames(sent, held, order);
      expect(comparePersonNames(held, sent, order)).toEqual(there);
      const found = [civilCode[there.lastName].code, civilCode[there.firstName].code];
      return [sentLast, sentFirst, heldLast, heldFirst, ...(found.join() === codes.join() ? codes : found)];
    });
    expect(results).toEqual(rows);
  });
});

const words =
  "DE LA DEL Y GARCÍA TORRES MARÍA JOSÉ ÑAHUI PEÑA VDA DE LÓPEZ C M. MA CRUZ-PAZ D'ANGELO MUNXXOZ".split(" ");
const name = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 6 })), { maxLength: 6 })
  .map((parts) => parts.join(" "));
const person = fc.record({ lastName: name, firstName: name }, { requiredKeys: [] });
const order = fc.constantFrom<Order>("given-first", "surnames-first");
const unmarked = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

describe("the comparison of names", () => {
  const compared = { numRuns: 500 };

  it("gives both sides the same result", () => {
    fc.assert(
      fc.property(person, person, order, (a, b, by) => {
        expect(comparePersonNames(a, b, by)).toEqual(comparePersonNames(b, a, by));
      }),
      compared,
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(compareSurnames(a, b)).toBe(compareSurnames(b, a));
        expect(compareGivenNames(a, b)).toBe(compareGivenNames(b, a));
      }),
      compared,
    );
  });

  it("finds that every name with a letter agrees with itself", () => {
    fc.assert(
      fc.property(name, (a) => {
        const own = /\p{L}/u.test(unmarked(a)) ? "agrees" : compareSurnames(a, a);
        expect([compareSurnames(a, a), compareGivenNames(a, a)]).toEqual([own, own]);
      }),
      compared,
    );
  });

  it("does not depend on accents and capitals", () => {
    fc.assert(
      fc.property(person, person, order, (a, b, by) => {
        const plain = {
          ...a,
          ...(a.lastName !== undefined && { lastName: unmarked(a.lastName).toLowerCase() }),
        };
        expect(comparePersonNames(plain, b, by)).toEqual(comparePersonNames(a, b, by));
      }),
      compared,
    );
  });

  it("ends soon for hostile texts", () => {
    const long = "DE LA ".repeat(200_000);
    const start = performance.now();
    comparePersonNames({ lastName: long, firstName: long }, { lastName: `A ${long}` }, "given-first");
    expect(performance.now() - start).toBeLessThan(200);
  });
});
