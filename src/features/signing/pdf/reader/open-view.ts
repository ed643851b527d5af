import { bufferOf, findText, isWhiteSpace } from "../bytes.ts";
import { DamagedPdf, PdfError } from "../damaged.ts";
import { type InflateBudget, makeInflateBudget } from "../inflate.ts";
import { makeSteps, type Steps, stepsFor } from "../steps.ts";
import { makeContainers } from "./containers.ts";
import { openEncryption, type Seal } from "./encryption.ts";
import { type Cursor, parseValue, skipSpace, tryCount } from "./parse-value.ts";
import { countOf, type Entries, type PdfValue, pdfNull } from "./pdf-value.ts";
import { type Flaw, type ReadObject, readObjectAt } from "./read-object.ts";
import { type Place, readSections, type Sections, type Source } from "./read-sections.ts";

/**
 * A file as a reader sees it when it holds these bytes and no more. Made by {@link openView} and {@link
 * makeView}.
 */
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
   * The decrypted value of an object; null for one that does not exist (ISO 32000-2, 7.3.10). Throws
   * DamagedPdf for a damaged one.
   */
  readonly load: (number: number) => PdfValue;
  /** The value behind a reference, or the value itself. */
  readonly resolve: (value: PdfValue | undefined) => PdfValue;
  /** Whether an object stands by itself, and not in an object stream. */
  readonly isPlain: (number: number) => boolean;
  /** Objects that were asked for and do not stand where their entries lead. They are null. */
  readonly misplaced: ReadonlySet<number>;
  /** What was guessed of the objects that were asked for, by their numbers. */
  readonly flaws: ReadonlyMap<number, Flaw>;
  /** Encrypts what an update of the file writes; undefined in a file without encryption. */
  readonly seal: Seal | undefined;
  /** What may still be inflated for this view. */
  readonly budget: InflateBudget;
  /** Counts the steps of reading this view, and those of the others of its file. */
  readonly steps: Steps;
};

/**
 * All streams that are decoded for one view are not larger together. The structure of a file of 50 MB has
 * some 20 MB.
 */
const inflatedBytesMax = 128 * 1024 * 1024;

/**
 * Steps of one verification. A file with 42 signatures takes some 20 million:
 * `node lab/scripts/count-steps.ts`.
 */
export const verifyStepsMax = 150_000_000;

/** The header stands within these bytes (ISO 32000-1, Annex H.3, note 13). */
export const headerBytesMax = 1024;

/** A reference to a reference is followed this often. */
export const hopsMax = 10;

/**
 * Opens the bytes as a file of their own. Throws PdfError for a damaged one: nothing is repaired. Throws
 * TooManySteps, as all that is read of the view.
 */
export const openView = (
  bytes: Uint8Array,
  steps: Steps = makeSteps(stepsFor(bytes.length, verifyStepsMax)),
): View => {
  const shift = bufferOf(bytes.subarray(0, headerBytesMax)).indexOf("%PDF-");
  if (shift < 0) throw new DamagedPdf("the file has no header of a PDF");
  const mark = findStart(bytes, steps);
  if (mark === undefined) throw new DamagedPdf("the file has no end mark");
  const strayBytes = countStray(bytes, mark.behind, steps);
  const source = { bytes, budget: makeInflateBudget(inflatedBytesMax), steps };
  return makeView(source, readFromEither(source, mark.start, shift), { strayBytes });
};

/** The offset that the last end mark names, and the index behind it; undefined without one. */
export const findStart = (
  bytes: Uint8Array,
  steps: Steps,
): { readonly start: number; readonly behind: number } | undefined => {
  const mark = bufferOf(bytes).lastIndexOf("startxref");
  steps.takeNative(bytes.length - mark);
  const cursor: Cursor = { bytes, steps, at: mark + "startxref".length };
  skipSpace(cursor);
  const start = mark < 0 ? undefined : tryCount(cursor);
  return start === undefined ? undefined : { start, behind: cursor.at };
};

const countStray = (bytes: Uint8Array, from: number, steps: Steps): number => {
  const end = findText(bytes, "%%EOF", from, steps);
  if (end < 0) throw new DamagedPdf("the file has no end mark");
  const tail = bytes.subarray(end + 5);
  steps.take(tail.length);
  return tail.every(isWhiteSpace) ? 0 : tail.length;
};

/** Offsets count from the header; some writers count from the first byte. */
const readFromEither = (source: Source, start: number, shift: number): Sections => {
  if (shift === 0) return readSections(source, start, 0);
  try {
    return readSections(source, start + shift, shift);
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return readSections(source, start, 0);
  }
};

/**
 * The view of a file whose sections were read. Throws NeedsPassword where neither the password nor the empty
 * one opens it.
 */
export const makeView = (
  source: Source,
  { places, ...sections }: Sections,
  options: { readonly strayBytes: number; readonly password?: string },
): View => {
  const { bytes, budget, steps } = source;
  const { trailer, starts, named } = sections;
  const { load, misplaced, flaws, seal } = makeLoad(source, places, trailer, options.password ?? "");
  const resolve: View["resolve"] = (value) => {
    let found = value ?? pdfNull;
    for (let hop = 0; found.kind === "reference"; hop++) {
      if (hop === hopsMax) throw new DamagedPdf("references lead in a circle");
      found = load(found.number);
    }
    return found;
  };
  const isPlain: View["isPlain"] = (number) => places.get(number)?.kind === "offset";
  const { strayBytes } = options;
  const where = { trailer, starts, strayBytes, named, isPlain, misplaced, flaws };
  return { bytes, ...where, load, resolve, seal, budget, steps };
};

/** Reads an object as it is written. The length of its stream may stand in another object. */
const makeReadAt = ({ bytes, steps }: Source, places: ReadonlyMap<number, Place>) => {
  const lengthOf = (number: number): number | undefined => {
    const place = places.get(number);
    return place?.kind === "offset" ? countOf(readObjectAt(bytes, place.at, steps).value) : undefined;
  };
  return (at: number): ReadObject => readObjectAt(bytes, at, steps, lengthOf);
};

const makeLoad = (
  source: Source,
  places: ReadonlyMap<number, Place>,
  trailer: Entries,
  password: string,
): Pick<View, "load" | "misplaced" | "flaws" | "seal"> => {
  const { steps } = source;
  const loaded = new Map<number, PdfValue>();
  const misplaced = new Set<number>();
  const flaws = new Map<number, Flaw>();
  const readAt = makeReadAt(source, places);
  const readWritten = (number: number): PdfValue => {
    const place = places.get(number);
    return place?.kind === "offset" ? readAt(place.at).value : pdfNull;
  };
  const encryption = openEncryption(trailer, readWritten, { ...source, password });
  /**
   * Readers differ about an entry that leads to another object. None may show that object under this number.
   */
  const misplace = (number: number): PdfValue => {
    misplaced.add(number);
    return pdfNull;
  };
  const loadPlain = (number: number, at: number): PdfValue => {
    const object = readAt(at);
    if (object.number !== number) return misplace(number);
    if (object.flaw !== undefined) flaws.set(number, object.flaw);
    return encryption === undefined ? object.value : encryption.decrypt(object.value, object);
  };
  const loadContainer = (number: number): PdfValue => {
    const place = places.get(number);
    if (place?.kind !== "offset") throw new DamagedPdf(`object stream ${number} is missing`);
    return loadPlain(number, place.at);
  };
  const findInside = makeContainers(source, loadContainer, (number) => flaws.set(number, "stream_length"));
  const loadInside = (number: number, container: number, index: number): PdfValue => {
    const { data, found } = findInside(container, index);
    return found?.number === number ? parseValue({ bytes: data, steps, at: found.at }) : misplace(number);
  };
  const load: View["load"] = (number) => {
    steps.take(1);
    const known = loaded.get(number);
    if (known !== undefined) return known;
    const place = places.get(number);
    let value: PdfValue = pdfNull;
    if (place?.kind === "offset") value = loadPlain(number, place.at);
    if (place?.kind === "inside") value = loadInside(number, place.container, place.index);
    loaded.set(number, value);
    return value;
  };
  return { load, misplaced, flaws, seal: encryption?.seal };
};

/**
 * The dictionary behind a value; empty for anything else. Throws DamagedPdf for a stream: some readers take
 * its entries.
 */
export const dictionaryOf = (view: View, value: PdfValue | undefined): Entries => {
  const found = view.resolve(value);
  if (found.kind === "stream") throw new DamagedPdf("a stream stands in the place of a dictionary");
  if (found.kind !== "dictionary") return new Map();
  view.steps.take(found.entries.size);
  return found.entries;
};

/** The elements of the array behind a value, at most this many. Throws DamagedPdf for more. */
export const itemsOf = (view: View, value: PdfValue | undefined, countMax = 100_000): readonly PdfValue[] => {
  const found = view.resolve(value);
  if (found.kind !== "array") return [];
  if (found.items.length > countMax) throw new DamagedPdf("an array has too many elements");
  // Objects may share one array: who asks for its elements looks at each.
  view.steps.take(found.items.length);
  return found.items;
};
