import type { Held, PdfModel } from "./model.ts";
import type { Entries } from "./reader/pdf-value.ts";
import { readLock, readStoredSignature } from "./stored-signature.ts";
import type { SignatureField } from "./types.ts";

/** Depth and number of fields that are walked; a form of Acrobat has less than 20 levels. */
const depthMax = 64;
const fieldsMax = 100_000;

/** A terminal field of the form. */
export type FormField = {
  readonly name: string;
  readonly held: Held;
  readonly entries: Entries;
  readonly type: string | undefined;
  /** The signature dictionary of a signed field. */
  readonly value: Entries | undefined;
};

type Walk = { readonly model: PdfModel; readonly seen: Set<Entries>; readonly found: FormField[] };

const hasFieldKids = (model: PdfModel, kids: readonly Held[]): boolean =>
  kids.some((kid) => model.entriesAt(kid).has("T"));

const walkField = (
  walk: Walk,
  held: Held,
  parent: { readonly name: string; readonly type: string | undefined },
  depth: number,
): void => {
  const { model } = walk;
  const field = model.entriesAt(held);
  if (field.size === 0 || walk.seen.has(field) || depth > depthMax || walk.seen.size > fieldsMax) return;
  walk.seen.add(field);
  const partial = model.textOf(field.get("T"));
  // A kid without a name is a widget of its parent.
  if (depth > 0 && partial === undefined) return;
  const own = partial ?? "";
  const name = parent.name === "" ? own : `${parent.name}.${own}`;
  // Names grow with their depth, and each is compared as a whole.
  model.view.steps.take(name.length);
  const type = model.nameOf(field.get("FT")) ?? parent.type;
  const kids = model.elements(held, "Kids");
  if (!hasFieldKids(model, kids))
    walk.found.push({ name, type, held, entries: field, value: model.dictOf(field.get("V")) });
  for (const kid of kids) walkField(walk, kid, { name, type }, depth + 1);
};

/** Terminal fields of the form in its order. Loops and depth are bounded. */
export const listFormFields = (model: PdfModel): readonly FormField[] => {
  const form = model.child(model.catalog, "AcroForm");
  if (form === undefined) return [];
  const walk: Walk = { model, seen: new Set(), found: [] };
  for (const held of model.elements(form, "Fields")) walkField(walk, held, { name: "", type: undefined }, 0);
  return walk.found;
};

/** Signature fields, signed or empty. */
export const listSignatureFields = (model: PdfModel): readonly SignatureField[] =>
  listFormFields(model)
    .filter(({ type }) => type === "Sig")
    .map(({ name, entries, value }) => {
      const lock = model.dictOf(entries.get("Lock"));
      return {
        name,
        isSigned: value !== undefined,
        lock: lock === undefined ? undefined : readLock(model, lock),
        signature: value === undefined ? undefined : readStoredSignature(model, value),
      };
    });
