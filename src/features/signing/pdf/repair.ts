import {
  bufferOf,
  findText,
  findTextBefore,
  isDigit,
  isWhiteSpace,
  latin1,
  readNumbers,
  readObjectHeader,
  skipWhiteSpace,
} from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { InflateBudget } from "./inflate.ts";
import { decodeStream } from "./reader/decode-stream.ts";
import { parseValue } from "./reader/parse-value.ts";
import { countOf, type Entries, entriesOf, nameOf, type PdfReference } from "./reader/pdf-value.ts";
import { readObjectStart } from "./reader/read-object.ts";
import type { Place } from "./reader/read-sections.ts";
import { sourceText } from "./serialise.ts";
import { type Steps, tryRead } from "./steps.ts";
import { wholeSection } from "./whole-section.ts";

/** An object that the scan found. */
type Found = {
  readonly number: number;
  readonly generation: number;
  readonly at: number;
  readonly dictionary: Entries | undefined;
  readonly dataAt: number | undefined;
};

type Bounds = { readonly budget: InflateBudget; readonly steps: Steps };

type Scan = { readonly found: readonly Found[]; readonly trailers: readonly Entries[] };

const readDictionary = (
  bytes: Uint8Array,
  at: number,
  valueAt: number,
  steps: Steps,
): Pick<Found, "dictionary" | "dataAt"> => {
  const none = { dictionary: undefined, dataAt: undefined };
  const value = skipWhiteSpace(bytes, valueAt, steps);
  // An error takes more time than the rest: most objects that are no dictionary are seen at once. A comment
  // may stand before one.
  if (bytes[value] !== 0x25 && !(bytes[value] === 0x3c && bytes[value + 1] === 0x3c)) return none;
  const start = tryRead(steps, DamagedPdf, () => readObjectStart(bytes, at, steps));
  return start === undefined ? none : { dictionary: entriesOf(start.value), dataAt: start.dataAt };
};

/** The index of the first digit of `n g` before `obj`. */
const headerStart = (bytes: Uint8Array, objAt: number): number | undefined => {
  let at = objAt;
  const back = (test: (byte: number | undefined) => boolean): boolean => {
    const from = at;
    while (from - at < 20 && test(bytes[at - 1])) at--;
    return at < from;
  };
  back(isWhiteSpace);
  return back(isDigit) && back(isWhiteSpace) && back(isDigit) ? at : undefined;
};

/** An object that is found costs its header and an entry: some 1 µs. */
const objectSteps = 60;

/** Every `n g obj` of the file outside streams, in its order. */
const scanObjects = (bytes: Uint8Array, objectsMax: number, steps: Steps): readonly Found[] => {
  const found: Found[] = [];
  const next = (from: number): number => findText(bytes, "obj", from, steps);
  for (let at = next(0); at >= 0; at = next(at + 3)) {
    steps.take(objectSteps);
    const start = headerStart(bytes, at);
    const header = start === undefined ? undefined : readObjectHeader(bytes, start, steps);
    if (start === undefined || header?.end !== at + 3) continue;
    if (found.length >= objectsMax) throw new DamagedPdf("too many objects for a repair");
    const { dictionary, dataAt } = readDictionary(bytes, start, header.end, steps);
    found.push({ number: header.number, generation: header.generation, at: start, dictionary, dataAt });
    if (dataAt === undefined) continue;
    const end = findText(bytes, "endstream", dataAt, steps);
    if (end < 0) break;
    at = end;
  }
  return found;
};

/** Most words for a trailer that are tried. */
const trailersMax = 1000;

/**
 * The last trailers of the file, in its order. The newest counts, and the word may stand in a text before it.
 */
const scanTrailers = (bytes: Uint8Array, steps: Steps): readonly Entries[] => {
  const trailers: Entries[] = [];
  let at = bytes.length;
  for (let tries = 0; tries < trailersMax && at > 0; tries++) {
    at = findTextBefore(bytes, "trailer", at, steps);
    if (at < 0) break;
    const valueAt = at + "trailer".length;
    const trailer = tryRead(steps, DamagedPdf, () => entriesOf(parseValue({ bytes, steps, at: valueAt })));
    if (trailer !== undefined) trailers.push(trailer);
  }
  return trailers.reverse();
};

/** The bytes of a stream: its `Length` where it is a number, else up to `endstream`. */
const rawStream = (bytes: Uint8Array, dictionary: Entries, dataAt: number, steps: Steps): Uint8Array => {
  const length = countOf(dictionary.get("Length"));
  if (length !== undefined && dataAt + length <= bytes.length) return bytes.subarray(dataAt, dataAt + length);
  const end = findText(bytes, "endstream", dataAt, steps);
  return bytes.subarray(dataAt, end < 0 ? bytes.length : end);
};

const typeOf = (dictionary: Entries | undefined): string | undefined => nameOf(dictionary?.get("Type"));

/** An object in an object stream becomes an entry: some 1 µs. */
const insideSteps = 60;

/** The numbers of the objects in an object stream, in their order. */
const compressedNumbers = (
  bytes: Uint8Array,
  stream: Found,
  { budget, steps }: Bounds,
): readonly number[] => {
  const { dictionary, dataAt } = stream;
  if (dictionary === undefined || dataAt === undefined) return [];
  const count = countOf(dictionary.get("N"));
  const first = countOf(dictionary.get("First"));
  if (count === undefined || first === undefined) return [];
  const data = decodeStream(dictionary, rawStream(bytes, dictionary, dataAt, steps), { budget, steps });
  const numbers = readNumbers(data, first, steps).filter((_, index) => index % 2 === 0);
  steps.take(insideSteps * Math.min(count, numbers.length));
  return numbers.slice(0, count);
};

const collectPlaces = (bytes: Uint8Array, found: readonly Found[], bounds: Bounds): Map<number, Place> => {
  const places = new Map<number, Place>();
  for (const object of found) {
    const { number, generation, at } = object;
    places.set(number, { kind: "offset", at, generation });
    if (typeOf(object.dictionary) !== "ObjStm") continue;
    const inside = tryRead(bounds.steps, DamagedPdf, () => compressedNumbers(bytes, object, bounds));
    inside?.forEach((inner, index) => {
      places.set(inner, { kind: "inside", container: number, index });
    });
  }
  return places;
};

const referencesAt = (key: string, dictionaries: readonly (Entries | undefined)[]): readonly PdfReference[] =>
  dictionaries.flatMap((dictionary) => {
    const value = dictionary?.get(key);
    return value?.kind === "reference" ? [value] : [];
  });

const findRoot = ({ found, trailers }: Scan): PdfReference | undefined => {
  const sections = found.filter(({ dictionary }) => typeOf(dictionary) === "XRef");
  const named = referencesAt("Root", [...trailers, ...sections.map(({ dictionary }) => dictionary)]);
  const catalogues = found.filter(({ dictionary }) => typeOf(dictionary) === "Catalog");
  const numbers = new Set(catalogues.map(({ number }) => number));
  const last = catalogues.at(-1);
  const lone: PdfReference | undefined = last && {
    kind: "reference",
    number: last.number,
    generation: last.generation,
  };
  return named.findLast(({ number }) => numbers.has(number)) ?? lone ?? named.at(-1);
};

/** Bytes of the longest reference that is looked for. */
const referenceBytesMax = 20;

/**
 * The largest number that a reference of the file names: a new object must not take the number of one that
 * was lost. Larger numbers than `numberMax` are random bytes.
 */
const largestReference = (bytes: Uint8Array, numberMax: number): number => {
  let largest = 0;
  const step = 1 << 20;
  for (let at = 0; at < bytes.length; at += step) {
    const text = latin1(bytes, at, Math.min(bytes.length, at + step + referenceBytesMax));
    for (const [, digits] of text.matchAll(/(?<!\d)(\d{1,8})\s\d{1,5}\sR(?![\w])/g)) {
      const number = Number(digits);
      if (number <= numberMax) largest = Math.max(largest, number);
    }
  }
  return largest;
};

/** The `Length` of a stream, which may stand in an object of its own; undefined where it is no number. */
const lengthOf = (
  bytes: Uint8Array,
  dictionary: Entries,
  places: ReadonlyMap<number, Place>,
  steps: Steps,
): number | undefined => {
  const stated = dictionary.get("Length");
  const place = stated?.kind === "reference" ? places.get(stated.number) : undefined;
  if (place?.kind !== "offset") return countOf(stated);
  return countOf(tryRead(steps, DamagedPdf, () => readObjectStart(bytes, place.at, steps).value));
};

/**
 * Copies of streams whose `Length` does not lead to `endstream`, with the right one. Each end is guessed:
 * a lost block may have joined two streams.
 */
const mendStreams = (
  bytes: Uint8Array,
  found: readonly Found[],
  places: Map<number, Place>,
  base: number,
  steps: Steps,
) => {
  const buffer = bufferOf(bytes);
  const copies: Buffer[] = [];
  const guessed = new Set<number>();
  let at = base;
  for (const { number, generation, at: from, dictionary, dataAt } of found) {
    const place = places.get(number);
    if (dictionary === undefined || dataAt === undefined) continue;
    if (place?.kind !== "offset" || place.at !== from) continue;
    const stated = lengthOf(bytes, dictionary, places, steps);
    const after = stated === undefined ? "" : latin1(bytes, dataAt + stated, dataAt + stated + 12);
    if (/^\s{0,2}endstream/.test(after)) continue;
    const endAt = findText(bytes, "endstream", dataAt, steps);
    const end = endAt < 0 ? bytes.length : endAt;
    const data = buffer.subarray(dataAt, bytes[end - 1] === 10 ? end - (bytes[end - 2] === 13 ? 2 : 1) : end);
    guessed.add(number);
    const length = { kind: "number", value: data.length } as const;
    const mended = sourceText({ kind: "dictionary", entries: new Map(dictionary).set("Length", length) });
    const head = `${number} ${generation} obj\n${mended}\nstream\n`;
    const copy = [Buffer.from(head, "latin1"), data, Buffer.from("\nendstream\nendobj\n")];
    places.set(number, { kind: "offset", at, generation });
    steps.takeNative(data.length);
    copies.push(...copy);
    at += copy.reduce((sum, part) => sum + part.length, 0);
  }
  return { copies, at, guessed };
};

/** A repaired file, and the numbers of its streams whose ends were guessed: bytes of them may be lost. */
export type RepairedPdf = { readonly bytes: Buffer; readonly guessed: ReadonlySet<number> };

/**
 * Repairs a file without signatures and without encryption: finds its objects by scanning, and appends
 * corrected streams and one whole cross-reference. The damaged bytes stay in front. Throws DamagedPdf where
 * no catalogue is found, InflatedTooLarge, and TooManySteps.
 */
export const repairPdf = (
  bytes: Uint8Array,
  { objectsMax, ...bounds }: Bounds & { readonly objectsMax: number },
): RepairedPdf => {
  const { steps } = bounds;
  const scan: Scan = { found: scanObjects(bytes, objectsMax, steps), trailers: scanTrailers(bytes, steps) };
  const root = findRoot(scan);
  if (root === undefined) throw new DamagedPdf("no catalogue was found");
  const places = collectPlaces(bytes, scan.found, bounds);
  const { copies, at, guessed } = mendStreams(bytes, scan.found, places, bytes.length + 1, steps);
  const info = referencesAt("Info", scan.trailers).at(-1);
  const trailer = new Map([["Root", root], ...(info === undefined ? [] : [["Info", info] as const])]);
  steps.take(bytes.length);
  let size = 1 + largestReference(bytes, objectsMax);
  for (const number of places.keys()) size = Math.max(size, number + 1);
  const section = wholeSection({ places, trailer, size }, at);
  return { bytes: Buffer.concat([bufferOf(bytes), Buffer.from("\n"), ...copies, ...section]), guessed };
};
