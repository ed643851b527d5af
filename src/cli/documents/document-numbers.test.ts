import { describe, expect, it } from "vitest";
import { parseNumbers } from "./document-numbers.ts";

describe("document numbers, one per line", () => {
  it("are returned with their lines, without blanks and empty lines", () => {
    expect(parseNumbers("F12345678\r\n\n 12.345.678-5 \n")).toEqual([
      { line: 1, number: "F12345678" },
      { line: 3, number: "12.345.678-5" },
    ]);
  });

  it.each([
    ["\n", "no number"],
    ["F12345678\n--- stolen 123", "Line 2"],
    ["\nF1", "Line 2"],
    [`A${"1".repeat(40)}`, "Line 1"],
    ["A123\n".repeat(100_001), "At most 100000"],
  ])("are refused where entry %# is not a number", (text, words) => {
    expect(() => parseNumbers(text)).toThrow(words);
    expect(() => parseNumbers(text)).not.toThrow("stolen");
  });
});
