import { Failure } from "#contract/failure";
import { listFormFields } from "./fields.ts";
import type { PdfModel } from "./model.ts";

/**
 * Refuses a dynamic XFA form: its pages are a notice that the reader replaces. Such a form says that it needs
 * rendering (ISO 32000-2, 7.7.2, NeedsRendering), or has XFA beside a form without fields. Fails with
 * `pdf_xfa_only`.
 */
export const refuseXfaOnly = (model: PdfModel): void => {
  const form = model.child(model.catalog, "AcroForm");
  const xfa = model.resolve(form === undefined ? undefined : model.entriesAt(form).get("XFA"));
  if (xfa.kind === "null" || (xfa.kind === "array" && xfa.items.length === 0) || xfa.kind === "name") return;
  const needsRendering = model.resolve(model.entriesAt(model.catalog).get("NeedsRendering"));
  const isDynamic = needsRendering.kind === "boolean" && needsRendering.value;
  if (isDynamic || listFormFields(model).length === 0) throw new Failure("pdf_xfa_only");
};
