import type { Entries, PdfString, PdfValue } from "./reader/pdf-value.ts";

/** Values that stand in no file yet. */
export const pdfName = (value: string): PdfValue => ({ kind: "name", value });

export const pdfNumber = (value: number): PdfValue => ({ kind: "number", value });

export const pdfString = (bytes: Uint8Array): PdfString => ({ kind: "string", bytes, start: -1, end: -1 });

export const pdfArray = (items: readonly PdfValue[]): PdfValue => ({ kind: "array", items });

export const pdfNumbers = (values: readonly number[]): PdfValue => pdfArray(values.map(pdfNumber));

/** Keys whose value is undefined are left out. */
const entriesFrom = (entries: Readonly<Record<string, PdfValue | undefined>>): Entries =>
  new Map(Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

export const pdfDictionary = (entries: Readonly<Record<string, PdfValue | undefined>>): PdfValue => ({
  kind: "dictionary",
  entries: entriesFrom(entries),
});

/** `Length` is written with the stream. */
export const pdfStream = (
  entries: Readonly<Record<string, PdfValue | undefined>>,
  raw: Uint8Array,
): PdfValue => ({ kind: "stream", entries: entriesFrom(entries), raw });
