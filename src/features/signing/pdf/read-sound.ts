import { bufferOf } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { makeInflateBudget } from "./inflate.ts";
import type { SoundFile } from "./open-model.ts";
import type { Place } from "./reader/read-sections.ts";
import { type RepairedPdf, repairPdf } from "./repair.ts";
import type { Repair } from "./repairs.ts";
import { readSoundSections } from "./sound-sections.ts";
import { type Steps, tryRead } from "./steps.ts";
import type { PdfLimits } from "./types.ts";
import { wholeSection } from "./whole-section.ts";

/** What reading a file may cost. */
export type Bounds = { readonly limits: PdfLimits; readonly steps: Steps };

const readSound = (bytes: Uint8Array, { limits, steps }: Bounds, repaired: boolean): SoundFile => {
  const source = { bytes, limits, steps, budget: makeInflateBudget(limits.inflatedBytesMax) };
  return { ...source, ...readSoundSections(source), repaired };
};

/** Entries of a trailer that a section for the whole file keeps. */
const keptEntries = new Set(["Root", "Info", "ID", "Encrypt"]);

/**
 * The file from its header on, with one section in place of those that count from the first byte before it.
 */
const moveToHeader = (sent: Uint8Array, headerAt: number, bounds: Bounds): Buffer => {
  const { sections, size } = readSound(sent, bounds, false);
  const moved = ([number, place]: readonly [number, Place]): readonly [number, Place] =>
    place.kind === "offset" ? [number, { ...place, at: place.at - headerAt }] : [number, place];
  const places = new Map([...sections.places].map(moved));
  const trailer = new Map([...sections.trailer].filter(([key]) => keptEntries.has(key)));
  const file = bufferOf(sent.subarray(headerAt));
  const start = file.length + 1;
  return Buffer.concat([file, Buffer.from("\n"), ...wholeSection({ places, trailer, size }, start)]);
};

/**
 * Reads the cross-reference as the file states it. Offsets count from the header; some writers count from the
 * first byte. Bytes before the header of an unsigned file are cut off: nothing is guessed. Throws DamagedPdf.
 */
export const readAsStated = (
  sent: Uint8Array,
  { headerAt, isSigned }: { readonly headerAt: number; readonly isSigned: () => boolean },
  bounds: Bounds,
): SoundFile => {
  if (headerAt === 0 || isSigned()) return readSound(sent, bounds, false);
  try {
    return readSound(sent.subarray(headerAt), bounds, true);
  } catch (error) {
    if (!(error instanceof DamagedPdf)) throw error;
    const moved = tryRead(bounds.steps, DamagedPdf, () => moveToHeader(sent, headerAt, bounds));
    if (moved === undefined) throw error;
    return readSound(moved, bounds, true);
  }
};

/** Reads a file anew from its objects, wherever its cross-reference leads. Throws DamagedPdf. */
export const readRebuilt = (
  bytes: Uint8Array,
  { limits, steps }: Bounds,
): { readonly file: SoundFile; readonly guessed: RepairedPdf["guessed"] } => {
  const budget = makeInflateBudget(limits.inflatedBytesMax);
  const repaired = repairPdf(bytes, { budget, steps, objectsMax: limits.objectsMax });
  return { file: readSound(repaired.bytes, { limits, steps }, true), guessed: repaired.guessed };
};

/** A file without its end mark was cut off, however whole it looks. */
export const findCutEnd = (bytes: Uint8Array, steps: Steps): readonly Repair[] => {
  const file = bufferOf(bytes);
  const start = file.lastIndexOf("startxref");
  steps.takeNative(bytes.length - Math.max(0, start));
  return file.includes("%%EOF", Math.max(0, start))
    ? []
    : [{ cause: "end_mark", what: "the end mark is missing" }];
};
