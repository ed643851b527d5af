import type { PdfModel } from "./model.ts";
import type { Entries } from "./reader/pdf-value.ts";
import type { FieldLock, StoredSignature } from "./types.ts";

/** Names in a lock, and transforms in a signature, that are read. */
const countMax = 10_000;

const byteRangeOf = (model: PdfModel, value: Entries): readonly number[] =>
  model
    .itemsOf(value.get("ByteRange"))
    .slice(0, 64)
    .map((item) => model.numberOf(item) ?? Number.NaN);

/**
 * The bytes between the two signed parts, which are the value whatever `Contents` holds. They are read from
 * the file.
 */
const contentsBetween = (
  { view: { bytes, steps } }: PdfModel,
  range: readonly number[],
): Uint8Array | undefined => {
  const [start, length, next] = range;
  if (start === undefined || length === undefined || next === undefined) return undefined;
  const from = start + length;
  if (!(Number.isSafeInteger(from) && from >= 0 && next > from && next <= bytes.length)) return undefined;
  if (bytes[from] !== 0x3c || bytes[next - 1] !== 0x3e) return undefined;
  // Every field may name the same bytes as its signature.
  steps.take(next - from);
  const hex = Buffer.from(bytes.subarray(from + 1, next - 1)).toString("latin1");
  return /^[0-9a-fA-F\s]*$/.test(hex) ? Buffer.from(hex.replaceAll(/\s/g, ""), "hex") : undefined;
};

/** A lock or the parameters of a FieldMDP transform. */
export const readLock = (model: PdfModel, dictionary: Entries): FieldLock | undefined => {
  const action = model.nameOf(dictionary.get("Action"));
  if (action !== "All" && action !== "Include" && action !== "Exclude") return undefined;
  const fields = model.itemsOf(dictionary.get("Fields")).slice(0, countMax);
  return { action, fields: fields.map((name) => model.textOf(name) ?? "") };
};

const transforms = (model: PdfModel, value: Entries, method: string): readonly Entries[] =>
  model
    .itemsOf(value.get("Reference"))
    .slice(0, countMax)
    .map((reference) => model.dictOf(reference))
    .filter((reference) => reference !== undefined)
    .filter((reference) => model.nameOf(reference.get("TransformMethod")) === method);

/** The level of a DocMDP transform; 2 where it is not stated (ISO 32000-2, table 257). */
const certificationOf = (model: PdfModel, value: Entries): 1 | 2 | 3 | undefined => {
  const [transform] = transforms(model, value, "DocMDP");
  if (transform === undefined) return undefined;
  const level = model.numberOf(model.dictOf(transform.get("TransformParams"))?.get("P"));
  return level === 1 || level === 3 ? level : 2;
};

/** The level of the certification that `Perms` of the catalogue names. */
export const documentCertification = (model: PdfModel): 1 | 2 | 3 | undefined => {
  const value = model.dictOf(model.dictOf(model.entriesAt(model.catalog).get("Perms"))?.get("DocMDP"));
  return value === undefined ? undefined : (certificationOf(model, value) ?? 2);
};

/** Reads the value of a signed field. */
export const readStoredSignature = (model: PdfModel, value: Entries): StoredSignature => {
  const byteRange = byteRangeOf(model, value);
  const stored = model.resolve(value.get("Contents"));
  return {
    subFilter: model.nameOf(value.get("SubFilter")),
    type: model.nameOf(value.get("Type")),
    byteRange,
    contents:
      contentsBetween(model, byteRange) ?? (stored.kind === "string" ? stored.bytes : new Uint8Array()),
    at: model.textOf(value.get("M")),
    reason: model.textOf(value.get("Reason")),
    location: model.textOf(value.get("Location")),
    name: model.textOf(value.get("Name")),
    contact: model.textOf(value.get("ContactInfo")),
    certification: certificationOf(model, value),
    locks: transforms(model, value, "FieldMDP")
      .map((transform) => model.dictOf(transform.get("TransformParams")))
      .filter((parameters) => parameters !== undefined)
      .map((parameters) => readLock(model, parameters))
      .filter((lock) => lock !== undefined),
  };
};
