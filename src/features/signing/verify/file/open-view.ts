import { findText, isWhiteSpace } from "../../pdf/bytes.ts";
import { type InflateBudget, makeInflateBudget } from "../../pdf/inflate.ts";
import { makeSteps, type Steps, stepsFor } from "../../pdf/steps.ts";
import { decodeStream } from "./decode-stream.ts";
import { openDecryption } from "./decryption.ts";
import { type Cursor, parseValue, skipSpace, tryCount } from "./parse-value.ts";
import { countOf, type Entries, PdfError, type PdfValue, pdfNull } from "./pdf-value.ts";
import { readObjectAt } from "./read-object.ts";
import { type Place, readSections, type Source } from "./read-sections.ts";

/** A file as a reader sees it when it holds these bytes and no more. Made by {@link openView}. */
export type View = {
  readonly bytes: Uint8Array;
  readonly trailer: Entries;
  /** Offsets of the cross-reference sections, newest first. */
  readonly starts: readonly number[];
  /** Offsets of the objects and sections that any section names, replaced ones too. */
  readonly named: ReadonlySet<number>;
  /** Bytes behind the end mark that are no white space. */
  readonly strayBytes: number;
  /**
   * The decrypted value of an object; null if the object does not exist (ISO 32000-2, 7.3.10). Throws
   * PdfError for a damaged object.
   */
  readonly load: (number: number) => PdfValue;
  /** The value behind a reference, or the value itself. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  /** Whether an object is in the file by itself, and not in an object stream. */
  readonly isPlain: (number: number) => boolean;
  /** What may still be inflated for this view. */
  readonly budget: InflateBudget;
  /** Counts the steps of reading this view, and those of the others of its file. */
  readonly steps: Steps;
};

/** All streams that are decoded for one view are not larger together. The structure of a file of 50 MB has some 20 MB. */
const inflatedBytesMax = 128 * 1024 * 1024;

/** Steps of one verification. A file with 42 signatures takes some 20 million: `node lab/scripts/count-steps.ts`. */
export const verifyStepsMax = 150_000_000;

/** The header stands within these bytes (ISO 32000-1, Annex H.3, note 13). */
const headerBytesMax = 1024;

/** A reference to a reference is followed this often. */
const stepsMax = 10;

/**
 * Opens the bytes as a file of their own. Throws PdfError for a damaged one: nothing is repaired. Throws TooManySteps, as all that is
 * read of the view.
 */
export const openView = (
  bytes: Uint8Array,
  steps: Steps = makeSteps(stepsFor(bytes.length, verifyStepsMax)),
): View => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const shift = all.subarray(0, headerBytesMax).indexOf("%PDF-");
  if (shift < 0) throw new PdfError("the file has no header of a PDF");
  const { start, strayBytes } = findStart(all, steps);
  const budget = makeInflateBudget(inflatedBytesMax);
  const { trailer, starts, named, places } = readFromEither({ bytes, budget, steps }, start, shift);
  const load = makeLoad({ bytes, budget, steps }, places, trailer);
  const resolve: View["resolve"] = (value) => {
    let found = value ?? pdfNull;
    for (let step = 0; found.kind === "reference"; step++) {
      if (step === stepsMax) throw new PdfError("references lead in a circle");
      found = load(found.number);
    }
    return found;
  };
  const isPlain: View["isPlain"] = (number) => places.get(number)?.kind === "offset";
  return { bytes, trailer, starts, strayBytes, named, isPlain, load, resolve, budget, steps };
};

/** The offset that the last end mark names. */
const findStart = (all: Buffer, steps: Steps): { readonly start: number; readonly strayBytes: number } => {
  const mark = all.lastIndexOf("startxref");
  steps.takeNative(all.length - mark);
  const cursor: Cursor = { bytes: all, steps, at: mark + "startxref".length };
  skipSpace(cursor);
  const start = mark < 0 ? undefined : tryCount(cursor);
  const end = findText(all, "%%EOF", cursor.at, steps);
  if (start === undefined || end < 0) throw new PdfError("the file has no end mark");
  const tail = all.subarray(end + 5);
  steps.take(tail.length);
  return { start, strayBytes: tail.every(isWhiteSpace) ? 0 : tail.length };
};

/** Offsets count from the header; some writers count from the first byte. */
const readFromEither = (source: Source, start: number, shift: number) => {
  if (shift === 0) return readSections(source, start, 0);
  try {
    return readSections(source, start + shift, shift);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return readSections(source, start, 0);
  }
};

const makeLoad = (source: Source, places: ReadonlyMap<number, Place>, trailer: Entries): View["load"] => {
  const { bytes, steps } = source;
  const loaded = new Map<number, PdfValue>();
  const containers = new Map<number, readonly PdfValue[]>();
  const lengthOf = (number: number): number | undefined => {
    const place = places.get(number);
    return place?.kind === "offset" ? countOf(readObjectAt(bytes, place.at, steps).value) : undefined;
  };
  const readWritten = (number: number): PdfValue => {
    const place = places.get(number);
    return place?.kind === "offset" ? readObjectAt(bytes, place.at, steps, lengthOf).value : pdfNull;
  };
  const decrypt = openDecryption(trailer, readWritten, source);
  const loadPlain = (number: number, at: number): PdfValue => {
    const object = readObjectAt(bytes, at, steps, lengthOf);
    // Readers differ about an entry that leads to another object. None may show that object under this number.
    if (object.number !== number) return pdfNull;
    return decrypt === undefined ? object.value : decrypt(object.value, object);
  };
  const openContainer = (number: number): readonly PdfValue[] => {
    const known = containers.get(number);
    if (known !== undefined) return known;
    const place = places.get(number);
    if (place?.kind !== "offset") throw new PdfError(`object stream ${number} is missing`);
    const value = loadPlain(number, place.at);
    if (value.kind !== "stream") throw new PdfError(`object stream ${number} is no stream`);
    const values = readContainer(value.entries, decodeStream(value.entries, value.raw, source), steps);
    containers.set(number, values);
    return values;
  };
  return (number) => {
    steps.take(1);
    const known = loaded.get(number);
    if (known !== undefined) return known;
    const place = places.get(number);
    let value: PdfValue = pdfNull;
    if (place?.kind === "offset") value = loadPlain(number, place.at);
    if (place?.kind === "inside") value = openContainer(place.container)[place.index] ?? pdfNull;
    loaded.set(number, value);
    return value;
  };
};

/** More objects in one stream are refused. */
const containedMax = 100_000;

/** The objects of an object stream, in their order (ISO 32000-2, 7.5.7). */
const readContainer = (entries: Entries, data: Uint8Array, steps: Steps): readonly PdfValue[] => {
  const [count, first] = [countOf(entries.get("N")), countOf(entries.get("First"))];
  if (count === undefined || first === undefined || count > containedMax) {
    throw new PdfError("an object stream is damaged");
  }
  const header: Cursor = { bytes: data, steps, at: 0 };
  return Array.from({ length: count }, () => {
    skipSpace(header);
    const number = tryCount(header);
    skipSpace(header);
    const offset = tryCount(header);
    if (number === undefined || offset === undefined) throw new PdfError("an object stream is damaged");
    return parseValue({ bytes: data, steps, at: first + offset });
  });
};

/** The dictionary behind a value; empty for anything else. Throws PdfError for a stream: some readers take its entries. */
export const dictionaryOf = (view: View, value: PdfValue | undefined): Entries => {
  const found = view.resolve(value);
  if (found.kind === "stream") throw new PdfError("a stream stands in the place of a dictionary");
  if (found.kind !== "dictionary") return new Map();
  view.steps.take(found.entries.size);
  return found.entries;
};

/** The elements of the array behind a value, at most this many. Throws PdfError for more. */
export const itemsOf = (view: View, value: PdfValue | undefined, countMax = 100_000): readonly PdfValue[] => {
  const found = view.resolve(value);
  if (found.kind !== "array") return [];
  if (found.items.length > countMax) throw new PdfError("an array has too many elements");
  // Objects may share one array: who asks for its elements looks at each.
  view.steps.take(found.items.length);
  return found.items;
};
