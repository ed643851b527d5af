import { expect, it } from "vitest";
import { writeCsvLine } from "./write-csv.ts";

it.each([
  [["a", 'b"c', "d,e"], 'a,"b""c","d,e"\n'],
  [["=1+1", "+x", "@x", "-x"], "'=1+1,'+x,'@x,'-x\n"],
  [["-0.31", "1.0e-6", "-2.5e-1"], "-0.31,1.0e-6,-2.5e-1\n"],
])("a row of cells %j is one line that no spreadsheet runs", (cells, line) => {
  expect(writeCsvLine(cells)).toBe(line);
});
