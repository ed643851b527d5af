import { latin1, readObjectHeader } from "./bytes.ts";
import { DamagedPdf, PdfError, UpdateCutOff } from "./damaged.ts";
import { findStart } from "./reader/open-view.ts";
import {
  type Place,
  readSections,
  type SectionLimits,
  type Sections,
  type Source,
  XrefTooLarge,
} from "./reader/read-sections.ts";
import { type Steps, tryRead } from "./steps.ts";

/** The cross-reference of a file to sign, checked. */
export type SoundSections = {
  readonly sections: Sections;
  /** Number of the catalogue. */
  readonly catalog: number;
  /** The next free object number: above `Size` and every entry. */
  readonly size: number;
};

/** Acrobat's limit of indirect objects (ISO 32000-1, table C.1), less room for ours. */
const objectNumberMax = 8_388_607 - 10_000;

/**
 * Reads the cross-reference, as the reader of the signed file does, and checks what a further revision rests
 * on. Throws DamagedPdf, XrefTooLarge, InflatedTooLarge or TooManySteps.
 */
export const readSoundSections = (source: Source & { readonly limits: SectionLimits }): SoundSections => {
  const { bytes, steps } = source;
  const mark = findStart(bytes, steps);
  if (mark === undefined) throw new DamagedPdf("startxref is missing");
  const { start, behind } = mark;
  // A revision that was cut off: an older startxref would hide its objects, and with them a signature.
  steps.take(bytes.length - behind);
  if (/\d\s+obj\b/.test(latin1(bytes, behind, bytes.length))) {
    const state = tryRead(steps, PdfError, () => readSections(source, start, 0));
    throw state === undefined
      ? new DamagedPdf("objects stand after startxref")
      : new UpdateCutOff("an update of the file was cut off");
  }
  const sections = readSections(source, start, 0);
  if (sections.isCut) throw new DamagedPdf("a stream of references ends early");
  const root = sections.trailer.get("Root");
  if (root?.kind !== "reference") throw new DamagedPdf("the trailer names no catalogue");
  checkOffsets(bytes, sections.places, root.number, steps);
  return { sections, catalog: root.number, size: sizeOf(sections) };
};

/**
 * A few wrong offsets are borne, as by every reader: less than one in fifty, and never that of the catalogue.
 */
const checkOffsets = (
  bytes: Uint8Array,
  places: ReadonlyMap<number, Place>,
  root: number,
  steps: Steps,
): void => {
  let [wrong, all] = [0, 0];
  for (const [number, place] of places) {
    if (place.kind !== "offset") continue;
    all++;
    if (readObjectHeader(bytes, place.at, steps)?.number === number) continue;
    if (number === root) throw new DamagedPdf("the offset of the catalogue is wrong");
    wrong++;
  }
  if (wrong > all * 0.02 + 3)
    throw new DamagedPdf(`${wrong} of ${all} offsets of the cross-reference are wrong`);
};

const sizeOf = ({ trailer, places }: Sections): number => {
  const stated = trailer.get("Size");
  let size = stated?.kind === "number" && Number.isSafeInteger(stated.value) ? Math.max(0, stated.value) : 0;
  for (const number of places.keys()) if (number >= size) size = number + 1;
  if (size > objectNumberMax) throw new XrefTooLarge({ objects: size, objectsMax: objectNumberMax });
  return size;
};
