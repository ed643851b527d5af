import { bufferOf, latin1, readObjectHeader, skipWhiteSpace } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import type { InflateBudget } from "./inflate.ts";
import type { Steps } from "./steps.ts";
import { naturalNumber, readTokens, referenceNumber } from "./tokens.ts";
import type { Xref, XrefEntry } from "./xref.ts";
import { readXrefStream } from "./xref-stream.ts";
import { readXrefTable } from "./xref-table.ts";

/** Longest trailer dictionary. Real ones have less than 1 KB. */
const trailerBytesMax = 1 << 16;

export class XrefTooLarge extends Error {
  override readonly name = "XrefTooLarge";
  readonly facts: Readonly<Record<string, number>>;

  constructor(facts: Readonly<Record<string, number>>) {
    super("the cross-reference has more entries or sections than allowed");
    this.facts = facts;
  }
}

type Bounds = {
  readonly budget: InflateBudget;
  readonly steps: Steps;
  readonly objectsMax: number;
  readonly sectionsMax: number;
};

/** An entry is read, stored, checked, written again, and read by the parser: some 2 µs. */
const entrySteps = 100;

type Section = { readonly trailer: ReadonlyMap<string, string>; readonly isStream: boolean };

const findStart = (bytes: Uint8Array, steps: Steps): number => {
  steps.takeNative(bytes.length);
  const at = bufferOf(bytes).lastIndexOf("startxref");
  const match = /^startxref\s+(\d{1,15})/.exec(latin1(bytes, at, at + 60));
  if (at < 0 || match === null) throw new DamagedPdf("startxref is missing");
  // A revision that was cut off: an older startxref would hide its objects, and with them a signature.
  steps.take(bytes.length - at);
  if (/\d\s+obj\b/.test(latin1(bytes, at, bytes.length)))
    throw new DamagedPdf("objects stand after startxref");
  return Number(match[1]);
};

/** Entries of newer sections come first and stay. Within one hybrid section: the table, its stream, then free entries. */
const makeSectionReader = (bytes: Uint8Array, bounds: Bounds, entries: Map<number, XrefEntry>) => {
  let count = 0;
  let isHybrid = false;
  const { budget, steps } = bounds;
  const take = (more: number): void => {
    count += more;
    steps.take(entrySteps * more);
    if (count > bounds.objectsMax) throw new XrefTooLarge({ objects: count, objectsMax: bounds.objectsMax });
  };
  const put = (list: readonly (readonly [number, XrefEntry])[]): void => {
    for (const [number, entry] of list) if (!entries.has(number)) entries.set(number, entry);
  };
  const read = (at: number): Section => {
    const start = skipWhiteSpace(bytes, at, steps);
    if (latin1(bytes, start, start + 4) !== "xref") {
      const section = readXrefStream(bytes, at, budget, take, steps);
      put(section.entries);
      return { trailer: section.trailer, isStream: true };
    }
    const table = readXrefTable(bytes, start + 4, take, steps);
    if (latin1(bytes, table.trailerAt, table.trailerAt + 7) !== "trailer")
      throw new DamagedPdf("a cross-reference table has no trailer");
    const trailer = readTokens(bytes, table.trailerAt + 7, trailerBytesMax, steps).dictionary();
    put(table.inUse);
    const hybrid = naturalNumber(trailer.get("XRefStm"));
    if (hybrid !== undefined && hybrid < bytes.length) {
      isHybrid = true;
      put(
        readXrefStream(bytes, hybrid, budget, take, steps).entries.filter(
          ([, entry]) => entry.kind !== "free",
        ),
      );
    }
    put(table.free);
    return { trailer, isStream: false };
  };
  return { read, isHybrid: () => isHybrid };
};

/** A few wrong offsets are borne, as by every reader: less than one in fifty, and never that of the catalogue. */
const checkOffsets = (
  bytes: Uint8Array,
  entries: ReadonlyMap<number, XrefEntry>,
  root: number,
  steps: Steps,
): void => {
  let wrong = 0;
  let all = 0;
  for (const [number, entry] of entries) {
    if (entry.kind !== "plain") continue;
    all++;
    if (readObjectHeader(bytes, entry.offset, steps)?.number === number) continue;
    if (number === root) throw new DamagedPdf("the offset of the catalogue is wrong");
    wrong++;
  }
  if (wrong > all * 0.02 + 3)
    throw new DamagedPdf(`${wrong} of ${all} offsets of the cross-reference are wrong`);
};

/**
 * Reads the whole cross-reference: tables, streams and hybrids, newest section first (ISO 32000-2, 7.5.4 to 7.5.8).
 * Throws DamagedPdf, XrefTooLarge, InflatedTooLarge or TooManySteps.
 */
export const readXref = (bytes: Uint8Array, bounds: Bounds): Xref => {
  const startxref = findStart(bytes, bounds.steps);
  const entries = new Map<number, XrefEntry>();
  const sections = makeSectionReader(bytes, bounds, entries);
  const seen = new Set<number>();
  let newest: Section | undefined;
  for (let at: number | undefined = startxref; at !== undefined; ) {
    if (seen.has(at)) throw new DamagedPdf("the cross-reference has a loop");
    if (at >= bytes.length) throw new DamagedPdf("a section of the cross-reference lies beyond the end");
    seen.add(at);
    if (seen.size > bounds.sectionsMax)
      throw new XrefTooLarge({ sections: seen.size, sectionsMax: bounds.sectionsMax });
    const section: Section = sections.read(at);
    newest ??= section;
    at = naturalNumber(section.trailer.get("Prev"));
  }
  const root = referenceNumber(newest?.trailer.get("Root"));
  if (newest === undefined || root === undefined) throw new DamagedPdf("the trailer names no catalogue");
  checkOffsets(bytes, entries, root, bounds.steps);
  let size = naturalNumber(newest.trailer.get("Size")) ?? 0;
  for (const number of entries.keys()) if (number >= size) size = number + 1;
  if (size > objectNumberMax) throw new XrefTooLarge({ objects: size, objectsMax: objectNumberMax });
  return {
    entries,
    // An entry with the value null is absent (ISO 32000-2, 7.3.7).
    trailer: new Map([...newest.trailer].filter(([, value]) => value !== "null")),
    isStream: newest.isStream,
    startxref,
    size,
    sections: seen.size,
    isHybrid: sections.isHybrid(),
  };
};

/** Acrobat's limit of indirect objects (ISO 32000-1, table C.1), less room for ours. */
const objectNumberMax = 8_388_607 - 10_000;
