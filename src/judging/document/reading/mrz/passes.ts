import type { MrzPolicy, Pass } from "./mrz-policy.ts";

export type PassOptions = {
  /** The document seems to stand on its short side, so the rotated pass runs first. Costs time when wrong. */
  readonly likelyRotated?: boolean;
  /**
   * `near`: the MRZ of a document that fills much of the image; `far`: a small MRZ, at four times the cost.
   * Both when absent.
   */
  readonly distance?: "near" | "far";
};

/**
 * The result of one pass: whether there was text, the share of it that runs in the direction of the pass (by
 * length of text with a direction), and whether any line looked like an MRZ.
 */
export type SeenPass = Pass & {
  readonly hasText: boolean;
  readonly alongShare: number;
  readonly hasSeeds: boolean;
};

type Size = { readonly width: number; readonly height: number };

/**
 * The size at which lines are read. `scale` = pixels of the given image per pixel of this size: over 1 for a
 * large image, under 1 for a small one.
 */
export const readingSize = (
  { width, height }: Size,
  { longSideMax, longSideMin, longSideEnlarged }: MrzPolicy,
): Size & { readonly scale: number } => {
  const longSide = Math.max(width, height);
  const target = longSide > longSideMax ? longSideMax : longSide < longSideMin ? longSideEnlarged : longSide;
  const sideOf = (side: number): number => Math.max(1, Math.round((side * target) / longSide));
  return { width: sideOf(width), height: sideOf(height), scale: longSide / target };
};

/**
 * Whether a pass can add something to the passes before it. `readSide`: the longer side of the image for
 * reading lines; `ownSide`: that of the image for the detector.
 */
export const isWorthwhile = (
  pass: Pass,
  seen: readonly SeenPass[],
  { readSide, ownSide }: { readonly readSide: number; readonly ownSide: number },
  policy: MrzPolicy,
): boolean => {
  const isSameInput = seen.some(({ longSide, rotated }) => rotated === pass.rotated && longSide >= readSide);
  const other = seen.find(({ longSide, rotated }) => longSide === pass.longSide && rotated !== pass.rotated);
  const isSeen = other !== undefined && (!other.hasText || other.alongShare >= policy.alongShareReliable);
  const isLarge = pass.longSide > policy.longSideFree;
  const isTooCostly = isLarge && (ownSide < policy.longSideFree || !seen.some(({ hasSeeds }) => hasSeeds));
  return !isSameInput && !isSeen && !isTooCostly;
};

/** The passes of each size, with the likelier rotation first. */
export const passesOf = (
  { passes, longSideNear }: MrzPolicy,
  { likelyRotated = false, distance }: PassOptions,
): readonly Pass[] => {
  const wanted = passes.filter(({ longSide }) => distance !== "far" || longSide > longSideNear);
  return likelyRotated
    ? wanted.toSorted((a, b) => a.longSide - b.longSide || Number(b.rotated) - Number(a.rotated))
    : wanted;
};
