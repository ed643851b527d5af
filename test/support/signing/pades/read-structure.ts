/**
 * Reads the parts of a signed file that the structure rules name, with the reader of verifying: none of the
 * code that wrote them.
 */
import { createHash } from "node:crypto";
import { decodeStream } from "#features/signing/pdf/reader/decode-stream";
import { dictionaryOf, itemsOf, openView, type View } from "#features/signing/pdf/reader/open-view";
import { countOf, type Entries, nameOf, textOf } from "#features/signing/pdf/reader/pdf-value";
import type { HashName } from "#trust/revocation/ports";

/** One signature dictionary of a file. */
export type SignatureFacts = {
  readonly fieldName: string;
  readonly type: string | undefined;
  readonly subFilter: string | undefined;
  readonly keys: readonly string[];
  readonly byteRange: readonly number[];
  /** The decoded Contents with their padding. */
  readonly contents: Uint8Array;
};

/** Texts of streams (hex) by the arrays of the DSS, and by those of each entry of its VRI. */
export type DssFacts = {
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly related: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
};

export type StructureFacts = {
  readonly signatures: readonly SignatureFacts[];
  readonly dss: DssFacts | undefined;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const readStreams = (view: View, entries: Entries): Readonly<Record<string, readonly string[]>> => {
  const lists: Record<string, readonly string[]> = {};
  for (const [key, value] of entries) {
    if (view.resolve(value).kind !== "array") continue;
    lists[key] = itemsOf(view, value).map((item) => {
      const stream = view.resolve(item);
      if (stream.kind !== "stream") throw new Error(`${key} holds no stream`);
      return hexOf(decodeStream(stream.entries, stream.raw, view));
    });
  }
  return lists;
};

const readDss = (view: View, catalog: Entries): DssFacts | undefined => {
  if (!catalog.has("DSS")) return undefined;
  const dss = dictionaryOf(view, catalog.get("DSS"));
  const related = [...dictionaryOf(view, dss.get("VRI"))].map(([key, value]) => {
    if (view.resolve(value).kind !== "dictionary") throw new Error(`VRI ${key} is no dictionary`);
    return [key, readStreams(view, dictionaryOf(view, value))] as const;
  });
  return { lists: readStreams(view, dss), related: new Map(related) };
};

const readSignature = (view: View, field: Entries): readonly SignatureFacts[] => {
  const value = dictionaryOf(view, field.get("V"));
  const contents = view.resolve(value.get("Contents"));
  const name = (key: string): string | undefined => nameOf(view.resolve(value.get(key)));
  if (contents.kind !== "string" || !value.has("ByteRange")) return [];
  return [
    {
      fieldName: textOf(view.resolve(field.get("T"))) ?? "",
      type: name("Type"),
      subFilter: name("SubFilter"),
      keys: [...value.keys()],
      byteRange: itemsOf(view, value.get("ByteRange")).map((one) => countOf(one) ?? Number.NaN),
      contents: contents.bytes,
    },
  ];
};

/** Reads a file whose fields stand directly in the form. */
export const readStructure = async (file: Uint8Array): Promise<StructureFacts> => {
  const view = openView(file);
  const catalog = dictionaryOf(view, view.trailer.get("Root"));
  const fields = itemsOf(view, dictionaryOf(view, catalog.get("AcroForm")).get("Fields"));
  const signatures = fields.flatMap((field) => readSignature(view, dictionaryOf(view, field)));
  return { signatures, dss: readDss(view, catalog) };
};

/** The hash of a byte range of the file. */
export const hashRange = (
  file: Uint8Array,
  [start = 0, length = 0, next = 0, rest = 0]: readonly number[],
  hash: HashName,
) =>
  createHash(hash)
    .update(file.subarray(start, start + length))
    .update(file.subarray(next, next + rest))
    .digest();
