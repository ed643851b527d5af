/**
 * A value of PDF (ISO 32000-2, 7.3). It never changes: a change makes a new value. Strings keep the place of
 * their token in the file.
 */
export type PdfValue =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly value: string }
  | PdfString
  | { readonly kind: "array"; readonly items: readonly PdfValue[] }
  | { readonly kind: "dictionary"; readonly entries: Entries }
  | { readonly kind: "stream"; readonly entries: Entries; readonly raw: Uint8Array }
  | { readonly kind: "reference"; readonly number: number; readonly generation: number };

/**
 * A string: decoded bytes, and the place of its token with the delimiters; -1 for a string that stands in no
 * file.
 */
export type PdfString = {
  readonly kind: "string";
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
};

export type Entries = ReadonlyMap<string, PdfValue>;

export type PdfReference = Extract<PdfValue, { readonly kind: "reference" }>;

/** A reader keeps the former of two entries with one name under this ending of its key. */
export const repeatedKey = " (repeated)";

export const pdfNull: PdfValue = { kind: "null" };

export const nameOf = (value: PdfValue | undefined): string | undefined =>
  value?.kind === "name" ? value.value : undefined;

/** A whole number that is not negative; undefined for anything else. */
export const countOf = (value: PdfValue | undefined): number | undefined =>
  value?.kind === "number" && Number.isSafeInteger(value.value) && value.value >= 0 ? value.value : undefined;

/** The entries of a dictionary or a stream; undefined for anything else. */
export const entriesOf = (value: PdfValue | undefined): Entries | undefined =>
  value?.kind === "dictionary" || value?.kind === "stream" ? value.entries : undefined;

/**
 * The text of a string: UTF-16 or UTF-8 with its mark, otherwise Latin-1. Without control characters, 500
 * characters at most.
 */
export const textOf = (value: PdfValue | undefined): string | undefined => {
  if (value?.kind !== "string") return undefined;
  const { bytes } = value;
  const isWide = bytes.length % 2 === 0;
  return decode(Buffer.from(bytes.subarray(0, textBytesMax)), isWide)
    .replaceAll(/[\p{C}]+/gu, " ")
    .slice(0, 500);
};

/** Bytes that are decoded for a text: many fields may name one long string. */
const textBytesMax = 4096;

const decode = (bytes: Buffer, isWide: boolean): string => {
  if (bytes[0] === 0xfe && bytes[1] === 0xff && isWide) {
    return Buffer.from(bytes.subarray(2)).swap16().toString("utf16le");
  }
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8 ? bytes.subarray(3).toString("utf8") : bytes.toString("latin1");
};
