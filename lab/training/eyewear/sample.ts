/** `tinted`: coloured lenses with visible eyes; eyewear that is neither clearly clear nor dark. */
export type Label = "none" | "eye" | "tinted" | "sun";

/**
 * One described image of a generated face; `face` numbers the faces, so that folds can keep copies together.
 */
export type Sample = {
  readonly face: number;
  readonly label: Label;
  /** Glasses drawn by `draw-eyewear.ts`. */
  readonly isDrawn: boolean;
  readonly isWorse: boolean;
  readonly eyeToSkin: number;
};
