import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mrzAlphabet } from "./alphabet.ts";
import { checkDigit } from "./check-digit.ts";
import { layouts } from "./formats.ts";
import { nfcKeyOf } from "./nfc-key.ts";
import { formatOf, type MrzFields, parseMrz } from "./parse.ts";

const day = "2026-06-30";

const parse = (lines: readonly string[]): MrzFields => {
  const fields = parseMrz(lines, day);
  if (fields === undefined) {
    throw new Error(`No known format: ${lines.join(" | ")}`);
  }
  return fields;
};

const utopia = {
  TD3: ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"],
  TD1: ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
  TD2: ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"],
  "MRV-A": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"],
  "MRV-B": ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"],
} as const;

describe("the specimens of ICAO Doc 9303", () => {
  it.each(Object.entries(utopia))("reads %s with every check digit valid", (format, lines) => {
    const fields = parse(lines);
    expect(fields).toMatchObject({ format, checksHold: true, statesKnown: true, sex: "F", issuer: "UTO" });
    expect(fields.names).toEqual({ primary: "ERIKSSON", secondary: "ANNA MARIA", mayBeTruncated: false });
  });

  it("gives the passport's values as plain text", () => {
    expect(parse(utopia.TD3)).toMatchObject({
      documentCode: "P",
      documentNumber: "L898902C3",
      birth: { text: "740812", date: "1974-08-12", year: 1974 },
      expiry: { date: "2012-04-15" },
      nationality: "UTO",
      optional1: "ZE184226B",
      numberMayBeTruncated: false,
    });
  });

  it("reports that a visa may have truncated the number", () => {
    expect(parse(utopia["MRV-A"]).numberMayBeTruncated).toBe(true);
  });
});

describe("national cards", () => {
  it.each([
    [
      "CHL",
      ["INCHLA123456784S51<<<<<<<<<<<<", "9001011F3501014CHL12345678<5<7", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
      { documentNumber: "A12345678", optional1: "S51", optional2: "12345678<5" },
    ],
    [
      "CHL with K",
      ["INCHL5123456789<<<<<<<<<<<<<<<", "9001011F3501014CHL8765432<K<<5", "SOLIS<PRUEBA<<ANA<<<<<<<<<<<<<"],
      { documentNumber: "512345678", optional2: "8765432<K" },
    ],
    [
      "PER",
      ["I<PER12345678<8<<<<<<<<<<<<<<<", "9001011F3501014PER<<<<<<<<<<<0", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "12345678" },
    ],
    [
      "ARG",
      ["IDARG30123456<2<<<<<<<<<<<<<<<", "9001011F3501014ARG<<<<<<<<<<<2", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "30123456" },
    ],
    [
      "CRI",
      ["IDCRI1123405675<C00012345<<<<<", "9001011F3510063CRI<<<<<<<<<<<3", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "112340567", optional1: "<C00012345" },
    ],
    [
      "CRI DIMEX",
      ["C<CRI1558123456678<<<<<<<<<<<<", "9001011F3001019NIC<<<<<<<<<<<5", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "155812345678", nationality: "NIC" },
    ],
    [
      "GTM, ICAO form",
      ["I<GTM123456789<01017<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<4", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "1234567890101", optional1: "" },
    ],
    [
      "GTM, nine and four",
      ["I<GTM12345678970101<<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<6", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "123456789", optional1: "0101" },
    ],
    [
      "HND",
      ["I<HND0012345678<<<<<<<<<<<<<<<", "9001011F3101012HND<<<<<<<<<<<0", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "001234567" },
    ],
    [
      "COL",
      ["ICCOL000000012505001<<<<<<<<<<", "9001011F3501014COL1234567890<9", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { documentNumber: "000000012", optional1: "05001", optional2: "1234567890" },
    ],
    [
      "DEU",
      ["IDD<<L01X00T471<<<<<<<<<<<<<<<", "6408125F3309106D<<<<<<<<<<<<<0", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
      { issuer: "DEU", nationality: "DEU", documentNumber: "L01X00T47" },
    ],
  ] as const)("reads %s", (_, lines, values) => {
    expect(parse(lines)).toMatchObject({ format: "TD1", checksHold: true, statesKnown: true, ...values });
  });

  it("reads the French identity card of 1988", () => {
    const fields = parse(["IDFRATEST<NAME<<<<<<<<<<<<<<<<0CHE02", "1710GVA123451ROBERTA<<<<<<<9112311F2"]);
    expect(fields).toMatchObject({
      format: "FRA-ID",
      checksHold: true,
      documentNumber: "1710GVA12345",
      birth: { date: "1991-12-31" },
      names: { primary: "TEST NAME", secondary: "ROBERTA" },
    });
    expect(fields.expiry).toBeUndefined();
    expect(fields.nationality).toBeUndefined();
  });

  it("reads the French driving licence", () => {
    expect(parse(["D1FRA13AA000026181231MARTIN<<9"])).toMatchObject({
      format: "FRA-LICENCE",
      checksHold: true,
      documentNumber: "13AA00002",
      expiry: { date: "2018-12-31" },
      names: { primary: "MARTIN" },
    });
  });

  it("reads the Swiss driving licence, which has no check digit", () => {
    const fields = parse(["AAA001D<<", "FACHE305142128097<<800126<<<<<", "MARCHAND<<FABIENNE<<<<<<<<<<<<"]);
    expect(fields).toMatchObject({
      format: "CHE-LICENCE",
      documentNumber: "AAA001D",
      birth: { date: "1980-01-26" },
    });
    expect(fields.checks).toEqual([]);
  });
});

describe("long document numbers", () => {
  it.each([
    ["1234567890101", "7"],
    ["9876543210123", "9"],
  ])("excludes position 15 from the digit of %s", (number, digit) => {
    const line = `I<UTO${number.slice(0, 9)}<${number.slice(9)}${digit}`.padEnd(30, "<");
    const fields = parse([line, "7408122F1204159UTO<<<<<<<<<<<0", "A<<B".padEnd(30, "<")]);
    expect(fields.documentNumber).toBe(number);
    expect(fields.checks.find(({ name }) => name === "documentNumber")).toMatchObject({
      found: digit,
      holds: true,
    });
  });

  it("continues in the optional data of TD2 too", () => {
    const fields = parse(["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D23145890<UTO7408122F1204159AB112<<0"]);
    expect(fields.documentNumber).toBe("D23145890AB11");
    expect(fields.checks.find(({ name }) => name === "documentNumber")?.holds).toBe(
      checkDigit("D23145890AB11") === "2",
    );
  });

  it("does not join optional data to a number that has its digit in its place", () => {
    expect(
      parse(["I<UTOD231458907123<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "A<<B".padEnd(30, "<")])
        .documentNumber,
    ).toBe("D23145890");
  });
});

const birthLine = (birth: string) => [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  `${birth}${checkDigit(birth)}F1204159UTO<<<<<<<<<<<6`,
  "A<<B".padEnd(30, "<"),
];

describe("dates", () => {
  it.each([
    ["74<<<<", "1", { text: "74<<<<", year: 1974 }],
    ["7408<<", "7", { text: "7408<<", year: 1974 }],
    ["<<<<<<", "0", { text: "<<<<<<" }],
  ])("reads %s as an unknown date with digit %s", (text, digit, birth) => {
    expect(checkDigit(text)).toBe(digit);
    const fields = parse(birthLine(text));
    expect(fields.birth).toEqual(birth);
    expect(fields.checks.find(({ name }) => name === "birth")?.holds).toBe(true);
  });

  it.each([
    ["260630", "2026-06-30"],
    ["260701", "1926-07-01"],
    ["270101", "1927-01-01"],
    ["000101", "2000-01-01"],
  ])("gives %s the newest century that is not in the future", (text, date) => {
    expect(parse(birthLine(text)).birth.date).toBe(date);
  });

  it("returns no date for a day that the calendar lacks", () => {
    expect(parse(birthLine("990230")).birth).toEqual({ text: "990230" });
  });
});

const expiringCard = (issuer: string, expiry: string) =>
  parse([
    `I<${issuer}D231458907`.padEnd(30, "<"),
    `7408122F${expiry}${checkDigit(expiry)}${issuer}<<<<<<<<<<<0`,
    "A<<B".padEnd(30, "<"),
  ]);

describe("a card without expiry", () => {
  it.each([
    ["UTO", "<<<<<<"],
    ["ESP", "990101"],
    ["PER", "991231"],
  ])("of %s reports %s", (issuer, expiry) => {
    expect(expiringCard(issuer, expiry)).toMatchObject({ neverExpires: true, expiry: { text: expiry } });
    expect(expiringCard(issuer, expiry).expiry?.date).toBeUndefined();
  });

  it("is not assumed for a passport", () => {
    const lines = [utopia.TD3[0], `${utopia.TD3[1].slice(0, 21)}<<<<<<0${utopia.TD3[1].slice(28)}`];
    expect(parse(lines).neverExpires).toBe(false);
  });

  it("is not assumed for another issuer", () => {
    expect(expiringCard("UTO", "990101")).toMatchObject({
      neverExpires: false,
      expiry: { date: "2099-01-01" },
    });
  });
});

describe("names", () => {
  it("keeps only a primary identifier when there is no double filler", () => {
    expect(parse([utopia.TD2[0].replace("<<ANNA<MARIA", "<ANNA<MARIA<"), utopia.TD2[1]]).names).toEqual({
      primary: "ERIKSSON ANNA MARIA",
      secondary: "",
      mayBeTruncated: false,
    });
  });

  it("assumes truncation when the last position is a letter", () => {
    const names = "NILAVADHANANANDA<<CHAYAPA<DEJ<KRASUANG".slice(0, 31);
    expect(parse([`I<UTO${names}`, utopia.TD2[1]]).names.mayBeTruncated).toBe(true);
  });
});

const holdsWithOptionalDigit = (digit: string) => {
  const head = `L898902C36UTO7408122F1204159${"<".repeat(14)}${digit}`;
  const composite = checkDigit(head.slice(0, 10) + head.slice(13, 20) + head.slice(21, 43));
  return parse([utopia.TD3[0], head + composite]).checksHold;
};

describe("check digits", () => {
  it("finds every changed digit", () => {
    const places = [0, 1, 9, 13, 18, 19, 21, 26, 27, 42, 43];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), (place, step) => {
        const second = utopia.TD3[1];
        const found = second[place]!;
        fc.pre(/\d/.test(found));
        const changed = second.slice(0, place) + ((Number(found) + step) % 10) + second.slice(place + 1);
        return !parse([utopia.TD3[0], changed]).checksHold;
      }),
    );
  });

  it("accepts 0 and < over an empty personal number, and nothing else", () => {
    expect(Array.from("<0123456789").filter(holdsWithOptionalDigit)).toEqual(["<", "0"]);
  });

  it("is undefined outside the alphabet", () => {
    expect(checkDigit("AB*")).toBeUndefined();
  });
});

describe("other text", () => {
  it("never throws, and returns a result only for lines of a known shape", () => {
    const line = fc.string({
      unit: fc.constantFrom(...Array.from(mrzAlphabet), "*", "é"),
      minLength: 0,
      maxLength: 46,
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const fields = parseMrz(lines, day);
        expect(fields === undefined || layouts[fields.format].lengths.length === lines.length).toBe(true);
      }),
    );
  });

  it("reads a two-line card with IDFRA as TD2 when only the digits of TD2 hold", () => {
    const second = "D231458907FRA7408122F1204159<<<<<<<6";
    expect(formatOf(["IDFRAERIKSSON<<ANNA<<<<<<<<<<<<<<<<<", second])).toBe("TD2");
  });
});

describe("nfcKeyOf", () => {
  it("is the text from which the chip's access key is derived", () => {
    const lines = [
      "I<UTOA123456784<<<<<<<<<<<<<<<",
      "9001011F3501014UTO<<<<<<<<<<<0",
      "A<<B".padEnd(30, "<"),
    ];
    expect(nfcKeyOf(parse(lines))).toBe("A12345678490010113501014");
  });

  it("includes a long number in full and fills a short one", () => {
    const long = ["I<GTM123456789<01017<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<4", "A<<B".padEnd(30, "<")];
    expect(nfcKeyOf(parse(long))).toBe("1234567890101790010113501014");
    const short = [
      "I<PER12345678<8<<<<<<<<<<<<<<<",
      "9001011F3501014PER<<<<<<<<<<<0",
      "A<<B".padEnd(30, "<"),
    ];
    expect(nfcKeyOf(parse(short))).toBe("12345678<890010113501014");
  });

  it("does not exist for a visa", () => {
    expect(nfcKeyOf(parse(utopia["MRV-A"]))).toBeUndefined();
  });
});
