import { singleSidedTypes } from "#contract/document-type";
import { allInputs, asInput } from "#contract/input";
import { isDataPageFormat } from "./mrz/formats.ts";
import type { ReadSide } from "./read-side.ts";
import type { DocumentReading, ReadingHints, SideReading } from "./reading.ts";

export type DocumentImages = { readonly front: Uint8Array; readonly back?: Uint8Array };

/** Reads a document's images, both in parallel. Fails like reading a side, with the side as `input`. */
export type ReadDocument = (images: DocumentImages, hints: ReadingHints) => Promise<DocumentReading>;

export const makeReadDocument =
  (readSide: ReadSide): ReadDocument =>
  async (images, hints) => {
    const started = performance.now();
    const sides = await readSides(readSide, images, hints);
    return { ...putRight(sides), ms: Math.round(performance.now() - started) };
  };

type Sides = { readonly front: SideReading; readonly back?: SideReading };

/**
 * An MRZ is expected on a page's front and on a card's back. Passports and visas carry no two-dimensional
 * barcode.
 */
const readSides = async (
  readSide: ReadSide,
  { front, back }: DocumentImages,
  { type, attacks = false, upright = false }: ReadingHints,
): Promise<Sides> => {
  const isSingleSided = type !== undefined && singleSidedTypes.includes(type);
  const readOne = (side: "front" | "back", bytes: Uint8Array, isExpected: boolean): Promise<SideReading> => {
    const mrz = isExpected ? "expected" : "fallback";
    return asInput(side, () => readSide(bytes, { mrz, barcodes: !isSingleSided, attacks, upright }));
  };
  if (back === undefined) {
    return { front: await readOne("front", front, true) };
  }
  const seen = await allInputs([
    readOne("front", front, isSingleSided),
    readOne("back", back, !isSingleSided),
  ]);
  return { front: seen[0], back: seen[1] };
};

/**
 * Swaps the sides if needed. The portrait is on the front; an MRZ of three lines, or a barcode without a
 * portrait, is on the back.
 */
const putRight = ({ front, back }: Sides): Sides & { readonly swapped: boolean } => {
  if (back === undefined) {
    return { front, swapped: false };
  }
  const isPageBehind = isDataPage(back) && front.mrz === undefined;
  const isCardRotated =
    front.portrait === undefined && hasData(front) && back.portrait !== undefined && !hasData(back);
  return isPageBehind || isCardRotated
    ? { front: back, back: front, swapped: true }
    : { front, back, swapped: false };
};

const isDataPage = ({ mrz }: SideReading): boolean => mrz !== undefined && isDataPageFormat(mrz.format);

const hasData = ({ mrz, barcodes }: SideReading): boolean => mrz !== undefined || barcodes.length > 0;
