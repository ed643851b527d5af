import { dictionaryOf, itemsOf, type View } from "./open-view.ts";
import {
  countOf,
  type Entries,
  nameOf,
  PdfError,
  type PdfString,
  type PdfValue,
  textOf,
} from "./pdf-value.ts";

/** A rule which fields may not change any more (ISO 32000-2, 12.8.2.4). */
export type FieldRule = {
  readonly action: "All" | "Include" | "Exclude";
  readonly fields: readonly string[];
};

/** A signature as the file holds it: nothing is verified. */
export type FoundSignature = {
  /** Full name of its field. */
  readonly field: string;
  /** Number of the object with the signature dictionary; that of the field where it stands in there. */
  readonly object: number;
  readonly subFilter: string | undefined;
  readonly isTimestamp: boolean;
  /** The four numbers, as written; other values are NaN. Undefined where the entry is missing or no array. */
  readonly byteRange: readonly number[] | undefined;
  readonly contents: PdfString | undefined;
  /** Whether the place of `contents` is a place in the file, and not in an object stream. */
  readonly isPlain: boolean;
  /** What a certification allows later (ISO 32000-2, 12.8.2.2): 1 nothing, 2 forms, 3 annotations too. */
  readonly certification: 1 | 2 | 3 | undefined;
  readonly rules: readonly FieldRule[];
  readonly reason: string | undefined;
  readonly location: string | undefined;
  readonly contact: string | undefined;
  readonly name: string | undefined;
  /** The time that the signer claims, as written. */
  readonly claimedAt: string | undefined;
};

/** More fields than this are refused; deeper ones too. */
const [fieldsMax, depthMax] = [50_000, 30];

/** A field at the end of its tree, with inherited entries. */
export type Field = {
  readonly name: string;
  readonly object: number;
  readonly type: string | undefined;
  readonly entries: Entries;
};

/** The fields of the file's form that have no fields below them (ISO 32000-2, 12.7.4). Throws PdfError. */
export const listFields = (view: View): readonly Field[] => {
  const form = dictionaryOf(view, dictionaryOf(view, view.trailer.get("Root")).get("AcroForm"));
  const fields: Field[] = [];
  const seen = new Set<number>();
  const walk = (value: PdfValue, above: { name: string; type: string | undefined }, depth: number): void => {
    if (value.kind !== "reference" || seen.has(value.number)) return;
    if (depth > depthMax || seen.size > fieldsMax) throw new PdfError("the form has too many fields");
    seen.add(value.number);
    const entries = dictionaryOf(view, value);
    const own = textOf(view.resolve(entries.get("T")));
    const name = [above.name, own].filter((part) => part !== undefined && part !== "").join(".");
    const type = nameOf(view.resolve(entries.get("FT"))) ?? above.type;
    const kids = itemsOf(view, entries.get("Kids"));
    const below = kids.filter((kid) => dictionaryOf(view, kid).has("T"));
    if (below.length === 0) fields.push({ name, object: value.number, type, entries });
    for (const kid of below) walk(kid, { name, type }, depth + 1);
  };
  for (const field of itemsOf(view, form.get("Fields"))) walk(field, { name: "", type: undefined }, 0);
  return fields;
};

/** The signatures of the file's fields, in the order of the form. Throws PdfError. */
export const findSignatures = (view: View): readonly FoundSignature[] =>
  listFields(view).flatMap((field) => {
    const value = field.entries.get("V");
    const entries = dictionaryOf(view, value);
    const isSignature = field.type === "Sig" || (entries.has("ByteRange") && entries.has("Contents"));
    return isSignature && view.resolve(value).kind === "dictionary"
      ? [readSignature(view, field, value)]
      : [];
  });

const readSignature = (view: View, field: Field, value: PdfValue | undefined): FoundSignature => {
  const entries = dictionaryOf(view, value);
  const object = value?.kind === "reference" ? value.number : field.object;
  const contents = entries.get("Contents");
  const subFilter = nameOf(view.resolve(entries.get("SubFilter")));
  const text = (key: string): string | undefined => textOf(view.resolve(entries.get(key)));
  const references = itemsOf(view, entries.get("Reference"), 100).map((one) => dictionaryOf(view, one));
  return {
    field: field.name,
    object,
    subFilter,
    isTimestamp: subFilter === "ETSI.RFC3161" || nameOf(view.resolve(entries.get("Type"))) === "DocTimeStamp",
    byteRange: rangeOf(view, entries.get("ByteRange")),
    contents: contents?.kind === "string" ? contents : undefined,
    isPlain: view.isPlain(object),
    certification: certificationOf(view, references),
    rules: [
      ...references
        .filter((one) => nameOf(view.resolve(one.get("TransformMethod"))) === "FieldMDP")
        .map((one) => ruleOf(view, one.get("TransformParams"))),
      ...(field.entries.has("Lock") ? [ruleOf(view, field.entries.get("Lock"))] : []),
    ].flat(),
    reason: text("Reason"),
    location: text("Location"),
    contact: text("ContactInfo"),
    name: text("Name"),
    claimedAt: text("M"),
  };
};

const rangeOf = (view: View, value: PdfValue | undefined): readonly number[] | undefined => {
  const found = view.resolve(value);
  if (found.kind !== "array") return undefined;
  return found.items.slice(0, 100).map((item) => countOf(view.resolve(item)) ?? Number.NaN);
};

/** Without a number the permission is 2 (ISO 32000-2, table 257). */
const certificationOf = (view: View, references: readonly Entries[]): 1 | 2 | 3 | undefined => {
  const found = references.find((one) => nameOf(view.resolve(one.get("TransformMethod"))) === "DocMDP");
  if (found === undefined) return undefined;
  const permission = countOf(view.resolve(dictionaryOf(view, found.get("TransformParams")).get("P")));
  return permission === 1 || permission === 3 ? permission : 2;
};

const ruleOf = (view: View, value: PdfValue | undefined): readonly FieldRule[] => {
  const entries = dictionaryOf(view, value);
  const action = nameOf(view.resolve(entries.get("Action")));
  if (action !== "All" && action !== "Include" && action !== "Exclude") return [];
  const fields = itemsOf(view, entries.get("Fields"), 10_000).map((item) => textOf(view.resolve(item)) ?? "");
  return [{ action, fields }];
};
