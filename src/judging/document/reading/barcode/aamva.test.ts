import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAamva } from "./aamva.ts";
import { jurisdictionOf } from "./aamva-jurisdictions.ts";
import { parsePayload } from "./parse-payload.ts";

const elements = [
  "DAQT64235789",
  "DCSSAMPLE",
  "DDEN",
  "DACMICHAEL",
  "DADJOHN",
  "DBD06062019",
  "DBB06061986",
  "DBA12102034",
  "DBC1",
  "DCGUSA",
  "DAJVA",
  "DCLWHITE",
  "DBK123456789",
];
const licence = (version = "08", body = elements) =>
  `@\n\x1e\rANSI 636000${version}0002DL00410278ZV03190008DL${body.join("\n")}\rZVZVA01\r`;

describe("parseAamva", () => {
  it("reads names, number, dates, sex and country", () => {
    expect(parseAamva(licence())).toMatchObject({
      iin: "636000",
      version: 8,
      subfile: "DL",
      documentNumber: "T64235789",
      lastName: "SAMPLE",
      firstName: "MICHAEL JOHN",
      dateOfBirth: "1986-06-06",
      dateOfExpiry: "2034-12-10",
      dateOfIssue: "2019-06-06",
      sex: "M",
      country: "USA",
      state: "VA",
    });
  });

  it("never keeps race or social security number", () => {
    const kept = Object.keys(parseAamva(licence())?.elements ?? {});
    expect(kept).toContain("DAQ");
    expect(kept).not.toContain("DCL");
    expect(kept).not.toContain("DBK");
  });

  it.each([
    ["20340304", "2034-03-04"],
    ["03042034", "2034-03-04"],
    ["13042034", undefined],
    ["02302034", undefined],
    ["NONE", undefined],
  ])("reads the date %s as %s", (value, date) => {
    expect(parseAamva(licence("08", [`DBA${value}`, "DAQ1"]))?.dateOfExpiry).toBe(date);
  });

  it.each([
    ["noise before the header", `xx${licence()}`],
    ["line feeds alone", licence().replaceAll("\r", "\n").replaceAll("\x1e", "")],
    ["wrong offsets", licence().replace("00410278", "00990278")],
    ["the old file type", licence().replace("ANSI ", "AAMVA")],
  ])("forgives %s", (_, text) => {
    expect(parseAamva(text)?.documentNumber).toBe("T64235789");
  });

  it("splits the whole name of version 01", () => {
    expect(parseAamva(licence("01", ["DAASAMPLE,MICHAEL,JOHN,JR", "DAQ1"]))).toMatchObject({
      lastName: "SAMPLE",
      firstName: "MICHAEL JOHN",
    });
  });

  it("never throws, and returns a licence only for text with the standard's header", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(parseAamva(text)).toBeUndefined();
        expect(() => parseAamva(`@\n\x1e\rANSI 636000080002DL00410278DL${text}`)).not.toThrow();
      }),
    );
  });
});

const parse = (text: string) => {
  const read = parseAamva(text);
  if (read === undefined) {
    throw new Error("No licence");
  }
  return read;
};
describe("the values of a licence", () => {
  it.each([
    ["902230000", "90223"],
    ["902231234", "90223-1234"],
    ["90223-1234", "90223-1234"],
    ["M5V 2T6   ", "M5V 2T6"],
    ["90223    ", "90223"],
  ])("reads the postal code %s as %s", (code, postalCode) => {
    expect(parse(licence("08", [`DAK${code}`, "DAQ1"])).postalCode).toBe(postalCode);
  });

  it.each([
    ["DAASAMPLE,MICHAEL,JOHN,JR", "SAMPLE", "MICHAEL JOHN"],
    ["DAASAMPLE@MICHAEL@JOHN", "SAMPLE", "MICHAEL JOHN"],
    ["DAASAMPLE MICHAEL JOHN", "SAMPLE", "MICHAEL JOHN"],
  ])("splits the whole name %s", (name, lastName, firstName) => {
    const read = parse(licence("01", [name, "DAQ1"]));
    expect([read.lastName, read.firstName]).toEqual([lastName, firstName]);
  });

  it("takes all given names of versions 02 and 03 from one element", () => {
    const read = parse(licence("03", ["DCSSAMPLE", "DCTMICHAEL,JOHN", "DAQ1"]));
    expect(read).toMatchObject({ lastName: "SAMPLE", firstName: "MICHAEL JOHN" });
  });

  it("keeps the jurisdiction's elements under their own names", () => {
    expect(parse(licence()).elements).toMatchObject({ ZVA: "01" });
    expect(parse(licence().replace("ZVZVA01", "ZVZVA01\nZVBX")).elements).toMatchObject({
      ZVA: "01",
      ZVB: "X",
    });
  });

  it("finds the header after noise that contains an @", () => {
    expect(parse(`a@b ${licence()}`).documentNumber).toBe("T64235789");
  });

  it("recognises the issuer by its number", () => {
    expect(jurisdictionOf("636012")).toEqual({ state: "ON", country: "CAN" });
    expect(jurisdictionOf("636000")).toEqual({ state: "VA", country: "USA" });
    expect(jurisdictionOf("VA 636")).toBeUndefined();
    expect(jurisdictionOf("999999")).toBeUndefined();
    const payload = parsePayload("PDF417", Buffer.from(licence().replace("DCGUSA", "DCG"), "latin1"));
    expect(payload?.fields.issuer).toBe("USA");
  });
});

const gate = (bytes: Uint8Array) => parsePayload("PDF417", bytes)?.layout;

describe("the structure check", () => {
  it("recognises a licence by its structure", () => {
    expect(gate(Buffer.from(licence(), "latin1"))).toBe("aamva");
  });

  it("rejects every licence that a wrong decoding has corrupted", () => {
    const broken = Buffer.from(licence(), "latin1");
    broken[60] = 0x01;
    expect(gate(broken)).toBeUndefined();
    expect(gate(Buffer.from(licence("08", ["DAQ1", "DBC1"]), "latin1"))).toBeUndefined();
  });
});
