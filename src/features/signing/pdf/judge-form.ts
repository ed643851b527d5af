import { PdfArray, PdfName } from "@libpdf/core";
import { Failure } from "#contract/failure";
import { listFormFields } from "./fields.ts";
import type { PdfModel } from "./model.ts";

/**
 * Refuses a dynamic XFA form: its pages are a notice that the reader replaces. Such a form says that it needs rendering
 * (ISO 32000-2, 7.7.2, NeedsRendering), or has XFA beside a form without fields. Fails with `pdf_xfa_only`.
 */
export const refuseXfaOnly = (model: PdfModel): void => {
  const form = model.child(model.catalog, "AcroForm");
  const xfa = model.resolve(form?.value.get("XFA"));
  if (xfa === undefined || (xfa instanceof PdfArray && xfa.length === 0) || xfa instanceof PdfName) return;
  const needsRendering = model.catalog.value.getBool("NeedsRendering", (ref) => model.resolve(ref) ?? null);
  if (needsRendering?.value === true || listFormFields(model).length === 0) throw new Failure("pdf_xfa_only");
};
