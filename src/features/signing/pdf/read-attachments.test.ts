import PdfDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { readAttachments } from "./read-attachments.ts";

const limits = { pdfBytesMax: 100_000, bytesMax: 2_000, countMax: 3 };

const pdfWith = async (
  files: Readonly<Record<string, Uint8Array>>,
  options: ConstructorParameters<typeof PdfDocument>[0] = {},
): Promise<Uint8Array> => {
  const page = new PdfDocument(options);
  for (const [name, bytes] of Object.entries(files)) page.file(Buffer.from(bytes), { name });
  page.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of page) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};
const bytes = (count: number) => new Uint8Array(count).fill(65);

describe("attachments of a PDF", () => {
  it.each([true, false])("are read by their names, packed: %s", async (compress) => {
    const given = { "a.json": bytes(3), "ñandú.txt": bytes(40) };
    const read = await readAttachments(await pdfWith(given, { compress }), limits);
    expect(new Map(read)).toEqual(new Map(Object.entries(given)));
  });

  it("are none in a file without", async () => {
    expect((await readAttachments(await pdfWith({}), limits)).size).toBe(0);
  });

  it("are refused beyond the limit of all together, before they fill the memory", async () => {
    expect((await readAttachments(await pdfWith({ a: bytes(1000), b: bytes(1000) }), limits)).size).toBe(2);
    const bomb = await pdfWith({ a: bytes(1000), b: bytes(1001) });
    await expect(readAttachments(bomb, limits)).rejects.toMatchObject({ code: "pdf_too_large" });
    const plain = await pdfWith({ a: bytes(2001) }, { compress: false });
    await expect(readAttachments(plain, limits)).rejects.toMatchObject({ code: "pdf_too_large" });
  });

  it("are refused beyond their number", async () => {
    expect(
      (await readAttachments(await pdfWith({ a: bytes(1), b: bytes(2), c: bytes(3) }), limits)).size,
    ).toBe(3);
    const four = await pdfWith({ a: bytes(1), b: bytes(2), c: bytes(3), d: bytes(4) });
    await expect(readAttachments(four, limits)).rejects.toMatchObject({ code: "pdf_too_large" });
  });

  it("of a file that is larger than allowed, encrypted or no PDF are not read", async () => {
    const pdf = await pdfWith({ a: bytes(1) });
    await expect(readAttachments(pdf, { ...limits, pdfBytesMax: pdf.length })).resolves.toBeDefined();
    await expect(readAttachments(pdf, { ...limits, pdfBytesMax: pdf.length - 1 })).rejects.toMatchObject({
      code: "pdf_too_large",
    });
    await expect(readAttachments(Buffer.from("no PDF"), limits)).rejects.toMatchObject({
      code: "pdf_unreadable",
    });
    const sealed = await pdfWith({ a: bytes(1) }, { ownerPassword: "secret" });
    await expect(readAttachments(sealed, limits)).rejects.toMatchObject({ code: "pdf_unreadable" });
  });
});
