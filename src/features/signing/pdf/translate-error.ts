import { Failure } from "#contract/failure";
import { PagesTooMany } from "./check-page-tree.ts";
import { DamagedPdf } from "./damaged.ts";
import { InflatedTooLarge } from "./inflate.ts";
import { XrefTooLarge } from "./read-xref.ts";
import { TooManySteps } from "./steps.ts";
import type { PdfLimits } from "./types.ts";

/** The failure that a caller receives for an error of reading a hostile file. Other errors stay as they are. */
export const translateError = (error: unknown, limits: PdfLimits): unknown => {
  if (error instanceof InflatedTooLarge)
    return new Failure("pdf_too_large", { inflatedBytesMax: limits.inflatedBytesMax });
  if (error instanceof XrefTooLarge) return new Failure("pdf_too_large", { ...error.facts });
  if (error instanceof PagesTooMany)
    return new Failure("pdf_too_large", { pages: error.nodes, pagesMax: limits.pagesMax });
  if (error instanceof TooManySteps) return new Failure("pdf_unreadable", { reason: error.message });
  if (error instanceof DamagedPdf)
    return new Failure("pdf_unreadable", { reason: error.message }, { cause: error });
  // The parser throws these on hostile nesting and counts.
  if (error instanceof RangeError || error instanceof TypeError)
    return new Failure("pdf_unreadable", { reason: "structure" }, { cause: error });
  return error;
};
