import type { PDFPage } from "@libpdf/core";
import { Failure } from "#contract/failure";
import type { PdfModel } from "./model.ts";
import type { PageShape } from "./position.ts";

/** The page with a number from 1. Fails with `pdf_page_missing`. */
export const getPage = (model: PdfModel, pageNumber: number): PDFPage => {
  const page = Number.isInteger(pageNumber) ? model.pdf.getPage(pageNumber - 1) : null;
  if (page === null)
    throw new Failure("pdf_page_missing", { pageNumber, pageCount: model.pdf.getPageCount() });
  return page;
};

/** The crop box within the media box, as viewers show it (ISO 32000-2, 14.11.2). */
export const shapeOf = (page: PDFPage): PageShape => {
  const crop = page.getCropBox();
  const media = page.getMediaBox();
  const x = Math.max(crop.x, media.x);
  const y = Math.max(crop.y, media.y);
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  const box = width > 0 && height > 0 ? { x, y, width, height } : media;
  return { x: box.x, y: box.y, width: box.width, height: box.height, rotation: page.rotation };
};
