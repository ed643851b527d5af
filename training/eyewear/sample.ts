/** `tinted`: coloured lenses through which the eyes show; eyewear that is neither surely clear nor dark. */
export type Label = "none" | "eye" | "tinted" | "sun";

/** One described picture of a generated face; `face` numbers the faces, so that folds can keep copies together. */
export type Sample = {
  readonly face: number;
  readonly label: Label;
  /** Glasses drawn by `draw-eyewear.ts`. */
  readonly isDrawn: boolean;
  readonly isWorse: boolean;
  readonly eyeToSkin: number;
};
