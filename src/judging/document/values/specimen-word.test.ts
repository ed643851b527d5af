import { describe, expect, it } from "vitest";
import { isSpecimenValue, specimenMarkOf, specimenWordOf } from "./specimen-word.ts";

describe("a printed line", () => {
  it.each(["SPECIMEN", "Spécimen", "ESPÉCIMEN", "S P E C I M E N", "MUESTRA", "MUSTER", "VOID", "SPECTMEN"])(
    "that is %s is a specimen word",
    (text) => expect(specimenWordOf(text)).toBeDefined(),
  );

  it.each(["CALLE MUESTRA 7", "NUESTRA", "MASTER", "REGIMEN", "ECIMEN", "CIMENTO", "VOIDS", ""])(
    "that is %s is none",
    (text) => expect(specimenWordOf(text)).toBeUndefined(),
  );
});

describe("a mark across a side", () => {
  it.each([
    ["ECIMEN", "SPECIMEN"],
    ["SPECI", "SPECIMEN"],
    ["PECIMENM", "SPECIMEN"],
    ["SRECIMEN", "SPECIMEN"],
    ["CANCELI", "CANCELLED"],
    ["ANULA", "ANULADO"],
    ["MUESTRA", "MUESTRA"],
    ["OIMEN", "SPECIMEN"],
    // Three look-alikes in the whole word.
    ["SREGJMEN", "SPECIMEN"],
    ["CIMEN", "SPECIMEN"],
    ["8IMEN", "SPECIMEN"],
    ["SPEC1", "SPECIMEN"],
    ["SFECIMFN", "SPECIMEN"],
    // Two letters misread of a word of seven letters or more.
    ["SXXCIMEN", "SPECIMEN"],
    ["PXCIMEN", "SPECIMEN"],
    ["5PEC1MEN", "SPECIMEN"],
  ])("that reads %s is %s", (text, word) => expect(specimenMarkOf(text)).toBe(word));

  it.each(
    [
      ["CIME", "NUESTRA", "REGIMEN", "PASAPORTE", "CHILE", "REPUBLICA", "MUST", "CANC", "IMEN"],
      [
        "ESPECIE",
        "ESPECIAL",
        "SPECIES",
        "CEMEN",
        "XIMENA",
        "JIMENEZ",
        "GIMENO",
        "CANELA",
        "SAMPER",
        "ESPECIE DE",
        "ESPECIEDE",
      ],
      // Two letters misread of six letters, and three of eight.
      ["XCIMEX", "SXXXIMEN"],
      // Two look-alikes may stand in a part of five letters, and no third.
      ["8P3OL"],
      ["AUSWEIS", "HERMANN", "ANGELA", "LANCE", "REGIMENES"],
      // Names and other words one letter from a word or from a part of one.
      ["MÜNSTER", "MUENSTER", "MISTER", "HERMAN", "CANDELA", "CANCER", "ANULAR", "VUESTRA", "ESPECIA"],
      ["MAESTRA", "MINUSTER", "GERMAN", "SHERMAN", "MASTER", "SIMPLE", "SPECIAL", "SPECIALE", "ESPECIES"],
      // Names and other words that are a part of one.
      ["USTER", "CANCELA", "MOSTRA", "OSTRA", "SIMILE", "ODELL", "ANCEL", "AMPLE"],
    ].flat(),
  )("that reads %s is none: too little of a word, or another one", (text) =>
    expect(specimenMarkOf(text)).toBeUndefined(),
  );
});

describe("a name or a number", () => {
  it.each(
    [
      ["SPECIMEN", "MUSTERMANN", "SPECI2014", "000000000", "XXXXXX", "123456789", "Test Muestra"],
      ["000000", "00-00-00", "XXXXXXXXX", "ZZZZZZ", "BBBBBBBBB", "eeeeee"],
      // A series that gave out no number.
      ["K0000000", "AA 00000", "CAA000000", "CA00000AA", "00000000T", "A-00000000"],
    ].flat(),
  )("that is %s is invented", (value) => expect(isSpecimenValue(value)).toBe(true));

  it.each(
    [
      ["MUSTER", "F12345678", "100000000", "SPECK", "12345678", "AAA123456", "MODELO"],
      ["00000", "ZZZZZ", "ZZZZZZ1", "0000001"],
      ["K0000001", "AA0000", "AAAAA00000", "000001T", "K10000000"],
      // Numbers that Chile and Argentina give out in sequence: their owners exist.
      ["11.111.111-1", "22.222.222", "44444444"],
    ].flat(),
  )("that is %s may be genuine", (value) => expect(isSpecimenValue(value)).toBe(false));
});
