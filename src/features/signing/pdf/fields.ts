import { type PdfDict, type PdfObject, PdfRef, PdfString } from "@libpdf/core";
import type { Held, PdfModel } from "./model.ts";
import { readLock, readStoredSignature } from "./stored-signature.ts";
import type { SignatureField } from "./types.ts";

/** Depth and number of fields that are walked; a form of Acrobat has less than 20 levels. */
const depthMax = 64;
const fieldsMax = 100_000;

/** A terminal field of the form. */
export type FormField = {
  readonly name: string;
  readonly held: Held<PdfDict>;
  readonly type: string | undefined;
  /** The signature dictionary of a signed field. */
  readonly value: PdfDict | undefined;
};

type Walk = { readonly model: PdfModel; readonly seen: Set<PdfDict>; readonly found: FormField[] };

const hasFieldKids = (model: PdfModel, kids: readonly PdfObject[]): boolean =>
  kids.some((kid) => model.dictOf(kid)?.has("T") === true);

const walkField = (
  walk: Walk,
  item: PdfObject,
  parent: { readonly name: string; readonly type: string | undefined; readonly ref: PdfRef },
  depth: number,
): void => {
  const { model } = walk;
  const field = model.dictOf(item);
  if (field === undefined || walk.seen.has(field) || depth > depthMax || walk.seen.size > fieldsMax) return;
  walk.seen.add(field);
  const partial = model.resolve(field.get("T"));
  // A kid without a name is a widget of its parent.
  if (depth > 0 && !(partial instanceof PdfString)) return;
  const own = partial instanceof PdfString ? partial.asString() : "";
  const name = parent.name === "" ? own : `${parent.name}.${own}`;
  // Names grow with their depth, and each is compared as a whole.
  model.steps.take(name.length);
  const type = model.nameOf(field.get("FT")) ?? parent.type;
  const ref = item instanceof PdfRef ? (model.pdf.context.registry.getRef(field) ?? item) : parent.ref;
  const kids = model.itemsOf(field.get("Kids"));
  if (!hasFieldKids(model, kids))
    walk.found.push({ name, type, held: { ref, value: field }, value: model.dictOf(field.get("V")) });
  for (const kid of kids) walkField(walk, kid, { name, type, ref }, depth + 1);
};

/** Terminal fields of the form in its order. Loops and depth are bounded. */
export const listFormFields = (model: PdfModel): readonly FormField[] => {
  const form = model.child(model.catalog, "AcroForm");
  if (form === undefined) return [];
  const walk: Walk = { model, seen: new Set(), found: [] };
  for (const item of model.itemsOf(form.value.get("Fields")))
    walkField(walk, item, { name: "", type: undefined, ref: form.ref }, 0);
  return walk.found;
};

/** Signature fields, signed or empty. */
export const listSignatureFields = (model: PdfModel): readonly SignatureField[] =>
  listFormFields(model)
    .filter(({ type }) => type === "Sig")
    .map(({ name, held, value }) => {
      const lock = model.dictOf(held.value.get("Lock"));
      return {
        name,
        isSigned: value !== undefined,
        lock: lock === undefined ? undefined : readLock(model, lock),
        signature: value === undefined ? undefined : readStoredSignature(model, value),
      };
    });
