import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPrintedDates, readPrintedDate } from "./printed-date.ts";

describe("readPrintedDate", () => {
  it.each([
    ["01 ENE 1990", "1990-01-01"],
    ["01ENE1990", "1990-01-01"],
    ["1DIC1990", "1990-12-01"],
    ["01/ENE/1990", "1990-01-01"],
    ["01-ENE-1990", "1990-01-01"],
    ["01 ENE/ JAN 1990", "1990-01-01"],
    ["01 ENE / JAN 1990", "1990-01-01"],
    ["30 AGO/AUG 2031", "2031-08-30"],
    ["01-01-1990", "1990-01-01"],
    ["01 01 1990", "1990-01-01"],
    ["1990-01-31", "1990-01-31"],
    ["31/12/1999", "1999-12-31"],
    ["01.02.1990", "1990-02-01"],
    ["1. 2. 1990", "1990-02-01"],
    ["1990.02.01.", "1990-02-01"],
    ["04 DE JULIO DE 1955", "1955-07-04"],
    ["4 de julio del 1955", "1955-07-04"],
    ["1º de enero de 2001", "2001-01-01"],
    ["15 março 2001", "2001-03-15"],
    ["25 MAI/MAY 2031", "2031-05-25"],
    ["13 jún 2006", "2006-06-13"],
    ["22 ŘÍJ 1999", "1999-10-22"],
    ["3 września 1988", "1988-09-03"],
    ["17 PAŹ 1988", "1988-10-17"],
    ["12 SET 1970", "1970-09-12"],
    ["January 4, 1990", "1990-01-04"],
    ["29 FEB 2000", "2000-02-29"],
    [" 01  ENE  1990 ", "1990-01-01"],
  ])("reads %s", (text, date) => {
    expect(readPrintedDate(text)).toBe(date);
  });

  it.each([
    ["O1 ENE 199O", "1990-01-01"],
    ["l2.O5.2OI8", "2018-05-12"],
    ["01 AG0 1990", "1990-08-01"],
    ["01 D1C 1990", "1990-12-01"],
    ["2B/11/1990", "1990-11-28"],
    ["3O 5EP 1990", "1990-09-30"],
  ])("reads look-alikes in %s as the characters that must stand there", (text, date) => {
    expect(readPrintedDate(text)).toBe(date);
  });

  it.each([
    ["30.02.1990"],
    ["31/13/1990"],
    ["29 FEB 1999"],
    ["01 ENE/ FEB 1990"],
    ["18 JUL 68"],
    ["01.01.1890"],
    ["01.01.2190"],
    ["01 JUI 1990"],
    ["SI.SI.SOSI"],
    ["01 SOLIS BOSO"],
    ["XX XX 1974"],
    ["1990"],
    ["12345678"],
    ["0801 1990 12345"],
    ["FECHA 01 ENE 1990"],
    ["01/02.1990"],
    [""],
  ])("finds no date in %s", (text) => {
    expect(readPrintedDate(text)).toBeUndefined();
  });

  it.each([
    ["12 AGO/AUG 74", "1974-08-12"],
    ["12AGO74", "1974-08-12"],
    ["1DIC90", "1990-12-01"],
    ["O1 ENE 9O", "1990-01-01"],
    ["12.08.74", "1974-08-12"],
    ["12 AGO 1974", "1974-08-12"],
  ])("reads %s when two-digit years are allowed", (text, date) => {
    const ofShortYear = (short: string) => `19${short.slice(0, 2)}-${short.slice(2, 4)}-${short.slice(4)}`;
    expect(readPrintedDate(text, { ofShortYear })).toBe(date);
    expect(findPrintedDates(`EL ${date.slice(8)} AGO 74 EN LIMA`, { ofShortYear })).toHaveLength(1);
  });

  it("finds no two-digit year in a four-digit year that a reader split", () => {
    const ofShortYear = (short: string) => `19${short.slice(0, 2)}-${short.slice(2, 4)}-${short.slice(4)}`;
    expect(findPrintedDates("LIMA 21 JUN 19 92", { ofShortYear })).toEqual([]);
    expect(findPrintedDates("21 JUN 74 03 MAR 75", { ofShortYear })).toEqual(["1974-06-21", "1975-03-03"]);
  });

  it("reads digits with the month first when the document prints them so", () => {
    expect(readPrintedDate("02/03/1990", { isMonthFirst: true })).toBe("1990-02-03");
    expect(readPrintedDate("31/12/1990", { isMonthFirst: true })).toBeUndefined();
    expect(readPrintedDate("1990-02-03", { isMonthFirst: true })).toBe("1990-02-03");
    expect(readPrintedDate("03 FEB 1990", { isMonthFirst: true })).toBe("1990-02-03");
  });

  it("reads every day in every format of the countries", () => {
    const spanish = "ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC".split(" ");
    const portuguese = "JAN FEV MAR ABR MAI JUN JUL AGO SET OUT NOV DEZ".split(" ");
    const english = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
    const day = fc.date({
      min: new Date("1900-01-01T00:00:00Z"),
      max: new Date("2099-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [y, m, d] = [iso.slice(0, 4), iso.slice(5, 7), iso.slice(8)];
        const i = Number(m) - 1;
        const forms = [
          ...[".", "/", "-", " "].map((sign) => [d, m, y].join(sign)),
          iso,
          ...[spanish, portuguese, english].flatMap((names) => [
            `${d} ${names[i]} ${y}`,
            `${d}${names[i]}${y}`,
          ]),
          `${d} ${spanish[i]}/ ${english[i]} ${y}`,
        ];
        for (const form of forms) expect([form, readPrintedDate(form)]).toEqual([form, iso]);
      }),
      { numRuns: 300 },
    );
  });

  it("returns a calendar date or undefined, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."01239OIlSENAGO. /-".split("")), maxLength: 16 }),
        (text) => {
          const date = readPrintedDate(text);
          expect(date === undefined || !Number.isNaN(Date.parse(date))).toBe(true);
        },
      ),
    );
  });
});

describe("findPrintedDates", () => {
  it.each([
    ["QUITO 01 ENE 1990", ["1990-01-01"]],
    ["FECHA DE EMISIÓN: 02/03/2019", ["2019-03-02"]],
    ["05.06.2020 - 05.06.2030", ["2020-06-05", "2030-06-05"]],
    ["LIMA, 4 DE JULIO DE 1955", ["1955-07-04"]],
    ["Nacimiento 01 01 1990 140101", ["1990-01-01"]],
    ["SZÜLETETT 1985.03.12.", ["1985-03-12"]],
    ["SZÜL. 1985. 03. 12. PÉCS", ["1985-03-12"]],
    ["1985/03/12", ["1985-03-12"]],
    ["1985 03 12", ["1985-03-12"]],
    ["1985-03-12 2031-09-11", ["1985-03-12", "2031-09-11"]],
    ["1985/03.12", []],
    ["1985.03.123", []],
    ["1985 03 123", []],
    ["1985 03 12 44 55", []],
    ["11985 03 12", []],
    ["2019/12/1234", []],
    ["30.123.456", []],
    ["0801-1990-12345", []],
    ["APELLIDOS", []],
  ])("finds in %s the dates %j", (text, dates) => {
    expect(findPrintedDates(text)).toEqual(dates);
  });
});
