import { PdfError } from "../../pdf/damaged.ts";
import { dictionaryOf, itemsOf, type View } from "../../pdf/reader/open-view.ts";
import {
  countOf,
  type Entries,
  nameOf,
  type PdfString,
  type PdfValue,
  textOf,
} from "../../pdf/reader/pdf-value.ts";

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

/** A field at the end of its tree, with the entries of the fields above it that it does not have itself. */
export type Field = {
  readonly name: string;
  readonly object: number;
  readonly type: string | undefined;
  readonly entries: Entries;
  /** Numbers of the fields above it. */
  readonly above: readonly number[];
};

/** What a field hands down. */
type Above = Pick<Field, "name" | "entries"> & { readonly objects: readonly number[] };

/** More entries that fields hand down are refused: each field holds its own list. */
const handedDownMax = 1_000_000;

/**
 * The fields of the file's form that have no fields below them (ISO 32000-2, 12.7.4). Throws PdfError for a
 * form that readers take for different forms.
 */
export const listFields = (view: View): readonly Field[] => {
  const form = dictionaryOf(view, dictionaryOf(view, view.trailer.get("Root")).get("AcroForm"));
  const fields: Field[] = [];
  const seen = new Set<number>();
  let handedDown = 0;
  const walk = (value: PdfValue, above: Above): void => {
    if (value.kind !== "reference") throw new PdfError("a field is no object of its own");
    if (seen.has(value.number)) return;
    handedDown += above.entries.size;
    if (above.objects.length > depthMax || seen.size > fieldsMax || handedDown > handedDownMax) {
      throw new PdfError("the form has too many fields");
    }
    seen.add(value.number);
    const own = dictionaryOf(view, value);
    const entries = new Map([...above.entries, ...own]);
    const name = nameBelow(above.name, view.resolve(own.get("T")));
    const below = itemsOf(view, own.get("Kids")).filter((kid) => isField(dictionaryOf(view, kid)));
    const objects = [...above.objects, value.number];
    if (below.length === 0) {
      const type = nameOf(view.resolve(entries.get("FT")));
      fields.push({ name, object: value.number, type, entries, above: above.objects });
    }
    const down = below.length === 0 ? new Map() : handDown(own, entries, objects.length);
    for (const kid of below) walk(kid, { name, entries: down, objects });
  };
  for (const field of itemsOf(view, form.get("Fields")))
    walk(field, { name: "", entries: new Map(), objects: [] });
  return fields;
};

const nameBelow = (above: string, own: PdfValue): string => {
  if (own.kind !== "string" && own.kind !== "null") throw new PdfError("the name of a field is no text");
  return [above, textOf(own)].filter((part) => part !== undefined && part !== "").join(".");
};

/** Widgets have neither a name nor anything below them. */
const isField = (entries: Entries): boolean => entries.has("T") || entries.has("Kids");

/**
 * Entries that the fields below inherit. Readers may follow any of them, so all are handed down. Name and
 * Kids were read; the field above this one is handed down under a key of its own, so that each change of it
 * is found.
 */
const handDown = (own: Entries, entries: Entries, depth: number): Entries => {
  const down = new Map(entries);
  for (const key of ["T", "Kids", "Parent"]) down.delete(key);
  const parent = own.get("Parent");
  if (parent !== undefined) down.set(`Parent of level ${depth}`, parent);
  return down;
};

/** The signatures of the file's fields, in the order of the form. Throws PdfError. */
export const findSignatures = (view: View): readonly FoundSignature[] =>
  listFields(view).flatMap((field) => findSignature(view, field) ?? []);

/** The signature of a field; undefined where it holds none. Throws PdfError for a stream in its place. */
export const findSignature = (view: View, field: Field): FoundSignature | undefined => {
  const value = field.entries.get("V");
  const found = view.resolve(value);
  if (field.type === "Sig" && found.kind === "stream")
    throw new PdfError("a stream stands in the place of a signature");
  if (found.kind !== "dictionary") return undefined;
  const isSignature =
    field.type === "Sig" || (found.entries.has("ByteRange") && found.entries.has("Contents"));
  return isSignature ? readSignature(view, field, value) : undefined;
};

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
