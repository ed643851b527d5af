import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsv } from "./csv.ts";

const strict = { separator: ",", isStrict: true } as const;
const lenient = { separator: ",", isStrict: false } as const;

describe("CSV", () => {
  it("gives each row with the line on which it begins, and a blank line as one empty cell", () => {
    const text = 'a,"two\r\nlines"\r\n\r\n"say ""yes""",é\r\n';
    const rows = [
      { line: 1, cells: ["a", "two\r\nlines"] },
      { line: 3, cells: [""] },
      { line: 4, cells: ['say "yes"', "é"] },
    ];
    expect(readCsv(text, strict)).toEqual({ rows });
    expect(readCsv(text, lenient)).toEqual({ rows });
  });

  it("returns every table that is written with quotes", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\n", "\r", " "), maxLength: 5 });
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom(",", ";"), fc.boolean(), (rows, separator, isStrict) => {
        const text = rows
          .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(separator))
          .join("\n");
        const read = readCsv(text, { separator, isStrict });
        expect("rows" in read && read.rows.map(({ cells }) => cells)).toEqual(rows);
      }),
    );
  });

  it.each([
    ['a\n"b\nc,d', 2],
    ['a\n"b" c,d', 2],
    ['"a\nb",""c', 2],
  ])("names the line of a cell whose quote does not end it: %j", (text, faultLine) => {
    expect(readCsv(text, strict)).toEqual({ faultLine });
    expect(readCsv(text, lenient)).toEqual({ faultLine });
  });

  it.each(['5" screen,a', "a\rb,c"])(
    "accepts a quote or \\r within a cell only if it is not strict: %j",
    (text) => {
      expect(readCsv(text, lenient)).toHaveProperty("rows");
      expect(readCsv(text, strict)).toEqual({ faultLine: 1 });
    },
  );
});
