import { Failure } from "#contract/failure";
import type { PdfModel } from "./model.ts";
import type { PdfLimits } from "./types.ts";

/** Fails where a file has no pages, too many, or after a repair fewer than its page tree counts. */
export const checkPages = (model: PdfModel, limits: PdfLimits, repaired: boolean): void => {
  const pages = model.pdf.getPageCount();
  if (pages === 0) throw new Failure("pdf_unreadable", { reason: "no_pages" });
  if (pages > limits.pagesMax) throw new Failure("pdf_too_large", { pages, pagesMax: limits.pagesMax });
  const stated = model.numberOf(model.dictOf(model.catalog.value.get("Pages"))?.get("Count"));
  if (repaired && stated !== undefined && pages < stated)
    throw new Failure("pdf_unreadable", { reason: "pages_lost", pages, pagesStated: stated });
};
