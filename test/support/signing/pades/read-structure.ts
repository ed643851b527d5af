/** Reads the parts of a signed file that the structure rules name, with the library alone: none of the code that wrote them. */
import { createHash } from "node:crypto";
import {
  PDF,
  PdfArray,
  PdfDict,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from "@libpdf/core";
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

const readStreams = (pdf: PDF, dict: PdfDict): Readonly<Record<string, readonly string[]>> => {
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const lists: Record<string, readonly string[]> = {};
  for (const [key, value] of dict) {
    const array = value instanceof PdfRef ? resolve(value) : value;
    if (!(array instanceof PdfArray)) continue;
    lists[key.value] = [...array].map((item) => {
      const stream = item instanceof PdfRef ? resolve(item) : item;
      if (!(stream instanceof PdfStream)) throw new Error(`${key.value} holds no stream`);
      return hexOf(stream.getDecodedData());
    });
  }
  return lists;
};

const readDss = (pdf: PDF): DssFacts | undefined => {
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const dss = pdf.getCatalog().getDict("DSS", resolve);
  if (dss === undefined) return undefined;
  const vri = dss.getDict("VRI", resolve);
  const entries = [...(vri?.keys() ?? [])].map(({ value: key }) => {
    const entry = vri?.getDict(key, resolve);
    if (entry === undefined) throw new Error(`VRI ${key} is no dictionary`);
    return [key, readStreams(pdf, entry)] as const;
  });
  return { lists: readStreams(pdf, dss), related: new Map(entries) };
};

const readSignature = (pdf: PDF, field: PdfDict): readonly SignatureFacts[] => {
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const value = field.getDict("V", resolve);
  const contents = value?.get("Contents", resolve);
  const range = value?.getArray("ByteRange", resolve);
  if (value === undefined || !(contents instanceof PdfString) || range === undefined) return [];
  return [
    {
      fieldName: field.getString("T", resolve)?.asString() ?? "",
      type: value.getName("Type", resolve)?.value,
      subFilter: value.getName("SubFilter", resolve)?.value,
      keys: [...value.keys()].map((key) => key.value),
      byteRange: [...range].map((one) => (one instanceof PdfNumber ? one.value : Number.NaN)),
      contents: contents.bytes,
    },
  ];
};

/** Reads a file whose fields stand directly in the form. */
export const readStructure = async (file: Uint8Array): Promise<StructureFacts> => {
  const pdf = await PDF.load(file);
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const form = pdf.getCatalog().getDict("AcroForm", resolve);
  const fields = [...(form?.getArray("Fields", resolve) ?? [])].flatMap((item) => {
    const field = item instanceof PdfRef ? resolve(item) : item;
    return field instanceof PdfDict ? [field] : [];
  });
  return { signatures: fields.flatMap((field) => readSignature(pdf, field)), dss: readDss(pdf) };
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
