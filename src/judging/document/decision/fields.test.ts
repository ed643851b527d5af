import { describe, expect, it } from "vitest";
import {
  argentina,
  cardReading,
  chile,
  costaRica,
  type DrawnCard,
  ecuador,
  guatemala,
  honduras,
  panama,
  peru,
} from "#support/document/national-cards";
import { line, printed } from "#support/document/printed-lines";
import { mergeSources, mrzOf, now, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { FieldName } from "../values/field-name.ts";
import { fieldSourcesOf } from "./fields.ts";
import type { FieldReading } from "./sources/field-reading.ts";
import { mergeReadings } from "./sources/merge.ts";

const read = (card: DrawnCard) => mergeSources(cardReading(card), now);

const valuesOf = (card: DrawnCard, ...names: readonly FieldName[]) => {
  const { values } = read(card);
  return Object.fromEntries(names.map((name) => [name, values[name]?.value]));
};

describe("fields that cross threads", () => {
  it.each(Object.entries({ argentina, chile, costaRica, ecuador, guatemala, honduras, panama, peru }))(
    "are the same to the last digit: %s",
    (_, card) => {
      const reading = cardReading(card);
      const sent = structuredClone(fieldSourcesOf(reading));
      expect(Object.keys(sent.front).toSorted()).toEqual(["barcodes", "lines"]);
      expect(structuredClone(mergeSources(sent, now))).toStrictEqual(mergeSources(reading, now));
    },
  );
});

describe("a card", () => {
  it.each([
    ["CHL-ID-2024", chile],
    ["PER-ID-1997", peru],
    ["ECU-ID-2021", ecuador],
    ["HND-ID-2021", honduras],
    ["PAN-ID-2023", panama],
    ["ARG-ID-2012", argentina],
    ["CRI-ID-2025", costaRica],
  ] as const)("is identified as %s, without a contradiction", (id, card) => {
    const { model, contradictions } = read(card);
    expect(model?.id).toBe(id);
    expect(contradictions).toEqual([]);
  });

  it.each([
    ["Chile", chile, "123456785"],
    ["Peru", peru, "12345678"],
    ["Ecuador", ecuador, "1710034065"],
    ["Honduras", honduras, "0801199012345"],
    ["Panama", panama, "8-123-456"],
    ["Argentina", argentina, "30123456"],
    ["Guatemala", guatemala, "1234567890101"],
    ["Costa Rica", costaRica, "112340567"],
  ] as const)("of %s has its holder's data", (_, card, number) => {
    const { values, readBy } = read(card);
    expect(values[readBy?.personNumber ?? "documentNumber"]?.value).toBe(number);
    expect(values.firstName?.value.toUpperCase()).toMatch(/^ANA MAR[IÍ]A$/);
    expect(values.lastName?.value.toUpperCase()).toMatch(/^(SOL[IÍ]S|PÉREZ SOLÍS|SOL[IÍ]S PRUEBA)$/);
    expect(values.dateOfBirth?.value).toBe("1990-01-01");
    expect(values.sex?.value).toBe("F");
  });

  it("is not named where two generations fit", () => {
    const { model, readBy } = read(guatemala);
    expect([model, readBy?.country]).toEqual([undefined, "GTM"]);
  });

  it("is identified by the day of issue, and by the shape of its number", () => {
    const older = {
      ...panama,
      front: panama.front.map((row) =>
        row.text.startsWith("EXPEDIDA") ? line(0.36, 0.58, "EXPEDIDA: 03-FEB-2020") : row,
      ),
    };
    expect(read(older).model?.id).toBe("PAN-ID-2010");
    const mrz = [
      "INCHL5123456789<<<<<<<<<<<<<<<",
      "9001011F3501014CHL8765432<K<<5",
      "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<",
    ];
    expect(read({ front: [], mrz }).model?.id).toBe("CHL-ID-2013");
  });

  it("names no country from headings that several share", () => {
    const front = printed(
      [0.2, 0.1, "REGISTRO NACIONAL DE LAS PERSONAS"],
      [0.2, 0.2, "DOCUMENTO NACIONAL DE IDENTIDAD"],
    );
    const { model, readBy, values } = read({ front });
    expect([model, readBy?.id, values.issuer]).toEqual([undefined, "PRINT-ID", undefined]);
  });

  it("is not of Peru by eight digits in a barcode alone: they count where another source names Peru", () => {
    const stripes = { barcode: ["Code39", "12345678"] } as const;
    const alone = read({ front: [], ...stripes });
    expect([alone.model, alone.values.documentNumber, alone.payloads]).toEqual([undefined, undefined, []]);
    const other = read({ ...honduras, ...stripes });
    expect([other.model?.id, other.contradictions, other.payloads]).toEqual(["HND-ID-2021", [], []]);
    expect(read(peru).values.documentNumber?.sources).toContain("barcode");
  });

  it("is no passport of its country, although both name the same authority", () => {
    const headings = printed(
      [0.2, 0.03, "REPÚBLICA DEL PERÚ"],
      [0.36, 0.65, "SUPERINTENDENCIA NACIONAL DE MIGRACIONES"],
    );
    const lines = passportLines.map((row) => row.replace("CHL", "PER"));
    const passport = readingOf(sideOf({ mrz: mrzOf(lines), lines: headings }));
    const { model, readBy } = mergeSources(passport, now);
    expect([model, readBy?.id]).toEqual([undefined, "ICAO-TD3"]);
    expect(read({ front: headings }).model?.id).toBe("PER-CE");
  });

  it("without a national model is read by its MRZ, and never named", () => {
    const mrz = [
      "I<USAF123456784<<<<<<<<<<<<<<<",
      "9001011F3501014USA<<<<<<<<<<<4",
      "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<",
    ];
    const { model, readBy, values } = read({ front: [], mrz });
    expect([model, readBy?.id, values.documentNumber?.value]).toEqual([undefined, "ICAO-TD1", "F12345678"]);
  });
});

describe("numbers", () => {
  it("of Chile: the serial is the document's, the RUN the person's, in print, MRZ and QR", () => {
    const { values } = read(chile);
    expect(values.documentNumber).toMatchObject({ value: "A12345678", sources: ["mrz", "barcode", "print"] });
    expect(values.personalNumber).toMatchObject({ value: "123456785", sources: ["mrz", "barcode", "print"] });
  });

  it("of Honduras: the MRZ has the card's own number, which is not compared with the DNI", () => {
    expect(valuesOf(honduras, "documentNumber", "serialNumber")).toEqual({
      documentNumber: "0801199012345",
      serialNumber: "001234567",
    });
  });

  it("of Ecuador and Guatemala: a number in an MRZ of unknown layout counts where it equals the printed one", () => {
    expect(read(ecuador).values.documentNumber).toMatchObject({ sources: ["mrz", "print"] });
    expect(read(guatemala).values.documentNumber).toMatchObject({ sources: ["mrz", "print"] });
    const other = {
      ...ecuador,
      front: ecuador.front.map((row) =>
        row.text.startsWith("NUI") ? line(0.05, 0.88, "NUI.0912345675") : row,
      ),
    };
    expect(read(other).values.documentNumber).toMatchObject({ value: "0912345675", sources: ["print"] });
    expect(read(other).contradictions).toEqual([]);
  });

  it("in the optional data are covered by the composite digit, not by that of the card's own number", () => {
    const confirmed = (mrz: readonly string[]) =>
      read({ ...ecuador, mrz }).values.documentNumber?.readings.find(({ source }) => source === "mrz")
        ?.confirmedBy;
    const [first = "", second = "", third = ""] = ecuador.mrz ?? [];
    expect(confirmed([first, second, third])).toBe("check-digit");
    expect(confirmed([first, `${second.slice(0, -1)}8`, third])).toBeUndefined();
  });

  it("of Peru: eight digits in print, MRZ and barcode; the character after them is not a part of it", () => {
    expect(read(peru).values.documentNumber).toMatchObject({
      value: "12345678",
      sources: ["mrz", "barcode", "print"],
      confirmedBy: ["check-digit", "second-source"],
    });
  });
});

describe("optional data of an MRZ", () => {
  const heldBy = (lines: readonly string[], model?: DrawnCard) => {
    const { values } = read({ front: model?.front ?? [], mrz: lines });
    return [values.documentNumber?.value ?? values.serialNumber?.value, values.personalNumber?.value];
  };

  it("have the content that the model states: a RUN, the rest of a number, or nothing that is reported", () => {
    expect(heldBy(chile.mrz ?? [])).toEqual(["A12345678", "123456785"]);
    expect(
      heldBy([
        "C<CRI1558123456678<<<<<<<<<<<<",
        "9001011F3001019NIC<<<<<<<<<<<5",
        "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<",
      ]),
    ).toEqual(["155812345678", undefined]);
    expect(heldBy(costaRica.mrz ?? [])).toEqual(["112340567", undefined]);
  });

  it("of a passport are the holder's number where they keep its country's rule", () => {
    const passport = (issuer: string, optional: string) => {
      const [first, second] = passportLines;
      const lines = [
        first.replace("CHL", issuer),
        `${second.slice(0, 28)}${optional.padEnd(14, "<")}${second.slice(42)}`,
      ];
      const { values } = mergeSources(readingOf(sideOf({ mrz: mrzOf(lines, { accepted: true }) })), now);
      return values.personalNumber?.value;
    };
    expect(passport("CHL", "123456785")).toBe("123456785");
    expect(passport("CHL", "123456784")).toBeUndefined();
    expect(passport("USA", "123456784")).toBe("123456784");
  });
});

describe("a card without an end", () => {
  const endOf = (first: string, second: string) => {
    const mrz = [first.padEnd(30, "<"), second, "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"];
    const { neverExpires, values } = read({ front: [], mrz });
    return [neverExpires, values.dateOfExpiry?.value];
  };

  it("is identified by its MRZ, by the year 99 only for the countries that write it so", () => {
    expect(endOf("IDESPBAA0005895", "8001014F9901018ESP<<<<<<<<<<<0")).toEqual([true, undefined]);
    expect(endOf("IDPER1234567853", "8001014F9912315PER<<<<<<<<<<<6")).toEqual([true, undefined]);
    expect(endOf("IDPER1234567853", "8001014F<<<<<<0PER<<<<<<<<<<<0")).toEqual([true, undefined]);
    expect(endOf("IDFRABAA0005895", "8001014F9901018FRA<<<<<<<<<<<0")).toEqual([false, "2099-01-01"]);
  });
});

describe("sources", () => {
  it("that differ in a date's century agree: print has the century, an MRZ has not", () => {
    const lines = printed(
      [0.36, 0.5, "Date of birth"],
      [0.36, 0.55, "01 ENE 1890"],
      [0.36, 0.62, "Date of birth"],
      [0.36, 0.67, "01 ENE 1990"],
      [0.36, 0.74, "Date of expiry"],
      [0.36, 0.79, "01 ENE 1935"],
    );
    const { values, contradictions } = mergeSources(
      readingOf(sideOf({ mrz: mrzOf(passportLines), lines })),
      now,
    );
    expect(values.dateOfExpiry).toMatchObject({ value: "1935-01-01", sources: ["mrz", "print"] });
    expect(values.dateOfBirth?.value).toBe("1990-01-01");
    expect(contradictions).toEqual([]);
  });

  it("that differ in a date's century are a contradiction where the printed one is later than the MRZ's newest", () => {
    const lines = printed([0.36, 0.5, "Date of birth"], [0.36, 0.55, "01 ENE 2090"]);
    const { values, contradictions } = mergeSources(
      readingOf(sideOf({ mrz: mrzOf(passportLines), lines })),
      now,
    );
    expect(values.dateOfBirth?.value).toBe("1990-01-01");
    expect(contradictions.map(({ field }) => field)).toEqual(["dateOfBirth", "yearOfBirth"]);
  });

  it("that agree have a higher confidence together, and names keep the diacritics of the print", () => {
    const { lastName, dateOfBirth } = read(chile).values;
    expect(lastName).toMatchObject({ value: "SOLÍS PRUEBA", sources: ["mrz", "barcode", "print"] });
    expect(lastName!.confidence).toBeGreaterThan(0.99);
    expect(dateOfBirth?.readings.map(({ source, side }) => `${source} ${side}`)).toEqual([
      "mrz back",
      "barcode back",
      "print front",
    ]);
  });

  it("of print with one letter more than an MRZ that had space for it yield to the MRZ", () => {
    const front = chile.front.map((one) => (one.text === "SOLÍS" ? { ...one, text: "SOLÍSS" } : one));
    expect(read({ ...chile, front }).values.lastName).toMatchObject({
      value: "SOLIS PRUEBA",
      sources: ["mrz", "barcode"],
    });
  });

  it("that have more of a name are preferred: a line of the print may not have been read", () => {
    const front = chile.front.filter(({ text }) => text !== "PRUEBA");
    expect(read({ ...chile, front }).values.lastName).toMatchObject({
      value: "SOLIS PRUEBA",
      sources: ["mrz", "barcode", "print"],
    });
  });

  it("that differ are a contradiction; the value of two of three wins", () => {
    const front = chile.front.map((row) =>
      row.text === "01 ENE 1990" ? line(0.36, 0.64, "07 JUL 1987") : row,
    );
    const { values, contradictions } = read({ ...chile, front });
    expect(values.dateOfBirth).toMatchObject({ value: "1990-01-01", sources: ["mrz", "barcode"] });
    expect(
      contradictions
        .filter(({ field }) => field === "dateOfBirth")
        .map(({ between }) => between.map(({ source }) => source)),
    ).toEqual([
      ["mrz", "print"],
      ["barcode", "print"],
    ]);
  });

  it("that are unsettled have no value alone and contradict nothing", () => {
    const { values, contradictions } = read({
      ...panama,
      front: panama.front.filter(({ text }) => !text.startsWith("FECHA")),
    });
    expect(values.dateOfBirth).toBeUndefined();
    expect(read(panama).values.dateOfBirth?.sources).toEqual(["barcode", "print"]);
    expect(contradictions).toEqual([]);
  });

  it("name a passport's holder by his national number only where the country's rule holds", () => {
    const lines = [
      "P<ARGSOLIS<<ANA<MARIA<<<<<<<<<<<<<<<<<<<<<<<",
      "AAA1234565ARG9001011F350101430123456<<<<<<20",
    ];
    const argentine = readingOf(sideOf({ mrz: mrzOf(lines) }));
    expect(mergeSources(argentine, now).values.personalNumber?.value).toBe("30123456");
    expect(
      mergeSources(readingOf(sideOf({ mrz: mrzOf(passportLines) })), now).values.personalNumber,
    ).toBeUndefined();
  });
});

describe("an MRZ whose text is certain", () => {
  const passport = (
    rows: readonly (readonly [number, number, string])[],
    lines: readonly string[] = passportLines,
  ) => mergeSources(readingOf(sideOf({ mrz: mrzOf(lines), lines: printed(...rows) })), now).values;

  it("bounds a printed name: a neighbouring line does not overrule it", () => {
    const { lastName, firstName } = passport([
      [0.36, 0.2, "Surname"],
      [0.36, 0.25, "SOLÍS PRUEBA"],
      [0.36, 0.3, "REPÚBLICA"],
      [0.36, 0.4, "Given names"],
      [0.36, 0.45, "ANA MARÍA"],
      [0.36, 0.5, "CHILENA"],
    ]);
    expect(lastName).toMatchObject({ value: "SOLIS PRUEBA", sources: ["mrz"] });
    expect(firstName).toMatchObject({ value: "ANA MARIA", sources: ["mrz"] });
  });

  it("takes the marks of a printed name", () => {
    const { lastName } = passport([
      [0.36, 0.2, "Surname"],
      [0.36, 0.25, "Solís Prueba"],
    ]);
    expect(lastName).toMatchObject({ value: "Solís Prueba", sources: ["mrz", "print"] });
  });

  it("has its name also where two other sources agree on another one", () => {
    const lastName = (source: FieldReading["source"], value: string, more: Partial<FieldReading> = {}) => ({
      name: "lastName" as const,
      side: "front" as const,
      raw: value,
      confidence: 0.98,
      source,
      value,
      ...more,
    });
    const others = [lastName("print", "GARCIA"), lastName("barcode", "GARCIA")];
    const valueOf = (isBinding: boolean) =>
      mergeReadings([lastName("mrz", "SOLIS", { isBinding }), ...others]).values.lastName;
    expect(valueOf(true)).toMatchObject({ value: "SOLIS", sources: ["mrz"] });
    expect(valueOf(false)).toMatchObject({ value: "GARCIA", sources: ["barcode", "print"] });
  });

  it("has its day of expiry, also where its issuer is unknown and a later date is printed", () => {
    const rows: readonly (readonly [number, number, string])[] = [
      [0.36, 0.7, "Date of expiry"],
      [0.36, 0.75, "01 ENE 2041"],
    ];
    const unknown = passportLines.map((row) => row.replace("CHL", "NEL"));
    expect(passport(rows).dateOfExpiry?.value).toBe("2035-01-01");
    expect(passport(rows, unknown).dateOfExpiry?.value).toBe("2035-01-01");
  });

  it("without given names has none from print", () => {
    const lines = ["P<CHLSOLIS<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<", passportLines[1]];
    const { firstName, lastName } = passport(
      [
        [0.36, 0.4, "Given names"],
        [0.36, 0.45, "CHILENA"],
      ],
      lines,
    );
    expect([lastName?.value, firstName]).toEqual(["SOLIS", undefined]);
  });
});
