import type { GuidanceCode } from "#contract/guidance";
import type { DocumentFacts } from "./document-facts.ts";

/** Bounds of a document that is captured by itself. The service judges the full image. */
export const documentPolicy = {
  /** Width of the document as a share of the guide's: at 1280 px a card then has 860 px and more, 250 dpi. */
  shareMin: 0.8,
  tiltDegreesMax: 5,
  /** A reflection the size of a thumb covers two hundredths of a card. */
  glareShareMax: 0.015,
  darkMedian: 45,
  /** Printed text in focus has .1 to 1 at the size of the guidance. */
  sharpnessMin: 0.04,
  changeMax: 6,
} as const;

export type DocumentPolicy = { readonly [Name in keyof typeof documentPolicy]: number };

/** The first fault in the order in which a person can mend it; undefined: the frame may be captured. */
export const judgeDocument = (
  facts: DocumentFacts,
  policy: DocumentPolicy = documentPolicy,
): GuidanceCode | undefined => {
  if (facts.median < policy.darkMedian) return "too_dark";
  const found = facts.edges.filter((edge) => edge !== undefined).length;
  if (found < 2) return "no_document";
  if (facts.corners === undefined || facts.share < policy.shareMin) return "fit_frame";
  if (facts.tiltDegrees > policy.tiltDegreesMax) return "tilt_less";
  if (facts.glareShare > policy.glareShareMax) return "glare";
  if (facts.change > policy.changeMax) return "hold_still";
  return facts.sharpness < policy.sharpnessMin ? "blur" : undefined;
};
