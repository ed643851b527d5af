import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import PdfDocument from "pdfkit";
import { printable } from "#contract/printable";
import type { Attachment } from "../bundle.ts";
import type { BundleContent } from "../content.ts";
import type { Row } from "./describe-call.ts";
import { type Block, reportOf } from "./report.ts";

type Page = InstanceType<typeof PdfDocument>;

/** DejaVu has every Latin letter and is embedded in part; its licence allows that (NOTICE). */
const fontOf = (name: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)));

/** Layout of a page of A4, in points. */
const layout = {
  margin: 50,
  bottom: 60,
  labelWidth: 150,
  gap: 10,
  text: 8.5,
  rowGap: 3,
} as const;

const sizes = { title: 18, heading: 12, subheading: 9.5, text: 8.5 } as const;

/**
 * The bundle as a file of PDF/A-3b (ISO 19005-3): a report for readers, with the attachments as associated
 * files. Not yet signed. Reads fonts, and takes some 100 ms: run it in a thread.
 */
export const writeReport = async (
  content: BundleContent,
  attachments: readonly Attachment[],
): Promise<Uint8Array> => {
  const at = new Date(content.madeAt);
  const page = openDocument(content, at);
  reportOf(content).forEach((block) => writeBlock(page, block));
  writeFooters(page, content.operation.id);
  for (const { name, mediaType: type, description, bytes } of attachments) {
    // PDF/A-3 asks for the relationship and the time; the types of pdfkit leave out the first.
    const facts = { name, type, description, relationship: "Data", creationDate: at, modifiedDate: at };
    page.file(Buffer.from(bytes), facts);
  }
  page.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of page) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};

const openDocument = (content: BundleContent, at: Date): Page => {
  const { margin, bottom } = layout;
  const page = new PdfDocument({
    size: "A4",
    margins: { top: margin, left: margin, right: margin, bottom },
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    lang: "en",
    displayTitle: true,
    bufferPages: true,
    // Without a first page, which would take a standard font that no file may leave out.
    autoFirstPage: false,
    info: {
      // No text of a caller: the library writes these into XML as they are.
      Title: "Evidence of a verification",
      Creator: `Idem ${content.release}`,
      Producer: `Idem ${content.release}`,
      CreationDate: at,
      ModDate: at,
    },
  });
  page.registerFont("regular", fontOf("DejaVuSans"));
  page.registerFont("bold", fontOf("DejaVuSans-Bold"));
  page.font("regular").addPage();
  return page;
};

const writeBlock = (page: Page, block: Block): void => {
  if (block.kind === "rows") {
    block.rows.forEach((row) => writeRow(page, row));
    page.moveDown(0.4);
    return;
  }
  const { kind, text } = block;
  const isText = kind === "text";
  page.font(isText ? "regular" : "bold").fontSize(sizes[kind]);
  // A heading stays with the first rows that follow it.
  keepTogether(page, heightOf(page, text, widthOf(page)) + (isText ? 0 : 40));
  if (kind === "heading") page.moveDown(0.5);
  page.fillColor(kind === "title" ? "#0b2a4a" : "black").text(shown(text), layout.margin, page.y);
  page.fillColor("black").moveDown(isText ? 0.5 : 0.3);
};

const writeRow = (page: Page, [label, value]: Row): void => {
  const { margin, labelWidth, gap, text: size, rowGap } = layout;
  page.fontSize(size);
  const valueWidth = widthOf(page) - labelWidth - gap;
  const height = Math.max(
    heightOf(page.font("bold"), label, labelWidth),
    heightOf(page.font("regular"), value, valueWidth),
  );
  keepTogether(page, height);
  const top = page.y;
  page.font("bold").fillColor("#444444").text(shown(label), margin, top, { width: labelWidth });
  page
    .font("regular")
    .fillColor("black")
    .text(shown(value), margin + labelWidth + gap, top, { width: valueWidth });
  page.y = Math.max(page.y, top + height) + rowGap;
};

/** The next page, unless the height fits on this one. What is higher than a page flows by itself. */
const keepTogether = (page: Page, height: number): void => {
  const end = page.page.height - layout.bottom;
  if (page.y + height > end && page.y > layout.margin + 1) page.addPage();
};

const widthOf = (page: Page): number => page.page.width - 2 * layout.margin;

const heightOf = (page: Page, text: string, width: number): number =>
  page.heightOfString(shown(text), { width });

const writeFooters = (page: Page, operation: string): void => {
  const { start, count } = page.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    page.switchToPage(index);
    // Text below the margin would begin a page.
    page.page.margins.bottom = 0;
    page
      .font("regular")
      .fontSize(7)
      .fillColor("#666666")
      .text(`Operation ${shown(operation)}`, layout.margin, page.page.height - 35, {
        width: widthOf(page) - 80,
        height: 10,
        ellipsis: true,
      })
      .text(`${index + 1} / ${count}`, page.page.width - layout.margin - 80, page.page.height - 35, {
        width: 80,
        align: "right",
      });
  }
};

/** Longest text of one place: texts of callers stand in an operation, and the attachments hold them whole. */
const textMax = 3_000;

/** A text of a caller as a place of the report shows it. */
const shown = (text: string): string => {
  const clean = printable(text);
  return clean.length > textMax ? `${clean.slice(0, textMax)} …` : clean;
};
