import { randomBytes } from "node:crypto";

const pageCount = 4;
const linesOfPage = 30;

const textOf = (page: number): string =>
  Array.from(
    { length: linesOfPage },
    (_, line) =>
      `BT /F1 11 Tf 60 ${780 - line * 22} Td (Page ${page}, line ${line}: the parties agree as follows.) Tj ET`,
  ).join("\n");

const pageOf = (n: number): string =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${5 + 2 * n} 0 R` +
  "/Resources<</Font<</F1 3 0 R>>/XObject<</X1 4 0 R>>>>>>";

const image =
  "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode";

/**
 * A PDF of four pages of text and one large image, as scans have, of about so many bytes, which no
 * compression makes smaller.
 */
export const makeSamplePdf = (bytes: number): Uint8Array<ArrayBuffer> => {
  const pages = Array.from({ length: pageCount }, (_, n) => n);
  const texts = pages.map(textOf);
  const filling = randomBytes(Math.max(1, bytes - texts.join("").length - 2_500));
  const objects: readonly (readonly [head: string, stream?: Uint8Array])[] = [
    ["<</Type/Catalog/Pages 2 0 R>>"],
    [`<</Type/Pages/Count ${pageCount}/Kids[${pages.map((n) => `${6 + 2 * n} 0 R`).join(" ")}]>>`],
    ["<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"],
    [`<<${image}/Length ${filling.length}>>`, filling],
    ...pages.flatMap((n): readonly (readonly [string, Uint8Array?])[] => [
      [`<</Length ${texts[n]!.length}>>`, Buffer.from(texts[n]!, "latin1")],
      [pageOf(n)],
    ]),
  ];
  return writePdf(objects);
};

/** A PDF 1.7 with a cross-reference table. The first object is the catalogue. */
const writePdf = (
  objects: readonly (readonly [head: string, stream?: Uint8Array])[],
): Uint8Array<ArrayBuffer> => {
  const chunks: Uint8Array[] = [Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")];
  let at = chunks[0]!.length;
  const add = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    at += chunk.length;
  };
  const offsets = objects.map(([head, stream], index) => {
    const offset = at;
    add(Buffer.from(`${index + 1} 0 obj\n${head}\n`, "latin1"));
    if (stream !== undefined) {
      add(Buffer.from("stream\n"));
      add(stream);
      add(Buffer.from("\nendstream\n"));
    }
    add(Buffer.from("endobj\n"));
    return offset;
  });
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Uint8Array.from(Buffer.concat(chunks));
};
