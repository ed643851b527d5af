import { Failure } from "#contract/failure";
import { NeedsPassword, PdfError } from "./damaged.ts";
import { InflatedTooLarge } from "./inflate.ts";
import { PagesTooMany } from "./reader/list-pages.ts";
import { XrefTooLarge } from "./reader/read-sections.ts";
import { TooManySteps } from "./steps.ts";
import type { PdfLimits } from "./types.ts";

/**
 * The failure that a caller receives for an error of reading a hostile file. Other errors stay as they are.
 */
export const translateError = (error: unknown, limits: PdfLimits): unknown => {
  if (error instanceof NeedsPassword) return new Failure("pdf_needs_password");
  if (error instanceof InflatedTooLarge)
    return new Failure("pdf_too_large", { inflatedBytesMax: limits.inflatedBytesMax });
  if (error instanceof XrefTooLarge) return new Failure("pdf_too_large", { ...error.facts });
  if (error instanceof PagesTooMany)
    return new Failure("pdf_too_large", { pages: error.objects, pagesMax: limits.pagesMax });
  if (error instanceof PdfError || error instanceof TooManySteps)
    return new Failure("pdf_unreadable", { reason: error.message }, { cause: error });
  return error;
};
