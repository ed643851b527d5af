import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { signWith } from "#support/signing/pdf/append";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "../open-pdf.ts";
import { dictionaryOf, openView } from "./open-view.ts";
import { nameOf } from "./pdf-value.ts";

const fontOf = (bytes: Uint8Array): string | undefined => {
  const view = openView(bytes);
  return nameOf(dictionaryOf(view, view.load(3)).get("BaseFont"));
};

/** A hybrid file whose stream names another version of the font than its table. */
const disagreeing = (): Buffer => {
  const made = makePdf({ xref: "table" }).toString("latin1");
  const tableAt = made.lastIndexOf("xref\n0 1");
  const other = "3 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Courier>>\nendobj\n";
  const row = Buffer.alloc(7);
  row[0] = 1;
  row.writeUInt32BE(tableAt, 1);
  const hidden = `95 0 obj\n<</Type/XRef/Size 96/W[1 4 2]/Index[3 1]/Length 7>>\nstream\n${row.toString("latin1")}\nendstream\nendobj\n`;
  const body = `${made.slice(0, tableAt)}${other}${hidden}`;
  const table = made.slice(tableAt, made.lastIndexOf("startxref"));
  const trailer = table.replace("/Root", `/XRefStm ${tableAt + other.length}/Root`);
  return Buffer.from(`${body}${trailer}startxref\n${body.length}\n%%EOF\n`, "latin1");
};

/** A file whose one section names two versions of the font, Helvetica first. */
const namedTwice = (): Buffer => {
  const made = makePdf({ xref: "table" }).toString("latin1");
  const body = `${made.slice(0, made.lastIndexOf("xref\n0 1"))}3 0 obj\n<</Type/Font/BaseFont/Courier>>\nendobj\n`;
  const offsetOf = (number: number): number => body.indexOf(`\n${number} 0 obj`) + 1;
  const offsets = [1, 2, 3, 10, 11].map(offsetOf).toSpliced(3, 0, body.lastIndexOf("3 0 obj"));
  const rows = Buffer.concat(
    offsets.map((offset) => {
      const row = Buffer.alloc(5, 1);
      row.writeUInt32BE(offset, 1);
      return row;
    }),
  );
  const section = `95 0 obj\n<</Type/XRef/Size 96/W[1 4 0]/Index[1 3 3 1 10 2]/Root 1 0 R/Length ${rows.length}>>\nstream\n`;
  return Buffer.from(
    `${body}${section}${rows.toString("latin1")}\nendstream\nendobj\nstartxref\n${body.length}\n%%EOF\n`,
    "latin1",
  );
};

test("of two rows with one number in a stream the first counts, as in a table", () => {
  expect(fontOf(namedTwice())).toBe("Helvetica");
});

describe("a table and a stream that disagree", () => {
  test("show the version of the table, before a signature and after it", async () => {
    const bytes = disagreeing();
    expect(bytes.includes("/XRefStm")).toBe(true);
    expect(fontOf(bytes)).toBe("Helvetica");
    expect(
      fontOf(
        Buffer.from(
          bytes.toString("latin1").replace(/3 1\n\d+ 00000 n/, "99 1\n0000000000 00000 f"),
          "latin1",
        ),
      ),
    ).toBe("Courier");
    const file = await openPdf(bytes);
    signWith(file);
    expect(fontOf(Buffer.concat([file.original, ...file.revisions()]))).toBe("Helvetica");
  });
});

describe("an object that does not stand where its entry leads", () => {
  /** The first object in the stream has the number that stands there; the entry names another one. */
  const misnamed = (): Buffer => {
    const whole = makePdf({
      xref: "object-streams",
      catalog: "/AcroForm 100 0 R",
      objects: ["<</Fields[]>>"],
    });
    const text = whole.toString("latin1");
    const [found, data = ""] = /90 0 obj\n<<[^>]*>>\nstream\n([^]*?)\nendstream/.exec(text) ?? [];
    const inner = inflateSync(Buffer.from(data, "latin1")).toString("latin1");
    const packed = deflateSync(Buffer.from(inner.replace("100 ", "101 "), "latin1"), { level: 9 }).toString(
      "latin1",
    );
    const padded = packed.padEnd(data.length, "\0");
    return Buffer.from(
      text.replace(
        found ?? "",
        (found ?? "").replace(data, () => padded),
      ),
      "latin1",
    );
  };

  test("is null for a reader, and a signature that needs it is refused", async () => {
    const view = openView(misnamed());
    expect(view.load(100).kind).toBe("null");
    expect([...view.misplaced]).toEqual([100]);
    const file = await openPdf(misnamed());
    expect(() => signWith(file)).toThrow(expect.objectContaining({ code: "pdf_unreadable" }));
  });

  test("is read where its number is right, and a damaged neighbour does not matter", () => {
    expect(
      openView(makePdf({ xref: "object-streams", objects: ["<</A 1>>", "<</B )>>"] })).load(100).kind,
    ).toBe("dictionary");
    const view = openView(makePdf({ xref: "object-streams", objects: ["<</A 1>>", "<</B )>>"] }));
    expect(() => view.load(101)).toThrow(expect.objectContaining({ name: "DamagedPdf" }));
  });
});
