import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { hashRanges, plainSignature, reopen, signWith, wholeFile } from "#support/signing/pdf/append";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "./open-pdf.ts";
import type { PdfFile, SignatureRevision } from "./types.ts";

const font = readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const revisionText = (file: PdfFile, index = 0) =>
  Buffer.from(file.revisions()[index] ?? []).toString("latin1");
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
};
const reasonOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error && "facts" in error ? error.facts : error;
  }
};

describe("reserved contents", () => {
  test("a CMS of exactly the reserved bytes fits, one byte more says what it needs", async () => {
    const file = await openPdf(makePdf());
    const reserved = file.appendSignature(plainSignature);
    expect(() => reserved.place(Buffer.alloc(65))).toThrow(
      expect.objectContaining({ name: "ContentsTooSmall", neededBytes: 65, reservedBytes: 64 }),
    );
    expect(reserved.place(Buffer.alloc(64, 1))).toEqual(Buffer.alloc(64, 1));
  });

  test("the digest of a later revision covers the contents of the earlier one", async () => {
    const file = await openPdf(makePdf());
    signWith(file);
    const reserved = file.appendTimestamp({ reservedBytes: 100 });
    const digests = (["sha256", "sha512"] as const).map((hash) => reserved.digest(hash));
    reserved.place(Buffer.from("3003", "hex"));
    const [, stamp] = (await reopen(file)).fields();
    expect(hashRanges(wholeFile(file), stamp?.signature?.byteRange ?? [])).toEqual(digests[0]);
    expect(digests[1]?.length).toBe(64);
  });

  test("a reason that looks like a byte range stays a reason", async () => {
    const reason = "/ByteRange [0 1 2 3] /Contents <00> (x) y\\z\u0000\u202e";
    const file = await openPdf(makePdf());
    const { digest } = signWith(file, { reason, name: "José Ñandú 山", location: "¿Dónde? ¡Aquí!" });
    const stored = (await reopen(file)).fields()[0]?.signature;
    expect(stored?.reason).toBe("/ByteRange [0 1 2 3] /Contents <00> (x) y\\z");
    expect(stored?.name).toBe("José Ñandú 山");
    expect(stored?.location).toBe("¿Dónde? ¡Aquí!");
    expect(stored?.at).toBe("D:20260102030405+00'00'");
    expect(hashRanges(wholeFile(file), stored?.byteRange ?? [])).toEqual(digest);
  });
});

describe("earlier signatures", () => {
  test("a certification that allows no change refuses a signature and accepts a time-stamp", async () => {
    const file = await openPdf(makePdf());
    signWith(file, { certify: 1 });
    const again = await reopen(file);
    expect(again.certification).toBe(1);
    expect(reasonOf(() => signWith(again))).toEqual({ reason: "certified_no_changes" });
    expect(codeOf(() => again.appendTimestamp({ reservedBytes: 10 }))).toBeUndefined();
  });

  test("a certification with level 2 accepts a signature, and no second certification", async () => {
    const file = await openPdf(makePdf());
    signWith(file, { certify: 2 });
    expect(reasonOf(() => signWith(file, { certify: 2 }))).toEqual({ reason: "already_certified" });
    expect(codeOf(() => signWith(file))).toBeUndefined();
  });

  test.each([2, 3] as const)("a certification with level %i accepts no attached file", async (certify) => {
    const attachments = [
      {
        name: "a",
        mediaType: "text/plain",
        description: "a",
        bytes: new Uint8Array(1),
        relationship: "Data" as const,
      },
    ];
    const file = await openPdf(makePdf());
    signWith(file, { certify, attachments });
    const again = await reopen(file);
    expect(reasonOf(() => signWith(again, { attachments }))).toEqual({ reason: "certified_no_attachments" });
    expect(codeOf(() => signWith(again))).toBeUndefined();
  });

  test("a certification comes first", async () => {
    const file = await openPdf(makePdf());
    signWith(file);
    expect(reasonOf(() => signWith(file, { certify: 1 }))).toEqual({ reason: "certified_after_signature" });
  });

  test("a lock of all fields refuses a further signature; a lock of other fields does not", async () => {
    for (const [lock, reason] of [
      [{ action: "All", fields: [] }, "field_locked"],
      [{ action: "Exclude", fields: ["Other"] }, "field_locked"],
      [{ action: "Include", fields: ["Other"] }, undefined],
      [{ action: "Include", fields: ["Signature2"] }, "field_locked"],
    ] as const) {
      const file = await openPdf(makePdf());
      signWith(file, { lock });
      const again = await reopen(file);
      expect(again.fields()[0]?.signature?.locks).toEqual([lock]);
      const result = reasonOf(() => signWith(again));
      expect(result).toEqual(reason === undefined ? undefined : { reason });
    }
  });

  test("an empty field is filled by its name and not otherwise", async () => {
    const field = "<</FT/Sig/T(Mine)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]>>";
    const made = makePdf({ catalog: "/AcroForm<</Fields[100 0 R]/NeedAppearances true>>", objects: [field] });
    const file = await openPdf(made);
    expect(signWith(file).fieldName).toBe("Signature1");
    expect(signWith(file, { fieldName: "Mine" }).fieldName).toBe("Mine");
    const fields = (await reopen(file)).fields();
    expect(fields.map(({ name, isSigned }) => [name, isSigned])).toEqual([
      ["Mine", true],
      ["Signature1", true],
    ]);
    expect(revisionText(file)).not.toContain("NeedAppearances");
    expect(reasonOf(() => signWith(file, { fieldName: "Mine" }))).toEqual({ reason: "field_not_empty" });
  });

  test("a form whose pages are only a notice is refused; XFA beside fields is not", async () => {
    const xfa = (fields: string, more: string) =>
      makePdf({
        catalog: `/AcroForm<</Fields[${fields}]/XFA 101 0 R>>${more}`,
        objects: ["<</FT/Tx/T(a)>>", "[(a)(b)]"],
      });
    const dynamic = await openPdf(xfa("100 0 R", "/NeedsRendering true"));
    const alone = await openPdf(xfa("", ""));
    const both = await openPdf(xfa("100 0 R", ""));
    expect([dynamic, alone, both].map((file) => codeOf(() => signWith(file)))).toEqual([
      "pdf_xfa_only",
      "pdf_xfa_only",
      undefined,
    ]);
  });
});

describe("validation data", () => {
  const bytes = (text: string) => Buffer.from(text);
  test("values are stored once, keyed by the padded contents, and an entry never changes", async () => {
    const file = await openPdf(makePdf());
    const { contents } = signWith(file);
    const related = { contents, certificates: [bytes("a")], ocsps: [bytes("o")], crls: [] };
    const all = { certificates: [bytes("a"), bytes("b")], ocsps: [bytes("o")], crls: [bytes("c")] };
    file.appendTimestamp({ reservedBytes: 10, validation: { ...all, related: [related] } }).place(bytes("0"));
    const key = createHash("sha1").update(contents).digest("hex").toUpperCase();
    const entry = new RegExp(`/${key} <<[^>]*>>`);
    const first = entry.exec(revisionText(file, 1))?.[0];
    expect(first).toBeDefined();
    const again = await reopen(file);
    again.appendValidation({
      ...all,
      certificates: [bytes("z")],
      related: [{ ...related, certificates: [bytes("z")] }],
    });
    expect(entry.exec(revisionText(again))?.[0]).toBe(first);
    const read = (await reopen(again)).validation();
    expect(read.certificates.map(String)).toEqual(["a", "b", "z"]);
    expect([read.ocsps.map(String), read.crls.map(String)]).toEqual([["o"], ["c"]]);
    expect(revisionText(file, 1)).toContain("/ESIC");
  });
});

describe("what a signature brings along", () => {
  const attachment = {
    name: "statement.json",
    mediaType: "application/json",
    description: "Statement",
    bytes: Buffer.from("{}"),
    relationship: "Data",
  };

  test("attachments stand in the name tree and among the associated files, beside those of the file", async () => {
    const file = await openPdf(makePdf());
    signWith(file, { attachments: [attachment] });
    const again = await reopen(file);
    signWith(again, { attachments: [attachment] });
    const text = revisionText(again);
    const names = [...text.matchAll(/\/UF <([0-9a-f]+)>/g)].map(([, hex]) =>
      Buffer.from(hex ?? "", "hex").toString(),
    );
    expect(names).toEqual(["2-statement.json"]);
    expect(text).toMatch(/\/AF \[\d+ 0 R \d+ 0 R \]/);
    expect(text).toMatch(/\/Names \[<[0-9a-f]+> \d+ 0 R <[0-9a-f]+> \d+ 0 R \]/);
  });

  const visible = (more: Partial<NonNullable<SignatureRevision["visible"]>> = {}) => ({
    visible: { pageNumber: 1, position: [10, 10, 110, 50], lines: ["¿Señor Ñandú?"], font, ...more } as const,
  });

  test("text is drawn with a subset of the font that carries its Unicode values", async () => {
    const file = await openPdf(makePdf());
    signWith(file, visible());
    const text = revisionText(file);
    expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVuSans/);
    expect(text).toContain("/ToUnicode");
    expect(file.revisions()[0]?.length).toBeLessThan(40_000);
  });

  test("a page that the file lacks is named with the number of pages", async () => {
    const file = await openPdf(makePdf({ pages: 2 }));
    expect(reasonOf(() => signWith(file, visible({ pageNumber: 3 })))).toEqual({
      pageNumber: 3,
      pageCount: 2,
    });
    expect(codeOf(() => signWith(file, visible({ pageNumber: 0 })))).toBe("pdf_page_missing");
    expect(codeOf(() => signWith(file, visible({ pageNumber: 2 })))).toBeUndefined();
  });

  test("swapped corners of a page are read as a page", async () => {
    const file = await openPdf(makePdf({ mediaBox: "[595 842 0 0]" }));
    expect(codeOf(() => signWith(file, visible()))).toBeUndefined();
  });
});
