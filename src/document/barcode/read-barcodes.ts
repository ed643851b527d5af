import type { GreyImage, Image, Imaging, Point, Quad } from "#imaging/image";
import { sideLengths } from "../locate/geometry.ts";
import { type PayloadLayout, recognisePayload } from "./content-gate.ts";
import { payloadText } from "./payload-text.ts";
import { allSymbologies, type ReadSymbol, type ReadSymbols, type Symbology } from "./zxing.ts";

/** A symbol that is believed: its content has a known structure, or two pictures of it gave the same bytes. */
export type Barcode = {
  readonly symbology: Symbology;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Absent when the bytes follow no layout known here. */
  readonly layout?: PayloadLayout;
  /** How many differently sampled pictures gave these very bytes. */
  readonly reads: number;
};

/** Longest side of a rectified picture, in pixels: a card at 2 × 1500 px, 36 MB as RGBA. */
const rectifiedSideMax = 3000;
/** Share of the card kept around it: the quiet zone of a symbol at the edge. */
const rectifyMargin = 0.02;
const sweepDegrees = [0, 5, -5, 10, -10, 15, -15, 20, -20, 25, -25, 30, -30, 35, -35, 40, -40, 45];

/**
 * Barcodes of one side. With a trusted quad the rectified card is read at 2× and, if nothing is confirmed, at 1.5×;
 * without one the picture is turned in steps of five degrees, because the reader loses PDF417 beyond three
 * (docs/measurements.md). Returns confirmed symbols only; a valid but unconfirmed PDF417 is wrong in 9 %.
 */
export type ReadBarcodes = (image: Image, quad: Quad | undefined) => Promise<readonly Barcode[]>;

export const makeReadBarcodes =
  (imaging: Pick<Imaging, "rectify" | "toGrey">, readSymbols: ReadSymbols): ReadBarcodes =>
  async (image, quad) => {
    const seen = new Map<string, Barcode>();
    for (const view of quad === undefined ? turnedViews(image) : rectifiedViews(quad)) {
      const picture = imaging.toGrey(imaging.rectify(image, view.quad, view.width, view.height, view.margin));
      await note(seen, readSymbols, picture);
      const confirmed = [...seen.values()].filter(isConfirmed);
      if (confirmed.length > 0) {
        return confirmed;
      }
    }
    return [];
  };

const note = async (
  seen: Map<string, Barcode>,
  readSymbols: ReadSymbols,
  picture: GreyImage,
): Promise<void> => {
  for (const symbol of await readSymbols(picture, allSymbologies)) {
    const key = `${symbol.symbology} ${Buffer.from(symbol.bytes).toString("base64")}`;
    const known = seen.get(key);
    seen.set(key, known === undefined ? barcodeOf(symbol) : { ...known, reads: known.reads + 1 });
  }
};

const barcodeOf = ({ symbology, bytes }: ReadSymbol): Barcode => {
  const layout = recognisePayload(bytes);
  return {
    symbology,
    bytes,
    text: payloadText(bytes),
    reads: 1,
    ...(layout === undefined ? {} : { layout }),
  };
};

/** Only PDF417 was seen to be valid and wrong: the others spend more on error detection. */
const isConfirmed = (barcode: Barcode): boolean =>
  barcode.layout !== undefined || barcode.reads >= 2 || barcode.symbology !== "PDF417";

type View = {
  readonly quad: Quad;
  readonly width: number;
  readonly height: number;
  readonly margin: number;
};

const rectifiedViews = (quad: Quad): readonly View[] =>
  [2, 1.5].map((factor) => {
    const [top, right, bottom, left] = sideLengths(quad);
    const side = (length: number): number =>
      Math.max(16, Math.min(rectifiedSideMax, Math.round(factor * length)));
    return { quad, width: side((top + bottom) / 2), height: side((right + left) / 2), margin: rectifyMargin };
  });

const turnedViews = ({ width, height }: Image): readonly View[] =>
  sweepDegrees.map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const across = Math.abs(Math.cos(angle));
    const down = Math.abs(Math.sin(angle));
    const w = Math.round(width * across + height * down);
    const h = Math.round(width * down + height * across);
    const corner = (x: number, y: number): Point => [
      width / 2 + x * Math.cos(angle) - y * Math.sin(angle),
      height / 2 + x * Math.sin(angle) + y * Math.cos(angle),
    ];
    const quad: Quad = [
      corner(-w / 2, -h / 2),
      corner(w / 2, -h / 2),
      corner(w / 2, h / 2),
      corner(-w / 2, h / 2),
    ];
    return { quad, width: w, height: h, margin: 0 };
  });
