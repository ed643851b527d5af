import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import PdfDocument from "pdfkit";
import { printable } from "#contract/printable";
import type { Certificate, Row, Section } from "./certificate.ts";
import type { DrawQr, QrSymbol } from "./draw-qr.ts";
import { sheetOf } from "./sheet.ts";

type Page = InstanceType<typeof PdfDocument>;

/** DejaVu has every letter of Spanish and is embedded in part; its licence allows that (NOTICE). */
const fontOf = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));

/** Layout of a page of A4, in points. */
const layout = { margin: 50, labelWidth: 150, gap: 10, rowGap: 3, qrWidth: 120 } as const;

const sizes = { title: 17, statement: 11, heading: 11.5, text: 9, footer: 7.5 } as const;

const colours = { text: "#16191d", quiet: "#4b5563", good: "#0a6b2e" } as const;

/**
 * The certificate as a file of PDF/A-3b (ISO 19005-3), not yet signed. Reads fonts, and takes some 100 ms:
 * run it in a thread.
 */
export const writeCertificate = async (certificate: Certificate, drawQr: DrawQr): Promise<Uint8Array> => {
  const { title, statement, sections, linkNote, annex, footer } = sheetOf(certificate);
  const symbol = await drawQr(certificate.link);
  const page = openDocument(certificate, title);
  write(page, "bold", sizes.title, colours.text, title);
  write(page, "bold", sizes.statement, colours.good, statement);
  sections.forEach((section) => writeSection(page, section));
  writeLink(page, { link: certificate.link, note: linkNote, symbol });
  writeSection(page, annex);
  page.moveDown(1);
  write(page, "regular", sizes.footer, colours.quiet, footer);
  page.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of page) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};

const openDocument = ({ content, release }: Certificate, title: string): Page => {
  const at = new Date(content.issuedAt);
  const page = new PdfDocument({
    size: "A4",
    margin: layout.margin,
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    lang: "es",
    displayTitle: true,
    // Without a first page, which would take a standard font that no file may leave out.
    autoFirstPage: false,
    // No text of a person: the library writes these into XML as they are.
    info: {
      Title: title,
      Creator: `Idem ${release}`,
      Producer: `Idem ${release}`,
      CreationDate: at,
      ModDate: at,
    },
  });
  page.registerFont("regular", fontOf("DejaVuSans"));
  page.registerFont("bold", fontOf("DejaVuSans-Bold"));
  page.font("regular").addPage();
  return page;
};

const widthOf = (page: Page): number => page.page.width - 2 * layout.margin;

const write = (page: Page, font: "regular" | "bold", size: number, colour: string, text: string): void => {
  page.font(font).fontSize(size).fillColor(colour).text(printable(text), layout.margin, page.y).moveDown(0.4);
};

const writeSection = (page: Page, { title, note, rows }: Section): void => {
  page.moveDown(0.5);
  keepTogether(page, 45);
  write(page, "bold", sizes.heading, colours.text, title);
  if (note !== undefined) write(page, "regular", sizes.text, colours.text, note);
  rows.forEach((row) => writeRow(page, row));
};

const writeRow = (page: Page, [label, value]: Row): void => {
  const { margin, labelWidth, gap, rowGap } = layout;
  const valueWidth = widthOf(page) - labelWidth - gap;
  page.font("regular").fontSize(sizes.text);
  const height = Math.max(
    page.heightOfString(printable(label), { width: labelWidth }),
    page.heightOfString(printable(value), { width: valueWidth }),
  );
  keepTogether(page, height);
  const top = page.y;
  page.fillColor(colours.quiet).text(printable(label), margin, top, { width: labelWidth });
  page.fillColor(colours.text).text(printable(value), margin + labelWidth + gap, top, { width: valueWidth });
  page.y = top + height + rowGap;
};

/** The QR code, with its light margin, and the link in letters beside it. */
const writeLink = (
  page: Page,
  {
    link,
    note,
    symbol,
  }: { readonly link: string; readonly note: string; readonly symbol: QrSymbol | undefined },
): void => {
  const { margin, qrWidth, gap } = layout;
  page.moveDown(1);
  keepTogether(page, qrWidth);
  const top = page.y;
  const left = symbol === undefined ? margin : margin + qrWidth + gap;
  if (symbol !== undefined) {
    const module = qrWidth / (symbol.length + 8);
    page.fillColor("black");
    symbol.forEach((row, y) => {
      row.forEach((isDark, x) => {
        if (isDark) page.rect(margin + (x + 4) * module, top + (y + 4) * module, module, module);
      });
    });
    page.fill();
  }
  const width = page.page.width - margin - left;
  page
    .font("regular")
    .fontSize(sizes.text)
    .fillColor(colours.text)
    .text(note, left, top + 14, { width });
  page.fillColor(colours.quiet).text(printable(link), left, page.y + 6, { width });
  page.x = margin;
  page.y = Math.max(page.y, top + qrWidth);
};

/** The next page, unless the height fits on this one. */
const keepTogether = (page: Page, height: number): void => {
  if (page.y + height > page.page.height - layout.margin) page.addPage();
};
