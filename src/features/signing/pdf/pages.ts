import { Failure } from "#contract/failure";
import type { PdfModel } from "./model.ts";
import type { PageShape } from "./position.ts";
import type { Page } from "./reader/list-pages.ts";
import type { Entries } from "./reader/pdf-value.ts";

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Letter: what readers assume without a MediaBox. */
const defaultBox: Box = { x: 0, y: 0, width: 612, height: 792 };

/** The page with a number from 1. Fails with `pdf_page_missing`. */
export const getPage = ({ pages }: PdfModel, pageNumber: number): Page => {
  const page = pages[pageNumber - 1];
  if (page === undefined) throw new Failure("pdf_page_missing", { pageNumber, pageCount: pages.length });
  return page;
};

/** A rectangle by any two opposite corners (ISO 32000-2, 7.9.5). */
const readBox = (model: PdfModel, page: Entries, key: string): Box | undefined => {
  const corners = model.itemsOf(page.get(key)).map((item) => model.numberOf(item));
  const [a, b, c, d] = corners;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(c - a), height: Math.abs(d - b) };
  return box.width > 0 && box.height > 0 ? box : undefined;
};

/**
 * The crop box within the media box, as viewers show it, and the rotation (ISO 32000-2, 7.7.3.3 and 14.11.2).
 */
export const shapeOf = (model: PdfModel, { entries: page }: Page): PageShape => {
  const media = readBox(model, page, "MediaBox") ?? defaultBox;
  const crop = readBox(model, page, "CropBox") ?? media;
  const x = Math.max(crop.x, media.x);
  const y = Math.max(crop.y, media.y);
  const width = Math.min(crop.x + crop.width, media.x + media.width) - x;
  const height = Math.min(crop.y + crop.height, media.y + media.height) - y;
  const rotation = model.numberOf(page.get("Rotate")) ?? 0;
  return width > 0 && height > 0 ? { x, y, width, height, rotation } : { ...media, rotation };
};
