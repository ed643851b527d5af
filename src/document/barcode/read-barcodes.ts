import type { GreyImage, Image, Imaging, Quad } from "#imaging/image";
import { sideLengths } from "../locate/geometry.ts";
import { shrinkTo } from "../shrink.ts";
import { type Barcode, barcodeOf } from "./barcode.ts";
import { turnGrey } from "./turn-grey.ts";
import { allSymbologies, type ReadSymbols } from "./zxing.ts";

/**
 * Sizes of the rectified card over its size in the picture, until one is read: 195 of 198 symbols by two, 197 by three. A card
 * of more than `rectifiedAsIf` px counts as one of that size, where a module of 0.17 mm has 2 px: it needs no enlarging, and no third size.
 */
const rectifiedFactors = [2, 1.5, 1.75];
const rectifiedAsIf = 1000;
/** Share of the card kept around it: the quiet zone of a symbol at the edge. */
const rectifyMargin = 0.02;
/** The reader itself tries the quarter turns of each. */
const sweepDegrees = [0, 5, -5, 10, -10, 15, -15, 20, -20, 25, -25, 30, -30, 35, -35, 40, -40, 45];

/** Longest side in pixels to which a picture without a card is shrunk, and the angles to which it is turned. */
type Sweep = { readonly sideMax: number; readonly degrees: readonly number[] };

const sweeps: { readonly [seen in "printed" | "bare"]: Sweep } = {
  /** A card over half of the picture has 2 px a module of 0.17 mm. */
  printed: { sideMax: 2000, degrees: sweepDegrees },
  /** A symbol alone, without any print, is seen from nearby and lies straight. Most pictures like this show no document. */
  bare: { sideMax: 1200, degrees: sweepDegrees.slice(0, 3) },
};

/** What a search without a card may cost: no angle is begun once `clock` has gone on by `ms`. */
export type SweepBudget = { readonly ms: number; readonly clock: () => number };

/** Seven tenths of a second of this thread's processor (six to eight angles), whatever else the machine does: the same picture gets the same angles. */
export const defaultSweepBudget: SweepBudget = {
  ms: 700,
  clock: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Barcodes of one side. With a trusted quad the rectified card is read at 2× and, if nothing is confirmed, at two other sizes;
 * without one the picture is turned in steps of five degrees, because the reader loses PDF417 beyond three
 * (docs/measurements.md), until the budget is spent: what was not found by then counts as not there. Returns
 * confirmed symbols only; a valid but unconfirmed PDF417 is wrong in 9 %.
 */
export type ReadBarcodes = (image: Image, where: Whereabouts) => Promise<readonly Barcode[]>;

/** The corners of a located card; without them, whether any print was read on the picture. */
export type Whereabouts = { readonly quad: Quad } | { readonly isPrinted: boolean };

type Tools = Pick<Imaging, "rectifyGrey" | "resize" | "toGrey">;

export const makeReadBarcodes =
  (imaging: Tools, readSymbols: ReadSymbols, budget: SweepBudget): ReadBarcodes =>
  async (image, where) => {
    const seen = new Map<string, Barcode>();
    const views =
      "quad" in where
        ? rectifiedViews(imaging, image, where.quad)
        : turnedViews(imaging, image, sweeps[where.isPrinted ? "printed" : "bare"], budget);
    for await (const view of views) {
      await note(seen, readSymbols, view);
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

/**
 * Only PDF417 was seen to be valid and wrong: the other square symbols spend more on error detection. Code 39 has no check
 * digit, so stripes of a background could make one: it needs a known content and two reads.
 */
const isConfirmed = ({ symbology, layout, reads }: Barcode): boolean => {
  if (symbology === "Code39") {
    return layout !== undefined && reads >= 2;
  }
  return layout !== undefined || reads >= 2 || symbology !== "PDF417";
};

function* rectifiedViews(imaging: Tools, image: Image, quad: Quad): Generator<GreyImage> {
  const [top, right, bottom, left] = sideLengths(quad);
  const [across, down] = [(top + bottom) / 2, (right + left) / 2];
  const scale = Math.min(1, rectifiedAsIf / Math.max(across, down));
  for (const factor of scale < 1 ? rectifiedFactors.slice(0, 2) : rectifiedFactors) {
    const side = (length: number): number => Math.max(16, Math.round(factor * scale * length));
    yield imaging.rectifyGrey(image, quad, side(across), side(down), rectifyMargin);
  }
}

async function* turnedViews(
  imaging: Tools,
  image: Image,
  { sideMax, degrees }: Sweep,
  { ms, clock }: SweepBudget,
): AsyncGenerator<GreyImage> {
  const end = clock() + ms;
  const grey = imaging.toGrey(await shrinkTo(imaging, image, sideMax));
  for (const turn of degrees) {
    if (clock() >= end) {
      return;
    }
    yield turnGrey(grey, turn);
  }
}
