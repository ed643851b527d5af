import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barcodeOf } from "./barcode.ts";
import { parsePayload } from "./parse-payload.ts";
import type { Symbology } from "./zxing.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const parse = (symbology: Symbology, text: string) => parsePayload(symbology, latin1(text));

const first =
  "@30123456    @A@1@PEREZ@JUAN@ARGENTINA@31/05/1960@M@01/11/2011@00012345678@7055 @01/11/2026@421@0@ILR:2.01@";
const second = "00123456789@GARCIA MUÑOZ@MARIA JOSE@F@30123456@A@15/08/1983@02/03/2019@278";

describe("Argentina's DNI", () => {
  it("is read in its first layout", () => {
    expect(parse("PDF417", first)).toEqual({
      layout: "arg.dni.1",
      fields: {
        documentNumber: "30123456",
        lastName: "PEREZ",
        firstName: "JUAN",
        nationality: "ARGENTINA",
        dateOfBirth: "1960-05-31",
        dateOfIssue: "2011-11-01",
        dateOfExpiry: "2026-11-01",
        sex: "M",
        copy: "A",
        issuer: "ARG",
        procedureNumber: "00012345678",
      },
      unsure: [],
    });
  });

  it("is read in its second layout, with the CUIL from its two ends", () => {
    expect(parse("PDF417", second)).toEqual({
      layout: "arg.dni.2",
      fields: {
        documentNumber: "30123456",
        lastName: "GARCIA MUÑOZ",
        firstName: "MARIA JOSE",
        dateOfBirth: "1983-08-15",
        dateOfIssue: "2019-03-02",
        sex: "F",
        copy: "A",
        issuer: "ARG",
        procedureNumber: "00123456789",
        taxNumber: "27301234568",
      },
      unsure: [],
    });
  });

  it("has no CUIL when the ends are missing or do not match the number", () => {
    expect(parse("PDF417", second.slice(0, -4))?.fields.taxNumber).toBeUndefined();
    expect(parse("PDF417", second.replace("@278", "@274"))?.fields.taxNumber).toBeUndefined();
  });

  it.each([
    ["30123456", "3012"],
    ["15/08/1983", "32/08/1983"],
    ["00123456789", "0012345678"],
    ["@F@", "@Q@"],
    ["GARCIA", "GAR\u0003IA"],
  ])("is rejected with %s as %s", (from, to) => {
    expect(parse("PDF417", second.replace(from, to))).toBeUndefined();
  });

  it.each([
    ["30123456", "3012"],
    ["01/11/2026", "31/11/2026"],
    ["00012345678", "0001234567"],
    ["@PEREZ", "@P3REZ"],
  ])("is rejected in its first layout with %s as %s", (from, to) => {
    expect(parse("PDF417", first.replace(from, to))).toBeUndefined();
  });
});

const key = [
  0x27, 0x30, 0x04, 0xa0, 0x00, 0x0f, 0x93, 0x12, 0xa0, 0xd1, 0x33, 0xe0, 0x03, 0xd0, 0x00, 0xdf, 0x00,
];

const cedula = (number: string, surname: string, rest = "F1990010120300101") => {
  const plain = Buffer.alloc(531);
  plain.write(number, 0, "latin1");
  plain.write(surname, 9, "latin1");
  plain.write("SOLÍS", 35, "latin1");
  plain.write("ANA MARÍA", 61, "latin1");
  plain.write(rest, 91, "latin1");
  return Uint8Array.from(plain, (byte, i) => byte ^ key[i % 17]!);
};

describe("Costa Rica's cédula", () => {
  it("is decoded with its key; the fields after the names are unsure", () => {
    expect(parsePayload("PDF417", cedula("112340567", "MUÑOZ"))).toEqual({
      layout: "cri.cedula",
      fields: {
        documentNumber: "112340567",
        lastName: "MUÑOZ SOLÍS",
        firstName: "ANA MARÍA",
        sex: "F",
        dateOfBirth: "1990-01-01",
        dateOfExpiry: "2030-01-01",
        issuer: "CRI",
      },
      unsure: ["sex", "dateOfBirth", "dateOfExpiry"],
    });
  });

  it("is accepted by its number and names, whatever follows them", () => {
    const payload = parsePayload("PDF417", cedula("112340567", "MUÑOZ", "\u0000123"));
    expect(payload?.fields).toMatchObject({ documentNumber: "112340567", lastName: "MUÑOZ SOLÍS" });
    expect(payload?.fields.dateOfBirth).toBeUndefined();
  });

  it("is rejected without a number, or with names that are not names", () => {
    expect(parsePayload("PDF417", cedula("012340567", "MUÑOZ"))).toBeUndefined();
    expect(parsePayload("PDF417", cedula("11234056 ", "MUÑOZ"))).toBeUndefined();
    expect(parsePayload("PDF417", cedula("112340567", "MU\u0007OZ"))).toBeUndefined();
    expect(parsePayload("PDF417", cedula("112340567", "MUÑOZ").slice(0, 90))).toBeUndefined();
  });
});

const colombian = (number: string, birth = "0F19900101") => {
  const bytes = Buffer.alloc(531, 0);
  for (const [at, text] of [
    [2, "12345678"],
    [24, "PubDSK_1"],
    [48, number],
    [58, "MUÑOZ"],
    [81, "SOLIS"],
    [104, "ANA"],
    [150, `${birth}01001 0O+`],
  ] as const) {
    bytes.write(text, at, "latin1");
  }
  bytes.fill(0xb7, 200);
  return bytes;
};

describe("Colombia's cédula", () => {
  it("is read up to the fingerprints, which are not kept", () => {
    const barcode = barcodeOf({ symbology: "PDF417", bytes: colombian("0012345678") });
    expect(barcode).toEqual({
      symbology: "PDF417",
      text: "",
      reads: 1,
      layout: "col.cedula",
      payload: {
        layout: "col.cedula",
        fields: {
          documentNumber: "12345678",
          lastName: "MUÑOZ SOLIS",
          firstName: "ANA",
          sex: "F",
          dateOfBirth: "1990-01-01",
          issuer: "COL",
        },
        unsure: [],
      },
    });
  });

  it("is rejected with another number, birth date or marker", () => {
    expect(parsePayload("PDF417", colombian("00X2345678"))).toBeUndefined();
    expect(parsePayload("PDF417", colombian("0012345678", "0F19901301"))).toBeUndefined();
    expect(parsePayload("PDF417", colombian("0012345678").fill(0, 24, 32))).toBeUndefined();
  });
});

const panama = "8-123-456|ANA|MARIA|PEREZ|SOLIS|F|PANAMA|19900101|PANAMEÑA|20200101|20300101|X";

describe("Panama's QR code", () => {
  it.each(["latin1", "utf8"] as const)(
    "is read in %s; from the eighth part on the fields are unsure",
    (encoding) => {
      expect(parsePayload("QRCode", Buffer.from(panama, encoding))).toEqual({
        layout: "pan.qr",
        fields: {
          documentNumber: "8-123-456",
          firstName: "ANA MARIA",
          lastName: "PEREZ SOLIS",
          sex: "F",
          dateOfBirth: "1990-01-01",
          nationality: "PANAMEÑA",
          issuer: "PAN",
        },
        unsure: ["dateOfBirth", "nationality"],
      });
    },
  );

  it("is read without second names and with another eighth part", () => {
    const text = panama.replace("|MARIA|PEREZ|SOLIS|", "||PEREZ||").replace("19900101", "0042");
    const payload = parse("QRCode", text);
    expect(payload?.fields).toMatchObject({ firstName: "ANA", lastName: "PEREZ" });
    expect(payload?.fields.dateOfBirth).toBeUndefined();
  });

  it.each([
    ["8-123-456", "14-1-1"],
    ["|F|", "|Z|"],
    ["PEREZ", "P3REZ"],
    ["|19900101|PANAMEÑA|20200101|20300101|X", ""],
  ])("is rejected with %s as %s", (from, to) => {
    expect(parse("QRCode", panama.replace(from, to))).toBeUndefined();
  });
});

const chile =
  "https://portal.sidiv.registrocivil.cl/docstatus?RUN=12345678-5&type=CEDULA&serial=A12345678" +
  "&mrz=A12345678490010113501014&name=ANA%20MAR%CDA%20%20SOL%CDS%20%20PRUEBA";

describe("Chile's QR code", () => {
  it("gives RUN, serial, the chip's access key and the name in ISO-8859-1", () => {
    expect(parse("QRCode", chile)).toEqual({
      layout: "chl.qr",
      fields: {
        documentNumber: "A12345678",
        personalNumber: "123456785",
        firstName: "ANA MARÍA",
        lastName: "SOLÍS PRUEBA",
        accessKey: "A12345678490010113501014",
        shortDateOfBirth: "900101",
        dateOfExpiry: "2035-01-01",
        issuer: "CHL",
      },
      unsure: [],
    });
  });

  it("gives RUN and serial when an older card has no more", () => {
    const older =
      "https://portal.sidiv.registrocivil.cl/usuarios-portal/pages/DocumentRequestStatus.xhtml?RUN=8765432-K&type=CEDULA&serial=512345678";
    expect(parse("QRCode", older)?.fields).toEqual({
      documentNumber: "512345678",
      personalNumber: "8765432K",
      issuer: "CHL",
    });
  });

  it("keeps a name whole when it cannot be split, and drops a key with wrong check digits", () => {
    const text = chile.replace("%20%20SOL", "%20SOL").replace("mrz=A123456784", "mrz=A123456785");
    const payload = parse("QRCode", text);
    expect(payload?.fields).toMatchObject({
      fullName: "ANA MARÍA SOLÍS PRUEBA",
      documentNumber: "A12345678",
    });
    expect(payload?.fields.accessKey).toBeUndefined();
  });

  it.each([
    ["12345678-5", "12345678-6"],
    ["registrocivil.cl/", "registrocivil.cl.example.org/"],
    ["portal.sidiv.registrocivil.cl", "notregistrocivil.cl"],
    ["https", "ftp"],
    ["serial=A12345678", "serial=A1"],
  ])("is rejected with %s as %s", (from, to) => {
    expect(parse("QRCode", chile.replace(from, to))).toBeUndefined();
  });
});

describe("Peru's Code 39", () => {
  it("is eight digits, and names no country", () => {
    expect(parse("Code39", "12345678")).toEqual({
      layout: "per.code39",
      fields: { documentNumber: "12345678" },
      unsure: [],
    });
    expect(parse("Code39", "1234567")).toBeUndefined();
    expect(parse("Code39", "1234567A")).toBeUndefined();
  });
});

describe("a payload of no known layout", () => {
  it("keeps no text when its bytes are a template", () => {
    const template = barcodeOf({
      symbology: "PDF417",
      bytes: Uint8Array.from({ length: 400 }, (_, i) => (i * 37) & 255),
    });
    expect(template).toEqual({ symbology: "PDF417", text: "", reads: 1 });
  });

  it("keeps its text when it is text", () => {
    expect(barcodeOf({ symbology: "QRCode", bytes: latin1("Año 1") }).text).toBe("Año 1");
  });

  it("is the result for random bytes", () => {
    const symbology = fc.constantFrom<Symbology>("PDF417", "QRCode", "DataMatrix", "Aztec", "Code39");
    fc.assert(
      fc.property(symbology, fc.uint8Array({ maxLength: 600 }), (kind, bytes) => {
        expect(parsePayload(kind, bytes)).toBeUndefined();
      }),
    );
  });

  it("is the result when a known payload changes one byte in its number, dates, trámite or names", () => {
    const [number, birth, procedure, name] = ["30123456", "31/05/1960", "00012345678", "PEREZ"];
    for (const field of [number, birth, procedure, name]) {
      for (let at = first.indexOf(field); at < first.indexOf(field) + field.length; at++) {
        const changed = `${first.slice(0, at)}\u0007${first.slice(at + 1)}`;
        expect(parse("PDF417", changed), changed).toBeUndefined();
      }
    }
  });
});
