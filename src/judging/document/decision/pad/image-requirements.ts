import { isTrusted } from "../../reading/locate/located-card.ts";
import type { DocumentReading, SideReading } from "../../reading/reading.ts";
import { isHardToSee } from "../findings/images.ts";
import type { DocumentPolicy } from "../policy.ts";

/** One requirement of an image. `passed` is null where it could not be measured, which fails nothing. */
export type Requirement = {
  readonly value: number | null;
  readonly minimum: number;
  readonly recommended?: number;
  readonly passed: boolean | null;
};

/** The interface's requirements of one image of the diagnostic (Limits). */
export type ImageReport = {
  readonly passed: boolean;
  /** Shorter side in pixels. */
  readonly resolution: Requirement;
  /** Narrowest margin of the document, as a share of its longer side. */
  readonly background: Requirement;
  /** Estimated from the file; null for a PNG, which is lossless. */
  readonly jpegQuality: Requirement;
  /** Whether data could be read; null where it is on the other side. */
  readonly text: { readonly passed: boolean | null };
  /** Width of edges, overexposed share, brightness: a recommendation only. */
  readonly light: { readonly passed: boolean };
};

/** Reports sides as they were sent, before swapping. */
export type QualityReport = {
  readonly passed: boolean;
  readonly front: ImageReport;
  readonly back?: ImageReport;
};

/** Interface, Limits: recommended for the shorter side. */
const shortSideRecommended = 1080;

/** Judges both images against the interface's minimum. Recommendations are reported and fail nothing. */
export const judgeRequirements = (reading: DocumentReading, policy: DocumentPolicy): QualityReport => {
  const { front, back } = asSent(reading);
  const isRead = [front, back].some((side) => side !== undefined && hasData(side));
  const report = (side: SideReading): ImageReport => reportImage(side, isRead, policy);
  const [first, second] = [report(front), back && report(back)];
  return {
    passed: first.passed && second?.passed !== false,
    front: first,
    ...(second && { back: second }),
  };
};

const asSent = ({ front, back, swapped }: DocumentReading): Pick<DocumentReading, "front" | "back"> =>
  swapped && back !== undefined ? { front: back, back: front } : { front, ...(back && { back }) };

/** Reliable lines that a side must have where it carries neither an MRZ nor a barcode. */
const linesMin = 3;
const confidenceMin = 0.8;

const hasData = ({ mrz, barcodes, lines }: SideReading): boolean =>
  mrz?.clear === true ||
  barcodes.length > 0 ||
  lines.filter(({ confidence }) => confidence >= confidenceMin).length >= linesMin;

const reportImage = (side: SideReading, isOtherRead: boolean, { image }: DocumentPolicy): ImageReport => {
  const { quality } = side;
  const resolution = {
    ...requireAtLeast(Math.min(quality.width, quality.height), image.shortSidePxMin),
    recommended: shortSideRecommended,
  };
  const background = requireAtLeast(marginOf(side, image.marginShareMin), image.marginShareMin);
  const jpegQuality = requireAtLeast(quality.jpegQuality ?? null, image.jpegQualityMin);
  const text = { passed: hasData(side) ? true : isOtherRead ? null : false };
  const light = { passed: !isHardToSee(quality, image) };
  const passed = [resolution, background, jpegQuality, text].every((one) => one.passed !== false);
  return { passed, resolution, background, jpegQuality, text, light };
};

/**
 * The margin of a trusted outline. For another outline, at most the margin that follows from the place of a
 * clear MRZ, where that is below the minimum.
 */
const marginOf = ({ card, mrz }: SideReading, minimum: number): number | null => {
  const margin = !isTrusted(card) && mrz?.clear === true ? mrz.margin : undefined;
  if (margin !== undefined && margin < minimum) return Math.min(margin, card?.marginShare ?? margin);
  return card?.marginShare ?? null;
};

const requireAtLeast = (value: number | null, minimum: number): Requirement => ({
  value,
  minimum,
  passed: value === null ? null : value >= minimum,
});
