import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfRef } from "@libpdf/core";
import { Failure } from "#contract/failure";
import { type FormField, listFormFields } from "./fields.ts";
import type { Held, PdfModel } from "./model.ts";
import { getPage } from "./pages.ts";
import { textString } from "./text-string.ts";
import type { FieldLock } from "./types.ts";

/** Appearance and rectangle of a widget. */
export type WidgetLook = { readonly rect: readonly number[]; readonly form: PdfRef };

/** Print and Locked (ISO 32000-2, 12.5.3). */
const widgetFlags = 4 + 128;

const array = (numbers: readonly number[]): PdfArray =>
  new PdfArray(numbers.map((value) => PdfNumber.of(value)));

/** The form of the catalogue, made where it is missing, marked as signed and append-only (SigFlags, 12.7.3). */
const getForm = (model: PdfModel): Held<PdfDict> => {
  const existing = model.child(model.catalog, "AcroForm");
  const value = existing?.value ?? PdfDict.of({ Fields: new PdfArray([]) });
  const form = existing ?? { value, ref: model.register(value) };
  if (existing === undefined) model.set(model.catalog, "AcroForm", form.ref);
  const flags = model.numberOf(form.value.get("SigFlags")) ?? 0;
  if ((flags & 3) !== 3) model.set(form, "SigFlags", PdfNumber.of(flags | 3));
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

const lockDictionary = (lock: FieldLock): PdfDict => {
  const dictionary = PdfDict.of({ Type: PdfName.of("SigFieldLock"), Action: PdfName.of(lock.action) });
  if (lock.action !== "All") dictionary.set("Fields", new PdfArray(lock.fields.map(textString)));
  return dictionary;
};

const fillField = (model: PdfModel, field: FormField, value: PdfRef, look: WidgetLook | undefined): void => {
  if (field.type !== "Sig" || field.value !== undefined)
    throw new Failure("pdf_signing_forbidden", { reason: "field_not_empty" });
  model.set(field.held, "V", value);
  if (look === undefined || field.held.value.has("Kids")) return;
  model.set(field.held, "AP", PdfDict.of({ N: look.form }));
  model.set(field.held, "Rect", array(look.rect));
};

/** Puts a signature dictionary into a field: an existing empty one by its name, or a new one on a page. */
export const placeField = (
  model: PdfModel,
  wanted: {
    readonly name: string;
    readonly value: PdfRef;
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
  const widget = PdfDict.of({
    Type: PdfName.of("Annot"),
    Subtype: PdfName.of("Widget"),
    FT: PdfName.of("Sig"),
    T: textString(wanted.name.replaceAll(".", "_")),
    V: wanted.value,
    F: PdfNumber.of(widgetFlags),
    P: page.ref,
    Rect: array(wanted.look?.rect ?? [0, 0, 0, 0]),
  });
  if (wanted.look !== undefined) widget.set("AP", PdfDict.of({ N: wanted.look.form }));
  if (wanted.lock !== undefined) widget.set("Lock", model.register(lockDictionary(wanted.lock)));
  const ref = model.register(widget);
  model.push(form, "Fields", ref);
  model.push({ ref: page.ref, value: page.dict }, "Annots", ref);
};
