import fc from "fast-check";
import { expect, it } from "vitest";
import { findJsonFault } from "./json-fault.ts";

const find = (text: string) => findJsonFault(Buffer.from(text));

it.each([
  ['{"method":1,}', 1, 13],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ["{'a':1}", 1, 2],
  ['{"a":"ñandú" x}', 1, 14],
  ['{"a":"😀" x}', 1, 10],
  ['{"a":[1,2}', 1, 10],
  ['{"a":01}', 1, 7],
  ['{"a":"no end', 1, 6],
  ['{"a":"\\x"}', 1, 6],
  ['{"a":1', 1, 7],
  ['{"a":1} {', 1, 9],
  ['{"a" 1}', 1, 6],
  ["[,]", 1, 2],
  ["", 1, 1],
  ["hello", 1, 1],
])("of %j is in line %i, column %i", (text, line, column) => {
  expect(find(text)).toEqual({ line, column });
});

it("is in no JSON, whatever its spaces", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, spaces) => {
      expect(find(JSON.stringify(value, null, spaces))).toBeUndefined();
    }),
  );
});

it("is found in every text that the parser refuses, and in no other", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    "1",
    "-",
    "true",
    "nul",
    " ",
    "\n",
    '"',
    "\\",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const isJson = (() => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      })();
      expect(find(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2000 },
  );
});

it("is not looked for in bytes that are no UTF-8, and not beyond the limit", () => {
  expect(findJsonFault(Buffer.from([0x7b, 0xff]))).toBeUndefined();
  expect(findJsonFault(Buffer.from("{,}"), 3)).toEqual({ line: 1, column: 2 });
  expect(findJsonFault(Buffer.from("{,}"), 2)).toBeUndefined();
});
