import { buffer } from "node:stream/consumers";
import { deflateSync } from "node:zlib";
import PdfKit from "pdfkit";

/** A PDF that is drawn in code: pages with one line of text each. */
export type MadePdf = {
  readonly pages?: number;
  /** How the cross-reference is written. `hybrid`: a table with `XRefStm`. */
  readonly xref?: "table" | "stream" | "object-streams" | "hybrid";
  readonly mediaBox?: string;
  /** Entries of every page, such as `/Rotate 90`. */
  readonly page?: string;
  /** Further resources of every page. */
  readonly resources?: string;
  /** Entries of the catalogue. */
  readonly catalog?: string;
  /** Entries of the trailer. */
  readonly trailer?: string;
  /** What a page draws; absent: its number. */
  readonly content?: (page: number) => string;
  /** Compresses what the pages draw. */
  readonly isDeflated?: boolean;
  /** Further objects from number 100 on. */
  readonly objects?: readonly string[];
};

type Part = { readonly number: number; readonly text: string };

const stream = (dictionary: string, data: Buffer): string =>
  `<<${dictionary}/Length ${data.length}>>\nstream\n${data.toString("latin1")}\nendstream`;

const contentOf = ({ content, isDeflated }: MadePdf, page: number): string => {
  const drawn = Buffer.from(content?.(page) ?? `BT /F0 20 Tf 50 50 Td (Page ${page}) Tj ET`);
  return isDeflated === true ? stream("/Filter/FlateDecode", deflateSync(drawn)) : stream("", drawn);
};

const makeParts = (made: MadePdf): readonly Part[] => {
  const count = made.pages ?? 1;
  const numbers = Array.from({ length: count }, (_, index) => 10 + index * 2);
  const box = made.mediaBox ?? "[0 0 595 842]";
  const resources = `/Resources<</Font<</F0 3 0 R>>${made.resources ?? ""}>>`;
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  return [
    { number: 1, text: `<</Type/Catalog/Pages 2 0 R ${made.catalog ?? ""}>>` },
    { number: 2, text: `<</Type/Pages/Count ${count}/Kids[${kids}]/MediaBox ${box}>>` },
    { number: 3, text: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
    ...numbers.flatMap((number, index) => [
      {
        number,
        text: `<</Type/Page/Parent 2 0 R${resources}/Contents ${number + 1} 0 R ${made.page ?? ""}>>`,
      },
      { number: number + 1, text: contentOf(made, index + 1) },
    ]),
    ...(made.objects ?? []).map((text, index) => ({ number: 100 + index, text })),
  ];
};

type Row = { readonly number: number; readonly kind: 1 | 2; readonly a: number; readonly b: number };

const xrefStream = (number: number, rows: readonly Row[], size: number, trailer: string): string => {
  const sorted = [...rows].sort((a, b) => a.number - b.number);
  const data = Buffer.alloc(sorted.length * 7);
  sorted.forEach(({ kind, a, b }, row) => {
    data[row * 7] = kind;
    data.writeUInt32BE(a, row * 7 + 1);
    data.writeUInt16BE(b, row * 7 + 5);
  });
  const index = sorted.map((row) => `${row.number} 1`).join(" ");
  const dictionary = `/Type/XRef/Size ${size}/W[1 4 2]/Index[${index}]/Filter/FlateDecode${trailer}`;
  return `${number} 0 obj\n${stream(dictionary, deflateSync(data))}\nendobj\n`;
};

const table = (rows: readonly Row[]): string =>
  `xref\n0 1\n0000000000 65535 f \n${rows
    .map(({ number, a }) => `${number} 1\n${String(a).padStart(10, "0")} 00000 n \n`)
    .join("")}`;

const objectStream = (number: number, parts: readonly Part[]): string => {
  const offsets = parts.map((_, index) =>
    parts.slice(0, index).reduce((sum, part) => sum + part.text.length + 1, 0),
  );
  const head = parts.map((part, index) => `${part.number} ${offsets[index] ?? 0}`).join(" ");
  const data = deflateSync(Buffer.from(`${head} ${parts.map((part) => part.text).join("\n")}`, "latin1"));
  return `${number} 0 obj\n${stream(`/Type/ObjStm/N ${parts.length}/First ${head.length + 1}/Filter/FlateDecode`, data)}\nendobj\n`;
};

/** A stream cannot stand in an object stream. */
const inStream = (part: Part) => part.text.startsWith("<<") && !part.text.includes("stream");

/** The bytes of a PDF. */
export const makePdf = (made: MadePdf = {}): Buffer => {
  const parts = makeParts(made);
  const packed =
    made.xref === "object-streams" || made.xref === "hybrid" ? parts.filter(inStream).slice(2) : [];
  let text = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
  const rows: Row[] = [];
  const put = (number: number, object: string): void => {
    rows.push({ number, kind: 1, a: text.length, b: 0 });
    text += object;
  };
  for (const part of parts)
    if (!packed.includes(part)) put(part.number, `${part.number} 0 obj\n${part.text}\nendobj\n`);
  // Pages have the numbers from 10 on.
  const container = Math.max(90, 10 + 2 * (made.pages ?? 1));
  const section = container + 1;
  if (packed.length > 0) put(container, objectStream(container, packed));
  const inner = packed.map((part, index): Row => ({ number: part.number, kind: 2, a: container, b: index }));
  const size = Math.max(...parts.map(({ number }) => number), section) + 1;
  const trailer = `/Root 1 0 R/ID[<${"00".repeat(16)}><${"00".repeat(16)}>]${made.trailer ?? ""}`;
  const startxref = text.length;
  if (made.xref === "stream" || made.xref === "object-streams") {
    text += xrefStream(
      section,
      [...rows, ...inner, { number: section, kind: 1, a: text.length, b: 0 }],
      size,
      trailer,
    );
    return Buffer.from(`${text}startxref\n${startxref}\n%%EOF\n`, "latin1");
  }
  if (made.xref === "hybrid") text += xrefStream(section, inner, size, trailer);
  const tableAt = text.length;
  const hybrid = made.xref === "hybrid" ? `/XRefStm ${startxref}` : "";
  text += `${table(rows)}trailer\n<</Size ${size}${trailer}${hybrid}>>\n`;
  return Buffer.from(`${text}startxref\n${tableAt}\n%%EOF\n`, "latin1");
};

/** Version of PDF that writes an algorithm in pdfkit. */
const versions = { "RC4-40": "1.3", "RC4-128": "1.4", "AES-128": "1.6", "AES-256": "1.7ext3" } as const;

/**
 * A PDF of one page that is encrypted, by default with an empty user password. The page may have further
 * texts.
 */
export const makeEncryptedPdf = async (
  algorithm: keyof typeof versions,
  userPassword = "",
  texts: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> => {
  const document = new PdfKit({ pdfVersion: versions[algorithm], userPassword, ownerPassword: "owner" });
  // pdfkit writes an object of String as a text, and a plain string as a name.
  const objects = Object.entries(texts).map(([name, text]) => [name, new String(text)]);
  Object.assign(document.page.dictionary.data, Object.fromEntries(objects));
  document.text("Encrypted");
  document.end();
  return buffer(document);
};

/** An encrypted PDF whose page has a text that no reader can decrypt: it is no whole number of blocks. */
export const makeUndecryptablePdf = async (): Promise<Buffer> => {
  const text = Buffer.from(await makeEncryptedPdf("AES-128", "", { Note: "x".repeat(40) })).toString(
    "latin1",
  );
  // White space behind the shorter text keeps every offset.
  const broken = text.replace(/\/Note \((?:\\.|[^\\)])*\)/s, (note) =>
    `/Note (${"a".repeat(40)})`.padEnd(note.length),
  );
  return Buffer.from(broken, "latin1");
};
