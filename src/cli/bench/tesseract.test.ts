import { describe, expect, it } from "vitest";
import { mrzLinesOf, phrasesOf } from "./tesseract.ts";

describe("the lines of another reader", () => {
  it("count as MRZ lines without their blanks", () => {
    const mrz = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<";
    const spaced = mrz.replace("<<ANNA", "<< ANNA ");
    expect(mrzLinesOf(["ARTIFICIAL PASSPORT", spaced, "L898902C36UTO", "A < B"])).toEqual([mrz]);
  });

  it("give every run of words as a printed value", () => {
    expect(phrasesOf(["ANA MARIA F", "X"])).toEqual([
      "ANA",
      "ANA MARIA",
      "ANA MARIA F",
      "MARIA",
      "MARIA F",
      "F",
      "X",
    ]);
    expect(phrasesOf(["a b c d e f g h"])).toHaveLength(8 * 6 - 15);
  });
});
