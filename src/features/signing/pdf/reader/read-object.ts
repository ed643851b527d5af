import { findText, latin1 } from "../bytes.ts";
import { DamagedPdf } from "../damaged.ts";
import type { Steps } from "../steps.ts";
import { type Cursor, parseValue, skipSpace, tryCount, tryWord } from "./parse-value.ts";
import { countOf, type Entries, type PdfValue } from "./pdf-value.ts";

/** What a reader has to guess of a damaged object: the end of its stream, or its own. */
export type Flaw = "stream_length" | "object_end";

/** An object at an offset: its identity, its value as it is written, and the offset behind it. */
export type ReadObject = {
  readonly number: number;
  readonly generation: number;
  readonly value: PdfValue;
  readonly end: number;
  /** Absent: all of it stands as the standard demands. */
  readonly flaw?: Flaw;
};

/** An object without the data of its stream. */
export type ObjectStart = ReadObject & {
  /** The first byte of the stream's data; undefined without a stream. */
  readonly dataAt: number | undefined;
};

/** Finds a length that stands in another object. */
export type LengthOf = (number: number) => number | undefined;

/** Reads `N G obj` and its value here; of a stream, the dictionary. Throws DamagedPdf. */
export const readObjectStart = (bytes: Uint8Array, at: number, steps: Steps): ObjectStart => {
  const cursor: Cursor = { bytes, at, steps };
  skipSpace(cursor);
  const number = tryCount(cursor);
  skipSpace(cursor);
  const generation = tryCount(cursor);
  skipSpace(cursor);
  if (number === undefined || generation === undefined || !isWordStart(cursor, "obj")) {
    throw new DamagedPdf("no object stands where the file names one");
  }
  cursor.at += 3;
  const value = parseValue(cursor);
  skipSpace(cursor);
  if (value.kind !== "dictionary" || !isWordStart(cursor, "stream"))
    return { number, generation, value, end: cursor.at, dataAt: undefined };
  cursor.at += "stream".length;
  if (bytes[cursor.at] === 0x0d) cursor.at++;
  if (bytes[cursor.at] === 0x0a) cursor.at++;
  return { number, generation, value, end: cursor.at, dataAt: cursor.at };
};

/** Reads `N G obj … endobj` here. Throws DamagedPdf. */
export const readObjectAt = (
  bytes: Uint8Array,
  at: number,
  steps: Steps,
  lengthOf?: LengthOf,
): ReadObject => {
  const { number, generation, value, end, dataAt } = readObjectStart(bytes, at, steps);
  const cursor: Cursor = { bytes, at: dataAt ?? end, steps };
  if (value.kind !== "dictionary" || dataAt === undefined)
    return { number, generation, value, end, ...(!isEnded(cursor) && { flaw: "object_end" }) };
  const { raw, isGuessed } = readRaw(cursor, value.entries, lengthOf);
  const read = { number, generation, value: { kind: "stream", entries: value.entries, raw } } as const;
  const flaw: Flaw | undefined = isGuessed ? "stream_length" : isEnded(cursor) ? undefined : "object_end";
  return { ...read, end: cursor.at, ...(flaw && { flaw }) };
};

/** Whether the object ends here. The cursor stays. */
const isEnded = ({ bytes, steps, at }: Cursor): boolean => {
  const cursor: Cursor = { bytes, steps, at };
  skipSpace(cursor);
  return isWordStart(cursor, "endobj");
};

/** Writers set no space between `obj` and a number, or between `stream` and what follows. */
const isWordStart = ({ bytes, at }: Cursor, word: string): boolean =>
  latin1(bytes, at, at + word.length) === word;

type RawStream = { readonly raw: Uint8Array; readonly isGuessed: boolean };

const readRaw = (cursor: Cursor, entries: Entries, lengthOf: LengthOf | undefined): RawStream => {
  const { bytes, at: start } = cursor;
  const stated = entries.get("Length");
  const length = stated?.kind === "reference" ? lengthOf?.(stated.number) : countOf(stated);
  if (length !== undefined && start + length <= bytes.length) {
    cursor.at = start + length;
    skipSpace(cursor);
    if (isWordStart(cursor, "endstream")) {
      tryWord(cursor, "endstream");
      return { raw: bytes.subarray(start, start + length), isGuessed: false };
    }
  }
  // A wrong length: readers look for the end.
  const end = findText(bytes, "endstream", start, cursor.steps);
  if (end < 0) throw new DamagedPdf("a stream does not end");
  cursor.at = end + "endstream".length;
  return { raw: bytes.subarray(start, end), isGuessed: true };
};
