import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNumberName, type NumberName, numberRules, readNumber } from "./number-rules.ts";

const day = "2026-06-30";
const read = (name: NumberName, text: string) => readNumber(name, text, day);
const names = Object.keys(numberRules).filter(isNumberName);

const valid: readonly (readonly [NumberName, string, string, string])[] = [
  ["ecu.nui", "1710034065", "1710034065", "171003406-5"],
  ["ecu.nui", "171003406-5", "1710034065", "171003406-5"],
  ["ecu.nui", "0912345675", "0912345675", "091234567-5"],
  ["ecu.nui", "3012345678", "3012345678", "301234567-8"],
  ["ecu.nui", "0100000009", "0100000009", "010000000-9"],
  ["ecu.nui", "2400000010", "2400000010", "240000001-0"],
  ["arg.cuil", "20-12345678-6", "20123456786", "20-12345678-6"],
  ["arg.cuil", "27-12345678-0", "27123456780", "27-12345678-0"],
  ["arg.cuil", "20-30123456-3", "20301234563", "20-30123456-3"],
  ["arg.cuil", "27-30123456-8", "27301234568", "27-30123456-8"],
  ["arg.cuil", "23-30123458-9", "23301234589", "23-30123458-9"],
  ["arg.cuil", "23-30123469-4", "23301234694", "23-30123469-4"],
  ["per.dni", "70275722-9", "70275722", "70275722-9"],
  ["per.dni", "70275722-C", "70275722", "70275722-C"],
  ["per.dni", "12345678-1", "12345678", "12345678-1"],
  ["per.dni", "12345678-E", "12345678", "12345678-E"],
  ["per.dni", "00000001-4", "00000001", "00000001-4"],
  ["per.dni", "00000001-I", "00000001", "00000001-I"],
  ["per.dni", "10117410-2", "10117410", "10117410-2"],
  ["gtm.cui", "1234 56789 0101", "1234567890101", "1234 56789 0101"],
  ["gtm.cui", "1122 33449 0101", "1122334490101", "1122 33449 0101"],
  ["gtm.cui", "2000 00004 0101", "2000000040101", "2000 00004 0101"],
  ["gtm.cui", "9876 54322 0101", "9876543220101", "9876 54322 0101"],
  ["chl.run", "12.345.678-5", "123456785", "12.345.678-5"],
  ["chl.run", "12345678<5", "123456785", "12.345.678-5"],
  ["chl.run", "11.111.111-1", "111111111", "11.111.111-1"],
  ["chl.run", "8.765.432-k", "8765432K", "8.765.432-K"],
  ["chl.run", "7.654.321-6", "76543216", "7.654.321-6"],
  ["chl.run", "10.000.013-K", "10000013K", "10.000.013-K"],
  ["chl.run", "1.000.000-9", "10000009", "1.000.000-9"],
  ["mex.curp", "GOMC850315HDFRRR07", "GOMC850315HDFRRR07", "GOMC850315HDFRRR07"],
  ["mex.curp", "MARP800101MDFRTR03", "MARP800101MDFRTR03", "MARP800101MDFRTR03"],
  ["mex.curp", "LOPB920715HJCRRR05", "LOPB920715HJCRRR05", "LOPB920715HJCRRR05"],
  ["bra.cpf", "123.456.789-09", "12345678909", "123.456.789-09"],
  ["bra.cpf", "390.533.447-05", "39053344705", "390.533.447-05"],
  ["esp.dni", "12345678Z", "12345678Z", "12345678Z"],
  ["esp.dni", "00000000T", "00000000T", "00000000T"],
  ["esp.dni", "99999999R", "99999999R", "99999999R"],
  ["esp.nie", "X1234567L", "X1234567L", "X1234567L"],
  ["esp.nie", "Y1234567X", "Y1234567X", "Y1234567X"],
];

const uncheckable: readonly (readonly [NumberName, string, string, string])[] = [
  ["cri.cedula", "1-1234-0567", "112340567", "1-1234-0567"],
  ["cri.cedula", "1 1234 0567", "112340567", "1-1234-0567"],
  ["cri.cedula", "0112340567", "112340567", "1-1234-0567"],
  ["cri.cedula", "7-0000-0001", "700000001", "7-0000-0001"],
  ["cri.cedula", "9-9999-9999", "999999999", "9-9999-9999"],
  ["cri.dimex", "155812345678", "155812345678", "155812345678"],
  ["cri.dimex", "12233445566", "12233445566", "12233445566"],
  ["arg.dni", "30.123.456", "30123456", "30.123.456"],
  ["arg.dni", "9.123.456", "9123456", "9.123.456"],
  ["arg.dni", "09123456", "9123456", "9.123.456"],
  ["arg.dni", "M 4123456", "4123456", "4.123.456"],
  ["arg.tramite", "00123456789", "00123456789", "00123456789"],
  ["per.dni", "12345678", "12345678", "12345678-1"],
  ["per.ce", "001234567", "001234567", "001234567"],
  ["pan.cedula", "8-123-456", "8-123-456", "8-123-456"],
  ["pan.cedula", "PE-12-345", "PE-12-345", "PE-12-345"],
  ["pan.cedula", "e-8-98765", "E-8-98765", "E-8-98765"],
  ["pan.cedula", "N-20-123", "N-20-123", "N-20-123"],
  ["pan.cedula", "4AV-12-345", "4AV-12-345", "4AV-12-345"],
  ["pan.cedula", "4-AV-12-345", "4AV-12-345", "4AV-12-345"],
  ["pan.cedula", "4 - av - 0012 – 00345", "4AV-12-345", "4AV-12-345"],
  ["pan.cedula", "13-1-2", "13-1-2", "13-1-2"],
  ["pan.cedula", "08-0123-000456", "8-123-456", "8-123-456"],
  ["hnd.dni", "0801-1990-12345", "0801199012345", "0801-1990-12345"],
  ["hnd.dni", "0801 1990 12345", "0801199012345", "0801-1990-12345"],
  ["hnd.dni", "1801-2000-99999", "1801200099999", "1801-2000-99999"],
  ["hnd.dni", "0501-1985-00001", "0501198500001", "0501-1985-00001"],
  ["col.nuip", "1.020.304.050", "1020304050", "1.020.304.050"],
  ["ecu.dactilar", "V1234I5678", "V1234I5678", "V1234I5678"],
  ["chl.passport", "F12345678", "F12345678", "F12345678"],
  ["arg.passport", "AAA123456", "AAA123456", "AAA123456"],
  ["arg.passport", "123456789", "123456789", "123456789"],
  ["per.passport", "A12345678", "A12345678", "A12345678"],
  ["ecu.passport", "A1234567", "A1234567", "A1234567"],
  ["cri.passport", "F12345678", "F12345678", "F12345678"],
  ["gtm.passport", "123456789", "123456789", "123456789"],
  ["pan.passport", "PA0123456", "PA0123456", "PA0123456"],
  ["hnd.passport", "G123456", "G123456", "G123456"],
];

const invalid: readonly (readonly [NumberName, string, string])[] = [
  ["ecu.nui", "1710034064", "check-digit"],
  ["ecu.nui", "2510034065", "region"],
  ["ecu.nui", "0010034065", "region"],
  ["ecu.nui", "1770034065", "series"],
  ["ecu.nui", "1710030465", "check-digit"],
  ["ecu.nui", "171003406", "shape"],
  ["cri.cedula", "0-1234-5678", "shape"],
  ["cri.cedula", "12345678", "shape"],
  ["cri.cedula", "1123405678", "shape"],
  ["cri.dimex", "30123456789", "shape"],
  ["cri.dimex", "1234567890", "shape"],
  ["arg.dni", "123456", "shape"],
  ["arg.dni", "123456789", "shape"],
  ["arg.dni", "030123456", "shape"],
  ["arg.cuil", "20-30123458-9", "not-issued"],
  ["arg.cuil", "27-30123469-4", "not-issued"],
  ["arg.cuil", "20-12345678-5", "check-digit"],
  ["arg.cuil", "30-12345678-6", "series"],
  ["per.dni", "70275722-8", "check-digit"],
  ["per.dni", "70275722-2", "check-digit"],
  ["per.dni", "1234567", "shape"],
  ["per.ce", "12345678", "shape"],
  ["gtm.cui", "1234 56780 0101", "check-digit"],
  ["gtm.cui", "1234567202301", "not-issued"],
  ["gtm.cui", "1234567892301", "region"],
  ["gtm.cui", "1234567890001", "region"],
  ["pan.cedula", "14-1-1", "shape"],
  ["pan.cedula", "0-1-1", "shape"],
  ["pan.cedula", "8-12345-1", "shape"],
  ["pan.cedula", "A-1-1", "shape"],
  ["hnd.dni", "1901-1990-12345", "region"],
  ["hnd.dni", "0001-1990-12345", "region"],
  ["hnd.dni", "0801-1899-12345", "year"],
  ["hnd.dni", "0801-2027-12345", "year"],
  ["chl.run", "12.345.678-6", "check-digit"],
  ["chl.run", "8.765.432-0", "check-digit"],
  ["chl.run", "12.345.678-K", "check-digit"],
  ["col.nuip", "12345678901", "shape"],
  ["mex.curp", "GOMC850315HDFRRR06", "check-digit"],
  ["mex.curp", "GOMC851315HDFRRR07", "date"],
  ["mex.curp", "GOMC850315HZZRRR07", "region"],
  ["bra.cpf", "123.456.789-00", "check-digit"],
  ["bra.cpf", "111.111.111-11", "not-issued"],
  ["esp.dni", "12345678A", "check-digit"],
  ["esp.dni", "00000012I", "check-digit"],
  ["esp.nie", "X1234567X", "check-digit"],
  ["ecu.dactilar", "V12345678", "shape"],
  ["arg.passport", "AA1234567", "shape"],
];

describe("national numbers", () => {
  it.each(valid)("%s: %s is valid", (name, text, canonical, printed) => {
    expect(read(name, text)).toMatchObject({ validity: "valid", canonical, printed, warnings: [] });
  });

  it.each(uncheckable)(
    "%s: %s has the right shape and nothing to check",
    (name, text, canonical, printed) => {
      expect(read(name, text)).toMatchObject({ validity: "uncheckable", canonical, printed, warnings: [] });
    },
  );

  it.each(invalid)("%s: %s is refused for its %s", (name, text, fault) => {
    expect(read(name, text)).toMatchObject({ validity: "invalid", fault, hints: [] });
  });

  it("have a canonical form that reads as itself, and that the printed form leads to", () => {
    for (const [name, text] of [...valid, ...uncheckable]) {
      const { canonical, printed, validity } = read(name, text);
      expect(read(name, printed).canonical).toBe(canonical);
      expect(read(name, canonical).canonical).toBe(canonical);
      expect(read(name, printed).validity === "invalid", `${name} ${validity}`).toBe(false);
    }
  });
});

describe("hints of a number", () => {
  it.each([
    ["ecu.nui", "1710034065", { about: "region", value: "17" }],
    ["cri.cedula", "1-1234-0567", { about: "region", value: "1" }],
    ["cri.cedula", "8-1234-0567", { about: "holder", value: "naturalised" }],
    ["cri.cedula", "9-1234-0567", { about: "holder", value: "special" }],
    ["cri.dimex", "155812345678", { about: "holder", value: "foreigner" }],
    ["arg.dni", "94.123.456", { about: "holder", value: "foreigner" }],
    ["arg.dni", "F4123456", { about: "sex", value: "F" }],
    ["arg.cuil", "20-12345678-6", { about: "sex", value: "M" }],
    ["arg.cuil", "27-12345678-0", { about: "dni", value: "12345678" }],
    ["gtm.cui", "1234567890101", { about: "region", value: "01" }],
    ["pan.cedula", "8-123-456", { about: "region", value: "Panamá" }],
    ["pan.cedula", "PE-12-345", { about: "holder", value: "born-abroad" }],
    ["pan.cedula", "4AV-12-345", { about: "region", value: "Chiriquí" }],
    ["pan.cedula", "4AV-12-345", { about: "holder", value: "registered-late" }],
    ["hnd.dni", "0801-1990-12345", { about: "birthYear", value: "1990" }],
    ["mex.curp", "MARP800101MDFRTR03", { about: "sex", value: "F" }],
    ["mex.curp", "GOMC850315HDFRRR07", { about: "birthDate", value: "1985-03-15" }],
    ["esp.nie", "X1234567L", { about: "holder", value: "foreigner" }],
  ] as const)("%s %s", (name, text, hint) => {
    expect(read(name, text).hints).toContainEqual(expect.objectContaining(hint));
  });

  it("say nothing about the sex when a prefix is given to both", () => {
    expect(read("arg.cuil", "23-30123458-9").hints.map(({ about }) => about)).toEqual(["dni"]);
  });

  it.each([
    ["gtm.cui", "1234567890118"],
    ["gtm.cui", "1234567890100"],
    ["hnd.dni", "0899-1990-12345"],
  ] as const)(
    "warn about a municipality that the list lacks, without refusing the number: %s %s",
    (name, text) => {
      expect(read(name, text).validity).not.toBe("invalid");
      expect(read(name, text).warnings).toEqual(["municipality-unknown"]);
    },
  );
});

describe("every rule", () => {
  it("never throws and keeps the shape of its result", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ unit: "binary", maxLength: 60 }), (name, text) => {
        const { validity, fault } = read(name, text);
        expect((validity === "invalid") === (fault !== undefined)).toBe(true);
      }),
    );
  });

  it("never accepts a long text as a number", () => {
    for (const name of names) {
      expect(read(name, "1".repeat(100_000)).validity).toBe("invalid");
    }
  });

  /**
   * Without Peru and Brazil, whose digits stand for two remainders, and Mexico, whose weights share factors
   * with ten.
   */
  const strong = ["ecu.nui", "arg.cuil", "gtm.cui", "chl.run", "esp.dni", "esp.nie"];
  it.each(valid.filter(([name]) => strong.includes(name)))(
    "%s finds every changed digit of %s",
    (name, _, number) => {
      for (const [at, character] of Array.from(number).entries()) {
        for (let step = 1; /\d/.test(character) && step < 10; step++) {
          const changed = number.slice(0, at) + ((Number(character) + step) % 10) + number.slice(at + 1);
          const isCovered = name !== "gtm.cui" || at <= 8;
          expect(read(name, changed).validity === "valid" && isCovered, changed).toBe(false);
        }
      }
    },
  );

  it("is named after its country", () => {
    for (const name of names) {
      expect(numberRules[name].country).toBe(name.slice(0, 3).toUpperCase());
    }
    expect(isNumberName("per.DNI")).toBe(false);
    expect(isNumberName("toString")).toBe(false);
  });
});
