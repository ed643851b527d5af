import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAamva } from "./aamva.ts";
import { recognisePayload } from "./content-gate.ts";

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

  it("never throws, and answers only for text with the standard's header", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(parseAamva(text)).toBeUndefined();
        expect(() => parseAamva(`@\n\x1e\rANSI 636000080002DL00410278DL${text}`)).not.toThrow();
      }),
    );
  });
});

describe("the content gate", () => {
  it("knows a licence by its structure", () => {
    expect(recognisePayload(Buffer.from(licence(), "latin1"))).toBe("aamva");
  });

  it("lets no licence through that another decoding has broken", () => {
    const broken = Buffer.from(licence(), "latin1");
    broken[60] = 0x01;
    expect(recognisePayload(broken)).toBeUndefined();
    expect(recognisePayload(Buffer.from(licence("08", ["DAQ1", "DBC1"]), "latin1"))).toBeUndefined();
  });

  it("knows an Argentine DNI by its fields", () => {
    const dni = "00123456789@SOLIS@ANA@F@30123456@A@01/01/1990@01/01/2020";
    expect(recognisePayload(Buffer.from(dni, "latin1"))).toBe("arg.dni");
    expect(recognisePayload(Buffer.from(dni.replace("30123456", "3012"), "latin1"))).toBeUndefined();
  });

  it("takes no random bytes for a document", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(recognisePayload(bytes)).toBeUndefined();
      }),
    );
  });
});
