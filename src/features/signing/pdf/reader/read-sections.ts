import { DamagedPdf, PdfError } from "../damaged.ts";
import type { InflateBudget } from "../inflate.ts";
import type { Steps } from "../steps.ts";
import { decodeStream } from "./decode-stream.ts";
import { type Cursor, parseValue, skipSpace, tryCount, tryWord } from "./parse-value.ts";
import { countOf, type Entries, entriesOf, nameOf } from "./pdf-value.ts";
import { readObjectAt } from "./read-object.ts";

/** Where the current version of an object stands (ISO 32000-2, 7.5.4 and 7.5.8.3). */
export type Place =
  | { readonly kind: "free" }
  | { readonly kind: "offset"; readonly at: number; readonly generation: number }
  | { readonly kind: "inside"; readonly container: number; readonly index: number };

/** The cross-reference sections of a file, newest first, merged. */
export type Sections = {
  readonly places: ReadonlyMap<number, Place>;
  readonly trailer: Entries;
  /** Offset of each section, newest first. */
  readonly starts: readonly number[];
  /** Offsets of all objects and hidden sections that any section names, replaced ones too. */
  readonly named: ReadonlySet<number>;
  /** The newest section is a stream: an appended one must be a stream too. */
  readonly isStream: boolean;
  /** A section that is a stream ends before its rows do. */
  readonly isCut: boolean;
};

/** Rows and sections of a cross-reference that are read. */
export type SectionLimits = { readonly objectsMax: number; readonly sectionsMax: number };

/** The cross-reference has more rows or sections than allowed. */
export class XrefTooLarge extends PdfError {
  override readonly name = "XrefTooLarge";
  readonly facts: Readonly<Record<string, number>>;

  constructor(facts: Readonly<Record<string, number>>) {
    super("the cross-reference has more entries or sections than allowed");
    this.facts = facts;
  }
}

/** The bytes of a file, what may still be inflated of them, and the steps that may still be taken. */
export type Source = {
  readonly bytes: Uint8Array;
  readonly budget: InflateBudget;
  readonly steps: Steps;
  /** Absent: those of a file to verify. */
  readonly limits?: SectionLimits;
};

/** More updates of a file to verify are refused, and more objects. */
const verifyLimits: SectionLimits = { objectsMax: 4_000_000, sectionsMax: 2000 };

/** A file while its sections are read: with the bytes before its header, and a count of all rows. */
type Reading = Source & { readonly shift: number; readonly takeRows: (count: number) => void };

/** One section with its own entries, in a map that is its reader's to keep. */
type Section = {
  readonly places: Map<number, Place>;
  readonly trailer: Entries;
  readonly isStream: boolean;
  readonly isCut: boolean;
};

/** An entry is looked up in one map or set, and added to it: some .5 µs in a large one. */
const mergeSteps = 40;

/**
 * Reads the sections from this offset back to the first (ISO 32000-2, 7.5.4 to 7.5.8). `shift` is added to
 * every offset of the file: the bytes before its header. Throws DamagedPdf and XrefTooLarge.
 *
 * One reader serves signing and verifying, and it takes no entry on trust. A file can hold a table and a
 * stream that name different versions of one object. If the signer followed the table, and the reader of the
 * signed file followed the stream, a person would sign one text and the signed file would show another. No
 * hash finds that: both texts stand in the signed bytes. So the order of the standard alone decides: the
 * newest section comes first, in it the first row of a number, and the stream of a hybrid section adds only
 * what its table leaves out. A section that cannot be read is damage: nothing is guessed from the others.
 */
export const readSections = (source: Source, start: number, shift: number): Sections => {
  const { bytes, steps, limits = verifyLimits } = source;
  const reading: Reading = { ...source, shift, takeRows: countRows(limits.objectsMax) };
  const starts: number[] = [];
  const named = new Set<number>();
  let [newest, places]: [Section?, Map<number, Place>?] = [];
  let isCut = false;
  for (let next: number | undefined = start; next !== undefined; ) {
    if (starts.includes(next)) throw new DamagedPdf("the cross-reference has a loop");
    if (next >= bytes.length) throw new DamagedPdf("a section of the cross-reference lies beyond the end");
    starts.push(next);
    if (starts.length > limits.sectionsMax)
      throw new XrefTooLarge({ sections: starts.length, sectionsMax: limits.sectionsMax });
    const section = readHybrid(reading, next);
    newest ??= section;
    isCut ||= section.isCut;
    addNamed(named, section.places, steps);
    // The newest section is all of most files: a copy of a large one would cost as much as its reading.
    places = places === undefined ? section.places : addOlder(places, section.places, steps);
    const hidden = countOf(section.trailer.get("XRefStm"));
    if (hidden !== undefined) named.add(hidden + shift);
    const previous = countOf(section.trailer.get("Prev"));
    next = previous === undefined ? undefined : previous + shift;
  }
  for (const at of starts) named.add(at);
  return {
    places: places ?? new Map(),
    trailer: newest?.trailer ?? new Map(),
    starts,
    named,
    isStream: newest?.isStream === true,
    isCut,
  };
};

/** Rows cost memory, also where another section replaces them. */
const countRows = (objectsMax: number) => {
  let objects = 0;
  return (count: number): void => {
    objects += count;
    if (objects > objectsMax) throw new XrefTooLarge({ objects, objectsMax });
  };
};

const addNamed = (named: Set<number>, places: ReadonlyMap<number, Place>, steps: Steps): void => {
  steps.take(mergeSteps * places.size);
  for (const place of places.values()) if (place.kind === "offset") named.add(place.at);
};

/** Entries of newer sections stay. */
const addOlder = (
  places: Map<number, Place>,
  older: ReadonlyMap<number, Place>,
  steps: Steps,
): Map<number, Place> => {
  steps.take(mergeSteps * older.size);
  for (const [number, place] of older) if (!places.has(number)) places.set(number, place);
  return places;
};

/** A table, with the objects that it hides from old readers (ISO 32000-2, 7.5.8.4); or a stream. */
const readHybrid = (reading: Reading, at: number): Section => {
  const section = readSection(reading, at);
  const hidden = countOf(section.trailer.get("XRefStm"));
  if (hidden === undefined) return section;
  const { places } = section;
  const { places: others, isCut } = readSection(reading, hidden + reading.shift);
  reading.steps.take(mergeSteps * others.size);
  for (const [number, place] of others) {
    if ((places.get(number)?.kind ?? "free") === "free") places.set(number, place);
  }
  return { ...section, isCut };
};

const readSection = (reading: Reading, at: number): Section => {
  const cursor: Cursor = { bytes: reading.bytes, steps: reading.steps, at };
  skipSpace(cursor);
  return tryWord(cursor, "xref") ? readTable(cursor, reading) : readStream(reading, at);
};

const readTable = (cursor: Cursor, { shift, takeRows }: Reading): Section => {
  const places = new Map<number, Place>();
  for (;;) {
    skipSpace(cursor);
    if (tryWord(cursor, "trailer")) break;
    cursor.steps.take(subsectionSteps);
    const first = tryCount(cursor);
    skipSpace(cursor);
    const count = tryCount(cursor);
    if (first === undefined || count === undefined) throw new DamagedPdf("a table of references is damaged");
    takeRows(count);
    for (let index = 0; index < count; index++) {
      const place = readRow(cursor, shift);
      if (!places.has(first + index)) places.set(first + index, place);
    }
  }
  const trailer = entriesOf(parseValue(cursor));
  if (trailer === undefined) throw new DamagedPdf("a section has no trailer");
  return { places, trailer, isStream: false, isCut: false };
};

/** A row becomes an object in a map: some 1 µs in a large one. */
const rowSteps = 100;

/** A subsection is read: some .5 µs, also without a row. */
const subsectionSteps = 40;

const readRow = (cursor: Cursor, shift: number): Place => {
  cursor.steps.take(rowSteps);
  skipSpace(cursor);
  const offset = tryCount(cursor);
  skipSpace(cursor);
  const generation = tryCount(cursor);
  skipSpace(cursor);
  if (offset === undefined || generation === undefined)
    throw new DamagedPdf("a table of references is damaged");
  if (tryWord(cursor, "n"))
    return offset === 0 ? { kind: "free" } : { kind: "offset", at: offset + shift, generation };
  if (!tryWord(cursor, "f")) throw new DamagedPdf("a table of references is damaged");
  return { kind: "free" };
};

const readStream = (reading: Reading, at: number): Section => {
  const { bytes, steps } = reading;
  const { value } = readObjectAt(bytes, at, steps);
  if (value.kind !== "stream" || nameOf(value.entries.get("Type")) !== "XRef") {
    throw new DamagedPdf("no section of references stands where the file names one");
  }
  const widths = value.entries.get("W");
  const [type, second, third] = (widths?.kind === "array" ? widths.items : []).map(countOf);
  if (type === undefined || second === undefined || third === undefined || type + second + third > 24) {
    throw new DamagedPdf("a stream of references is damaged");
  }
  const data = decodeStream(value.entries, value.raw, reading);
  const index = value.entries.get("Index");
  const ranges = index?.kind === "array" ? index.items.map(countOf) : [0, countOf(value.entries.get("Size"))];
  const { places, isCut } = readRows(data, [type, second, third], ranges, reading);
  return { places, trailer: value.entries, isStream: true, isCut };
};

const readRows = (
  data: Uint8Array,
  [type, second, third]: readonly [number, number, number],
  ranges: readonly (number | undefined)[],
  { shift, steps, takeRows }: Reading,
): Pick<Section, "places" | "isCut"> => {
  const places = new Map<number, Place>();
  const width = Math.max(1, type + second + third);
  let [at, wanted] = [0, 0];
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    steps.take(subsectionSteps);
    const [first = 0, count = 0] = [ranges[range], ranges[range + 1]];
    wanted += count * width;
    for (let index = 0; index < count && at + width <= data.length; index++, at += width) {
      steps.take(rowSteps);
      takeRows(1);
      const kind = type === 0 ? 1 : numberAt(data, at, type);
      const [a, b] = [numberAt(data, at + type, second), numberAt(data, at + type + second, third)];
      if (!places.has(first + index)) places.set(first + index, placeOf(kind, a, b, shift));
    }
  }
  return { places, isCut: at < wanted };
};

const placeOf = (kind: number, a: number, b: number, shift: number): Place => {
  if (kind === 1) return { kind: "offset", at: a + shift, generation: b };
  return kind === 2 ? { kind: "inside", container: a, index: b } : { kind: "free" };
};

const numberAt = (bytes: Uint8Array, at: number, length: number): number => {
  let sum = 0;
  for (let index = at; index < at + length; index++) sum = sum * 256 + (bytes[index] ?? 0);
  return sum;
};
