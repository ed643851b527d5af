/** Guidance for an image of a document: from the measurements of its reading. Pure. */
import type { DocumentSide } from "#contract/capture";
import type { GuidanceCode } from "#contract/guidance";
import type { SideReading } from "#judging/document/reading/reading";

/**
 * Bounds of an image that is accepted. It is read again where the document is decided: here the person is
 * still present and can take a better one.
 */
export type DocumentImagePolicy = {
  readonly version: string;
  /** Interface, Limits: HD, at least 720 px on the shorter side. */
  readonly shortSidePxMin: number;
  readonly sharpnessMin: number;
  readonly overexposedShareMax: number;
  readonly brightnessMin: number;
  /** A corner of a located card farther outside, as a share of the frame's shorter side, is cut off. */
  readonly outsideShareMax: number;
  /** From this score on an outline is trusted (reading/locate/located-card.ts: 102 of 102 frames). */
  readonly cardScoreMin: number;
  /**
   * A trusted card under this share of the frame's longer side is too far away: 60 % of 1,280 px leave 768
   * px, 228 dpi of a card.
   */
  readonly cardShareMin: number;
};

/**
 * The values of the policy that decides documents, so that what is accepted here is not refused there for its
 * image.
 */
export const defaultDocumentImagePolicy: DocumentImagePolicy = {
  version: "capture-document-1",
  shortSidePxMin: 720,
  sharpnessMin: 0.15,
  overexposedShareMax: 0.4,
  brightnessMin: 40,
  outsideShareMax: 0.02,
  cardScoreMin: 1,
  cardShareMin: 0.4,
};

type Seen = Pick<SideReading, "quality" | "card" | "mrz" | "barcodes" | "faces" | "lines">;

/** What the person should do next; empty for an image that is good enough. One code, the first that helps. */
export const judgeDocumentImage = (
  seen: Seen,
  side: DocumentSide,
  policy: DocumentImagePolicy,
): readonly GuidanceCode[] => {
  const { quality, card } = seen;
  const isRead = seen.mrz?.accepted === true || seen.barcodes.length > 0;
  if (!isRead) {
    if (quality.brightness < policy.brightnessMin) return ["too_dark"];
    if (quality.overexposedShare > policy.overexposedShareMax) return ["glare"];
    if (quality.sharpness < policy.sharpnessMin) return ["blur"];
  }
  if (!showsDocument(seen)) return ["no_document"];
  if (isOfOtherSide(seen, side)) return [side === "front" ? "wrong_side" : "turn_over"];
  if (card !== undefined && card.score >= policy.cardScoreMin) {
    if (card.outsideShare > policy.outsideShareMax) return ["fit_frame"];
    const longSide = Math.max(quality.width, quality.height);
    if (!isRead && card.longSidePx < policy.cardShareMin * longSide) return ["closer"];
  }
  return Math.min(quality.width, quality.height) < policy.shortSidePxMin ? ["closer"] : [];
};

const linesMin = 3;

/** An outline, a face, an MRZ, a barcode or some printed lines. */
const showsDocument = ({ card, faces, mrz, barcodes, lines }: Seen): boolean =>
  card !== undefined || faces > 0 || mrz !== undefined || barcodes.length > 0 || lines.length >= linesMin;

/**
 * An MRZ of three lines without a portrait is a back, and so is a barcode alone (ICAO Doc 9303-5, 4.1 and
 * 4.2). A portrait without either is a front.
 */
const isOfOtherSide = ({ mrz, barcodes, faces }: Seen, side: DocumentSide): boolean => {
  const showsBack = faces === 0 && (mrz?.format === "TD1" || barcodes.length > 0);
  const showsFront = faces > 0 && mrz === undefined && barcodes.length === 0;
  return side === "front" ? showsBack : showsFront;
};
