import * as fc from "fast-check";
import { expect, it } from "vitest";
import { inReadingOrder } from "./reading-order.ts";

it.each([
  ["MARÍA 01-01-1990", "MARÍA 01-01-1990"],
  ["دمحم", "محمد"],
  ["1990 دمحم", "محمد 1990"],
  ["ישראל", "לארשי"],
])("reads %j as %j", (seen, read) => {
  expect(inReadingOrder(seen)).toBe(read);
});

it("loses no character, and reverses a reversed line", () => {
  const signs = fc.constantFrom("م", "ح", "ד", "A", "b", "7", " ", "-");
  fc.assert(
    fc.property(fc.array(signs), (line) => {
      const text = line.join("");
      expect(inReadingOrder(inReadingOrder(text))).toBe(text);
    }),
  );
});
