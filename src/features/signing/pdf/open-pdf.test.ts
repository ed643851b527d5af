import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Failure } from "#contract/failure";
import { hashRanges, reopen, signWith, wholeFile } from "#support/signing/pdf/append";
import { makeEncryptedPdf, makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "./open-pdf.ts";

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("every flavour of PDF takes a signature after its bytes", () => {
  const flavours = {
    "a table": makePdf({ xref: "table", pages: 3 }),
    "a stream": makePdf({ xref: "stream" }),
    "object streams": makePdf({ xref: "object-streams", pages: 2 }),
    "a hybrid": makePdf({ xref: "hybrid", pages: 2 }),
    "no line end after its end": makePdf().subarray(0, -1),
    "junk after its end": Buffer.concat([makePdf(), Buffer.alloc(2048)]),
  };
  test.each(Object.entries(flavours))("a file with %s", async (_, bytes) => {
    const file = await openPdf(bytes);
    const { digest, contents } = signWith(file);
    const whole = wholeFile(file);
    expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
    const again = await openPdf(whole);
    const stored = again.fields()[0]?.signature;
    expect(again.repaired).toBe(false);
    expect(again.pageCount).toBe(file.pageCount);
    expect(stored?.contents).toEqual(contents);
    expect(stored?.byteRange[3]).toBe(whole.length - (stored?.byteRange[2] ?? 0));
    expect(hashRanges(whole, stored?.byteRange ?? [])).toEqual(digest);
  });

  test("further revisions keep the flavour of the newest section", async () => {
    for (const xref of ["table", "stream", "hybrid"] as const) {
      const file = await openPdf(makePdf({ xref }));
      signWith(file);
      file.appendTimestamp({ reservedBytes: 64 }).place(Buffer.from([0x30, 0]));
      const text = file.revisions().map((revision) => Buffer.from(revision).toString("latin1"));
      for (const revision of text) expect(/\nxref\n/.test(revision)).toBe(xref !== "stream");
      expect(text.join("")).not.toContain("XRefStm");
      expect((await reopen(file)).fields().map(({ name }) => name)).toEqual(["Signature1", "Timestamp1"]);
    }
  });
});

describe("encryption", () => {
  test.each(["RC4-40", "RC4-128", "AES-128", "AES-256"] as const)(
    "a file that %s encrypts for no user password is signed, and Contents stay plain",
    async (algorithm) => {
      const file = await openPdf(await makeEncryptedPdf(algorithm));
      const { contents } = signWith(file, { reason: "Por qué" });
      const stored = (await reopen(file)).fields()[0]?.signature;
      expect(stored?.contents).toEqual(contents);
      expect(stored?.reason).toBe("Por qué");
      expect(file.isEncrypted).toBe(true);
      const revision = Buffer.from(file.revisions()[0] ?? []).toString("latin1");
      expect(revision).toMatch(/\/Encrypt \d+ 0 R/);
      expect(revision).not.toContain("Por qu");
    },
  );

  test("a file with a user password is refused without it and opens with it", async () => {
    const bytes = await makeEncryptedPdf("AES-256", "secret");
    expect(await code(openPdf(bytes))).toBe("pdf_needs_password");
    expect(await code(openPdf(bytes, { password: "wrong" }))).toBe("pdf_needs_password");
    expect((await openPdf(bytes, { password: "secret" })).pageCount).toBe(1);
  });

  test("an Encrypt entry of null is no encryption", async () => {
    expect((await openPdf(makePdf({ trailer: "/Encrypt null" }))).isEncrypted).toBe(false);
  });
});

describe("damage", () => {
  test("bytes before the header of an unsigned file are cut off, and the change is reported", async () => {
    const file = await openPdf(Buffer.concat([Buffer.alloc(1000, "j"), makePdf()]));
    expect(file.repaired).toBe(true);
    expect(Buffer.from(file.original).equals(makePdf())).toBe(true);
  });

  test("a file without a cross-reference is repaired with all its pages", async () => {
    for (const xref of ["table", "object-streams"] as const) {
      const whole = makePdf({ xref, pages: 4 });
      const file = await openPdf(whole.subarray(0, whole.lastIndexOf("startxref")), { repair: "allow" });
      signWith(file);
      expect([file.repaired, file.pageCount]).toEqual([true, 4]);
      expect((await reopen(file)).repaired).toBe(false);
    }
  });

  test("a stream with a wrong length is written anew with the right one", async () => {
    const text = makePdf()
      .toString("latin1")
      .replace("/Length 36", "/Length 99999")
      .replace("startxref", "x");
    const file = await openPdf(Buffer.from(text, "latin1"), { repair: "allow" });
    expect(Buffer.from(file.original).toString("latin1")).toContain("/Length 36");
  });

  test("a damaged file that lost pages is refused", async () => {
    const whole = makePdf({ pages: 4 });
    expect(await code(openPdf(whole.subarray(0, whole.indexOf("14 0 obj")), { repair: "allow" }))).toBe(
      "pdf_unreadable",
    );
  });

  test("a damaged file that is signed is refused", async () => {
    const file = await openPdf(makePdf());
    signWith(file);
    const whole = wholeFile(file);
    expect(await code(openPdf(whole.subarray(0, whole.lastIndexOf("startxref") - 5)))).toBe(
      "pdf_damaged_and_signed",
    );
  });

  test("a damaged object that a signature needs is refused, not replaced", async () => {
    const file = await openPdf(makePdf({ catalog: "/AcroForm 100 0 R", objects: ["<</Fields[ ) 3"] }));
    expect(() => signWith(file)).toThrow(expect.objectContaining({ code: "pdf_unreadable" }));
  });

  test.each([
    ["no header", Buffer.from("hello")],
    ["no bytes", Buffer.alloc(0)],
    ["no catalogue", Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")],
    ["no pages", makePdf({ pages: 0 })],
  ])("a file with %s is refused", async (_, bytes) => {
    expect(await code(openPdf(bytes))).toBe("pdf_unreadable");
  });
});

describe("limits", () => {
  test("a file is refused above a limit and accepted at it", async () => {
    const bytes = makePdf({ pages: 2 });
    expect(await code(openPdf(bytes, { limits: { bytesMax: bytes.length - 1 } }))).toBe("pdf_too_large");
    expect(await code(openPdf(bytes, { limits: { bytesMax: bytes.length } }))).toBeUndefined();
    expect(await code(openPdf(bytes, { limits: { pagesMax: 1 } }))).toBe("pdf_too_large");
    expect(await code(openPdf(bytes, { limits: { pagesMax: 2 } }))).toBeUndefined();
    expect(await code(openPdf(bytes, { limits: { objectsMax: 7 } }))).toBe("pdf_too_large");
    expect(await code(openPdf(bytes, { limits: { objectsMax: 8 } }))).toBeUndefined();
  });

  test("an object stream that inflates beyond the limit is refused before it is read", async () => {
    const zeros = deflateSync(Buffer.alloc(30_000_000));
    const bytes = makePdf({ xref: "object-streams" }).toString("latin1");
    const bomb = bytes.replace(
      /90 0 obj\n<<[^]*?endstream/,
      `90 0 obj\n<</Type/ObjStm/N 1/First 5/Filter/FlateDecode/Length ${zeros.length}>>\nstream\n${zeros.toString("latin1")}\nendstream`,
    );
    const opened = openPdf(Buffer.from(bomb, "latin1"), {
      limits: { inflatedBytesMax: 20_000_000 },
      repair: "allow",
    });
    expect(await code(opened)).toBe("pdf_too_large");
  });
});

describe("a file that is to be signed and lost the content of a page", () => {
  const whole = makePdf({ xref: "table", pages: 3 });
  const text = Buffer.from(whole).toString("latin1");
  const named = [...text.matchAll(/\/Contents (\d+) 0 R/g)];
  const changed = (of: number, to: string): Buffer => {
    const { 0: found, index } = named[of]!;
    return Buffer.from(
      text.slice(0, index) + to.padEnd(found.length) + text.slice(index + found.length),
      "latin1",
    );
  };
  const factsOf = async (bytes: Uint8Array) =>
    await openPdf(bytes, { requiresContents: true }).then(
      () => "opened",
      (error: unknown) => (error instanceof Failure ? error.facts : String(error)),
    );

  test("is refused with the number of the page, and opens for what needs no content", async () => {
    const lost = changed(1, "/Contents 99 0 R");
    expect(await factsOf(lost)).toEqual({ reason: "page_content_missing", page: 2 });
    expect((await openPdf(lost)).pageCount).toBe(3);
    expect(await factsOf(changed(2, "/Contents[99 0 R]"))).toEqual({
      reason: "page_content_missing",
      page: 3,
    });
    expect(await factsOf(changed(0, "/Contents 1 0 R"))).toEqual({ reason: "page_content_missing", page: 1 });
  });

  test("is opened where every page has its content, and where a page names none", async () => {
    expect(named).toHaveLength(3);
    expect(await factsOf(whole)).toBe("opened");
    expect(await factsOf(changed(1, ""))).toBe("opened");
    expect(await factsOf(changed(1, "/Contents[]"))).toBe("opened");
  });

  test.each(["table", "stream", "object-streams", "hybrid"] as const)(
    "is refused, or has every page, wherever a file with a %s was cut",
    async (xref) => {
      const sent = makePdf({ xref, pages: 2 });
      const outcomes = new Set<string>();
      for (let length = 20; length < sent.length; length += 3) {
        const found = await openPdf(sent.subarray(0, length), {
          requiresContents: true,
          repair: "allow",
        }).then(
          ({ pageCount }) => `${pageCount} pages`,
          (error: unknown) => (error instanceof Failure ? error.code : String(error)),
        );
        outcomes.add(found);
      }
      expect([...outcomes].toSorted()).toEqual(["2 pages", "pdf_unreadable"]);
    },
  );
});
