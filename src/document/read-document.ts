import { singleSidedTypes } from "#contract/document-type";
import { asInput } from "#contract/input";
import type { Imaging } from "#imaging/image";
import { defaultSweepBudget, makeReadBarcodes } from "./barcode/read-barcodes.ts";
import type { ReadSymbols } from "./barcode/zxing.ts";
import type { FindQuad } from "./locate/find-quad.ts";
import type { ReadMrz } from "./mrz/read-mrz.ts";
import type { FindFaces } from "./portrait.ts";
import { readSide, type SideEyes } from "./read-side.ts";
import type { DocumentReading, ReadingHints, SideReading } from "./reading.ts";
import type { TextReader } from "./text/read-text.ts";
import type { TextLine } from "./text/text-line.ts";

export type DocumentPictures = { readonly front: Uint8Array; readonly back?: Uint8Array };

/**
 * Reads a document's pictures: quality, card, turn, zone, barcodes, printed lines, portrait. Pure measuring: nothing is judged,
 * and what was not found is absent. Fails as opening a picture does: image_unreadable | image_unsupported |
 * image_too_large. The result is structured-cloneable.
 */
export type ReadDocument = (pictures: DocumentPictures, hints: ReadingHints) => Promise<DocumentReading>;

export type ReadDocumentDeps = {
  readonly imaging: Imaging;
  readonly findQuad: FindQuad;
  readonly readMrz: ReadMrz;
  readonly findFaces: FindFaces;
  readonly readSymbols: ReadSymbols;
  readonly text: TextReader;
};

const eyesOf = ({ readSymbols, ...deps }: ReadDocumentDeps): SideEyes => ({
  ...deps,
  readBarcodes: makeReadBarcodes(deps.imaging, readSymbols, defaultSweepBudget),
});

/** The printed lines of one picture alone, located and brought upright as in a reading. Fails as opening a picture does. */
export const makeReadPrinted = (deps: ReadDocumentDeps) => {
  const eyes = eyesOf(deps);
  return async (bytes: Uint8Array): Promise<readonly TextLine[]> =>
    (
      await readSide(eyes, bytes, {
        zone: false,
        barcodes: false,
        text: true,
        attacks: false,
        upright: false,
      })
    ).lines;
};

export const makeReadDocument = (deps: ReadDocumentDeps): ReadDocument => {
  const eyes = eyesOf(deps);
  return async (pictures, hints) => {
    const started = performance.now();
    const sides = await readSides(eyes, pictures, hints);
    return { ...putRight(sides), ms: Math.round(performance.now() - started) };
  };
};

type Sides = { readonly front: SideReading; readonly back?: SideReading };

/**
 * The side that should carry the zone is read first: a picture without one costs all passes of the reader, so the
 * other side is searched only when no zone was accepted. Passports and visas carry no two-dimensional symbol.
 */
const readSides = async (
  eyes: SideEyes,
  { front, back }: DocumentPictures,
  { type, attacks = false, upright = false }: ReadingHints,
): Promise<Sides> => {
  const isSingleSided = type !== undefined && singleSidedTypes.includes(type);
  const barcodes = !isSingleSided;
  const readFront = (zone: boolean) =>
    asInput("front", () => readSide(eyes, front, { zone, barcodes, attacks, upright, text: true }));
  if (back === undefined) {
    return { front: await readFront(true) };
  }
  const readBack = (zone: boolean) =>
    asInput("back", () => readSide(eyes, back, { zone, barcodes, attacks, upright, text: true }));
  const [readFirst, readSecond] = isSingleSided ? [readFront, readBack] : [readBack, readFront];
  const first = await readFirst(true);
  const second = await readSecond(first.mrz?.accepted !== true);
  return isSingleSided ? { front: first, back: second } : { front: second, back: first };
};

/** The portrait stands on the front; a zone of three lines or a symbol without one, on the back. */
const putRight = ({ front, back }: Sides): Sides & { readonly swapped: boolean } => {
  if (back === undefined) {
    return { front, swapped: false };
  }
  const isPageBehind = isDataPage(back) && front.mrz === undefined;
  const isCardTurned =
    front.portrait === undefined && hasData(front) && back.portrait !== undefined && !hasData(back);
  return isPageBehind || isCardTurned
    ? { front: back, back: front, swapped: true }
    : { front, back, swapped: false };
};

const isDataPage = ({ mrz }: SideReading): boolean =>
  mrz !== undefined && ["TD3", "MRV-A", "MRV-B"].includes(mrz.format);

const hasData = ({ mrz, barcodes }: SideReading): boolean => mrz !== undefined || barcodes.length > 0;
