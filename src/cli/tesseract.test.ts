import { describe, expect, it } from "vitest";
import { phrasesOf, zoneLinesOf } from "./tesseract.ts";

describe("what counts of another reader's lines", () => {
  it("are the lines of a zone, blanks taken out", () => {
    const zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<";
    const spaced = zone.replace("<<ANNA", "<< ANNA ");
    expect(zoneLinesOf(["ARTIFICIAL PASSPORT", spaced, "L898902C36UTO", "A < B"])).toEqual([zone]);
  });

  it("are all runs of words as printed values", () => {
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
