import type { PDFPage, PdfDict } from "@libpdf/core";
import { Failure } from "#contract/failure";
import type { PdfModel } from "./model.ts";
import type { PageShape } from "./position.ts";

/** Levels of the page tree that are climbed for an inherited entry. */
const levelsMax = 64;

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Letter: what readers assume without a MediaBox. */
const defaultBox: Box = { x: 0, y: 0, width: 612, height: 792 };

/** The page with a number from 1. Fails with `pdf_page_missing`. */
export const getPage = (model: PdfModel, pageNumber: number): PDFPage => {
  const page = Number.isInteger(pageNumber) ? model.pdf.getPage(pageNumber - 1) : null;
  if (page === null)
    throw new Failure("pdf_page_missing", { pageNumber, pageCount: model.pdf.getPageCount() });
  return page;
};

const findInherited = (model: PdfModel, page: PdfDict, key: string) => {
  let node: PdfDict | undefined = page;
  for (let level = 0; node !== undefined && level < levelsMax; level++) {
    const value = model.resolve(node.get(key));
    if (value !== undefined) return value;
    node = model.dictOf(node.get("Parent"));
  }
  return undefined;
};

/** A rectangle by any two opposite corners (ISO 32000-2, 7.9.5). */
const readBox = (model: PdfModel, page: PdfDict, key: string): Box | undefined => {
  const corners = model.itemsOf(findInherited(model, page, key)).map((item) => model.numberOf(item));
  const [a, b, c, d] = corners;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b) };
  return box.width > 0 && box.height > 0 ? box : undefined;
};

/** The crop box within the media box, as viewers show it, and the rotation (ISO 32000-2, 7.7.3.3 and 14.11.2). */
export const shapeOf = (model: PdfModel, page: PdfDict): PageShape => {
  const media = readBox(model, page, "MediaBox") ?? defaultBox;
  const crop = readBox(model, page, "CropBox") ?? media;
  const x = Math.max(crop.x, media.x);
  const y = Math.max(crop.y, media.y);
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  const rotation = model.numberOf(findInherited(model, page, "Rotate")) ?? 0;
  return width > 0 && height > 0 ? { x, y, width, height, rotation } : { ...media, rotation };
};
