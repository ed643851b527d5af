import type { InflateBudget } from "../../pdf/inflate.ts";
import type { Steps } from "../../pdf/steps.ts";
import { decodeStream } from "./decode-stream.ts";
import { type Cursor, parseValue, skipSpace, tryCount, tryWord } from "./parse-value.ts";
import { countOf, type Entries, entriesOf, nameOf, PdfError } from "./pdf-value.ts";
import { readObjectAt } from "./read-object.ts";

/** Where the current version of an object is. */
export type Place =
  | { readonly kind: "free" }
  | { readonly kind: "offset"; readonly at: number }
  | { readonly kind: "inside"; readonly container: number; readonly index: number };

/** The cross-reference sections of a file, newest first, merged. */
export type Sections = {
  readonly places: ReadonlyMap<number, Place>;
  readonly trailer: Entries;
  /** Offset of each section, newest first. */
  readonly starts: readonly number[];
  /** Offsets of all objects and hidden sections that any section names, replaced ones too. */
  readonly named: ReadonlySet<number>;
};

/** The bytes of a file, what may still be inflated of them, and the steps that may still be taken. */
export type Source = { readonly bytes: Uint8Array; readonly budget: InflateBudget; readonly steps: Steps };

/** A file with more updates than this is refused. */
const sectionsMax = 2000;

/** More objects are refused, and more rows for them. */
const objectsMax = 4_000_000;

/** One section with its own entries. Its reader may keep the map. */
type Section = { readonly places: Map<number, Place>; readonly trailer: Entries };

/**
 * Steps of an entry that is looked up in one map or set and added to it. It takes some .5 µs in a large one.
 */
const mergeSteps = 40;

/**
 * Reads the sections from this offset back to the first (ISO 32000-2, 7.5.4 to 7.5.8). `shift` is added to every offset of the file:
 * the bytes before its header. Throws PdfError.
 */
export const readSections = (source: Source, start: number, shift: number): Sections => {
  let places: Map<number, Place> | undefined;
  const starts: number[] = [];
  const named = new Set<number>();
  let trailer: Entries | undefined;
  for (let next: number | undefined = start; next !== undefined; ) {
    if (starts.includes(next) || starts.length === sectionsMax)
      throw new PdfError("the sections lead in a circle");
    starts.push(next);
    const section = readHybrid(source, next, shift);
    addNamed(named, section.places, source.steps);
    // Most files have only one section. A copy of a large one would cost as much as its reading.
    places = places === undefined ? section.places : addOlder(places, section.places, source.steps);
    const hidden = countOf(section.trailer.get("XRefStm"));
    if (hidden !== undefined) named.add(hidden + shift);
    if (places.size > objectsMax || named.size > objectsMax)
      throw new PdfError("the file has too many objects");
    trailer ??= section.trailer;
    const previous = countOf(section.trailer.get("Prev"));
    next = previous === undefined ? undefined : previous + shift;
  }
  for (const at of starts) named.add(at);
  return { places: places ?? new Map(), trailer: trailer ?? new Map(), starts, named };
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
const readHybrid = (source: Source, at: number, shift: number): Section => {
  const section = readSection(source, at, shift);
  const hidden = countOf(section.trailer.get("XRefStm"));
  if (hidden === undefined) return section;
  const { places, trailer } = section;
  const { places: others } = readSection(source, hidden + shift, shift);
  source.steps.take(mergeSteps * others.size);
  for (const [number, place] of others) {
    if ((places.get(number)?.kind ?? "free") === "free") places.set(number, place);
  }
  return { places, trailer };
};

const readSection = (source: Source, at: number, shift: number): Section => {
  const cursor: Cursor = { bytes: source.bytes, steps: source.steps, at };
  skipSpace(cursor);
  return tryWord(cursor, "xref") ? readTable(cursor, shift) : readStream(source, at, shift);
};

const readTable = (cursor: Cursor, shift: number): Section => {
  const places = new Map<number, Place>();
  for (;;) {
    skipSpace(cursor);
    if (tryWord(cursor, "trailer")) break;
    cursor.steps.take(subsectionSteps);
    const first = tryCount(cursor);
    skipSpace(cursor);
    const count = tryCount(cursor);
    if (first === undefined || count === undefined) throw new PdfError("a table of references is damaged");
    for (let index = 0; index < count; index++) {
      const place = readRow(cursor, shift);
      if (!places.has(first + index)) places.set(first + index, place);
    }
  }
  const trailer = entriesOf(parseValue(cursor));
  if (trailer === undefined) throw new PdfError("a section has no trailer");
  return { places, trailer };
};

/** Steps of a row that becomes an object in a map. It takes some 1 µs in a large one. */
const rowSteps = 100;

/** Steps of reading a subsection. It takes some .5 µs, even without a row. */
const subsectionSteps = 40;

const readRow = (cursor: Cursor, shift: number): Place => {
  cursor.steps.take(rowSteps);
  skipSpace(cursor);
  const offset = tryCount(cursor);
  skipSpace(cursor);
  const generation = tryCount(cursor);
  skipSpace(cursor);
  if (offset === undefined || generation === undefined)
    throw new PdfError("a table of references is damaged");
  if (tryWord(cursor, "n")) return offset === 0 ? { kind: "free" } : { kind: "offset", at: offset + shift };
  if (!tryWord(cursor, "f")) throw new PdfError("a table of references is damaged");
  return { kind: "free" };
};

const readStream = (source: Source, at: number, shift: number): Section => {
  const { bytes, steps } = source;
  const { value } = readObjectAt(bytes, at, steps);
  if (value.kind !== "stream" || nameOf(value.entries.get("Type")) !== "XRef") {
    throw new PdfError("no section of references stands where the file names one");
  }
  const widths = value.entries.get("W");
  const [type, second, third] = (widths?.kind === "array" ? widths.items : []).map(countOf);
  if (type === undefined || second === undefined || third === undefined || type + second + third > 24) {
    throw new PdfError("a stream of references is damaged");
  }
  const data = decodeStream(value.entries, value.raw, source);
  const index = value.entries.get("Index");
  const ranges = index?.kind === "array" ? index.items.map(countOf) : [0, countOf(value.entries.get("Size"))];
  return { places: readRows(data, [type, second, third], { ranges, shift, steps }), trailer: value.entries };
};

type Rows = {
  readonly ranges: readonly (number | undefined)[];
  readonly shift: number;
  readonly steps: Steps;
};

const readRows = (
  data: Uint8Array,
  [type, second, third]: readonly [number, number, number],
  { ranges, shift, steps }: Rows,
): Map<number, Place> => {
  const places = new Map<number, Place>();
  const width = Math.max(1, type + second + third);
  let at = 0;
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    steps.take(subsectionSteps);
    const [first = 0, count = 0] = [ranges[range], ranges[range + 1]];
    for (let index = 0; index < count && at + width <= data.length; index++, at += width) {
      steps.take(rowSteps);
      const kind = type === 0 ? 1 : numberAt(data, at, type);
      const [a, b] = [numberAt(data, at + type, second), numberAt(data, at + type + second, third)];
      places.set(first + index, placeOf(kind, a, b, shift));
      if (places.size > objectsMax) throw new PdfError("the file has too many objects");
    }
  }
  return places;
};

const placeOf = (kind: number, a: number, b: number, shift: number): Place => {
  if (kind === 1) return { kind: "offset", at: a + shift };
  return kind === 2 ? { kind: "inside", container: a, index: b } : { kind: "free" };
};

const numberAt = (bytes: Uint8Array, at: number, length: number): number => {
  let sum = 0;
  for (let index = at; index < at + length; index++) sum = sum * 256 + (bytes[index] ?? 0);
  return sum;
};
