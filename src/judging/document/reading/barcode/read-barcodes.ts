import type { GreyImage, Image, Imaging, Quad } from "#machine/imaging/image";
import { sideLengths } from "../locate/geometry.ts";
import { shrinkTo } from "../shrink.ts";
import { type Barcode, barcodeOf } from "./barcode.ts";
import { rotateGrey } from "./rotate-grey.ts";
import { allSymbologies, type DecodeBarcodes } from "./zxing.ts";

/**
 * Sizes of the rectified card over its size in the image, until a barcode is read: 195 of 198 barcodes after
 * two sizes, 197 after three. A card larger than `rectifiedAsIf` px counts as a card of that size. There a
 * module of 0.17 mm has 2 px, so it needs no enlargement and no third size.
 */
const rectifiedFactors = [2, 1.5, 1.75];
const rectifiedAsIf = 1000;
/** Margin around the card as a share of the card: the quiet zone of a barcode at the edge. */
const rectifyMargin = 0.02;
/** The reader itself tries the quarter rotations of each angle. */
const sweepDegrees = [0, 5, -5, 10, -10, 15, -15, 20, -20, 25, -25, 30, -30, 35, -35, 40, -40, 45];

/** Longest side in pixels of an image without a located card, and the rotation angles to try. */
type Sweep = { readonly sideMax: number; readonly degrees: readonly number[] };

const sweeps: { readonly [seen in "printed" | "bare"]: Sweep } = {
  /** A card over half of the image has 2 px per module of 0.17 mm. */
  printed: { sideMax: 2000, degrees: sweepDegrees },
  /**
   * A barcode without any text around it is photographed close up and straight. Most images like this show no
   * document.
   */
  bare: { sideMax: 1200, degrees: sweepDegrees.slice(0, 3) },
};

/** Cost limit of a search without a card: no angle begins after `clock` has advanced by `ms`. */
export type SweepBudget = { readonly ms: number; readonly clock: () => number };

/**
 * 0.7 s of this thread's CPU time (six to eight angles), whatever else the machine does: the same image gets
 * the same angles.
 */
export const defaultSweepBudget: SweepBudget = {
  ms: 700,
  clock: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};

/**
 * Reads the barcodes of one side. With a trusted quadrilateral it reads the rectified card at 2×, then at two
 * other sizes if no barcode is confirmed. Without a card it rotates the image in steps of five degrees,
 * because the reader loses PDF417 beyond three (docs/measurements/documents.md). It stops when the budget is
 * spent; a barcode not found by then counts as absent. Returns confirmed barcodes only: of valid but
 * unconfirmed PDF417, 9 % are wrong.
 */
export type ReadBarcodes = (image: Image, where: RegionOfInterest) => Promise<readonly Barcode[]>;

/** The corners of a located card; without a card, whether any text was read on the image. */
export type RegionOfInterest = { readonly quad: Quad } | { readonly isPrinted: boolean };

type Tools = Pick<Imaging, "rectifyGrey" | "resize" | "toGrey">;

export const makeReadBarcodes =
  (imaging: Tools, decodeBarcodes: DecodeBarcodes, budget: SweepBudget): ReadBarcodes =>
  async (image, where) => {
    const seen = new Map<string, Barcode>();
    const views =
      "quad" in where
        ? rectifiedViews(imaging, image, where.quad)
        : rotatedViews(imaging, image, sweeps[where.isPrinted ? "printed" : "bare"], budget);
    for await (const view of views) {
      await note(seen, decodeBarcodes, view);
      const confirmed = [...seen.values()].filter(isConfirmed);
      if (confirmed.length > 0) {
        return confirmed;
      }
    }
    return [];
  };

const note = async (
  seen: Map<string, Barcode>,
  decodeBarcodes: DecodeBarcodes,
  image: GreyImage,
): Promise<void> => {
  for (const barcode of await decodeBarcodes(image, allSymbologies)) {
    const key = `${barcode.symbology} ${Buffer.from(barcode.bytes).toString("base64")}`;
    const known = seen.get(key);
    seen.set(key, known === undefined ? barcodeOf(barcode) : { ...known, reads: known.reads + 1 });
  }
};

/**
 * Whether a barcode is confirmed. Only PDF417 was valid and wrong in tests; the other square codes use more
 * error detection. Code 39 has no check digit, so stripes in a background could form one: it needs a known
 * content and two reads.
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

async function* rotatedViews(
  imaging: Tools,
  image: Image,
  { sideMax, degrees }: Sweep,
  { ms, clock }: SweepBudget,
): AsyncGenerator<GreyImage> {
  const end = clock() + ms;
  const grey = imaging.toGrey(await shrinkTo(imaging, image, sideMax));
  for (const rotation of degrees) {
    if (clock() >= end) {
      return;
    }
    yield rotateGrey(grey, rotation);
  }
}
