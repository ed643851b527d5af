import { Failure } from "#contract/failure";
import { type FormField, listFormFields } from "./fields.ts";
import { pdfArray, pdfDictionary, pdfName, pdfNumber, pdfNumbers } from "./make-value.ts";
import type { Held, PdfModel } from "./model.ts";
import { getPage } from "./pages.ts";
import type { PdfValue } from "./reader/pdf-value.ts";
import { textString } from "./text-string.ts";
import type { FieldLock } from "./types.ts";

/** Appearance and rectangle of a widget. */
export type WidgetLook = { readonly rect: readonly number[]; readonly form: PdfValue };

/** Print and Locked (ISO 32000-2, 12.5.3). */
const widgetFlags = 4 + 128;

/**
 * The form of the catalogue, made where it is missing, marked as signed and append-only (SigFlags, 12.7.3).
 */
const getForm = (model: PdfModel): Held => {
  const form = model.childOrNew(model.catalog, "AcroForm", pdfDictionary({ Fields: pdfArray([]) }));
  const flags = model.numberOf(model.entriesAt(form).get("SigFlags")) ?? 0;
  if ((flags & 3) !== 3) model.set(form, "SigFlags", pdfNumber(flags | 3));
  // A reader that draws appearances anew after the signature would change them.
  model.remove(form, "NeedAppearances");
  return form;
};

const freeName = (fields: readonly FormField[], prefix: string): string => {
  const names = new Set(fields.map(({ name }) => name));
  for (let number = 1; ; number++) if (!names.has(`${prefix}${number}`)) return `${prefix}${number}`;
};

/** The name that a new field gets, or the wanted one. */
export const chooseFieldName = (model: PdfModel, wanted: string | undefined, prefix: string): string =>
  wanted ?? freeName(listFormFields(model), prefix);

const lockDictionary = (lock: FieldLock): PdfValue =>
  pdfDictionary({
    Type: pdfName("SigFieldLock"),
    Action: pdfName(lock.action),
    Fields: lock.action === "All" ? undefined : pdfArray(lock.fields.map(textString)),
  });

const fillField = (
  model: PdfModel,
  field: FormField,
  value: PdfValue,
  look: WidgetLook | undefined,
): void => {
  if (field.type !== "Sig" || field.value !== undefined)
    throw new Failure("pdf_signing_forbidden", { reason: "field_not_empty" });
  model.set(field.held, "V", value);
  if (look === undefined || field.entries.has("Kids")) return;
  model.set(field.held, "AP", pdfDictionary({ N: look.form }));
  model.set(field.held, "Rect", pdfNumbers(look.rect));
};

/** Puts a signature dictionary into a field: an existing empty one by its name, or a new one on a page. */
export const placeField = (
  model: PdfModel,
  wanted: {
    readonly name: string;
    readonly value: PdfValue;
    /** From 1. */
    readonly pageNumber: number;
    readonly look: WidgetLook | undefined;
    readonly lock: FieldLock | undefined;
  },
): void => {
  const form = getForm(model);
  const existing = listFormFields(model).find(({ name }) => name === wanted.name);
  if (existing !== undefined) return fillField(model, existing, wanted.value, wanted.look);
  const page = getPage(model, wanted.pageNumber);
  const { look, lock } = wanted;
  const widget = model.register(
    pdfDictionary({
      Type: pdfName("Annot"),
      Subtype: pdfName("Widget"),
      FT: pdfName("Sig"),
      T: textString(wanted.name.replaceAll(".", "_")),
      V: wanted.value,
      F: pdfNumber(widgetFlags),
      P: model.referTo(page.object),
      Rect: pdfNumbers(look?.rect ?? [0, 0, 0, 0]),
      AP: look === undefined ? undefined : pdfDictionary({ N: look.form }),
      Lock: lock === undefined ? undefined : model.register(lockDictionary(lock)),
    }),
  );
  model.push(form, "Fields", widget);
  model.push({ object: page.object, path: [] }, "Annots", widget);
};
