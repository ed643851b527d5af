/**
 * A rotated rectangle around text, in pixels of the image. `width` ≥ `height`; `angle` of the long side in
 * (−π/2, π/2].
 */
export type TextBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
  /** Mean of the detector's map inside, 0…1. */
  readonly score: number;
};
