/** One detection pass: the detector's input size, and whether the image is rotated by a quarter. */
export type Pass = { readonly longSide: number; readonly rotated: boolean };

export type MrzPolicy = {
  /** In this order, cheapest first; the first clear reading ends the search. */
  readonly passes: readonly Pass[];
  /** Passes up to this size find the MRZ of a document that fills much of the image. */
  readonly longSideNear: number;
  /**
   * If this share of the text runs in the direction of a pass, the pass in the other direction adds nothing.
   */
  readonly alongShareReliable: number;
  /** Passes above this size run only after a pass that found a line like an MRZ. */
  readonly longSideFree: number;
  /**
   * Margin in nats below which a character is uncertain. Measured: wrong characters had 0.05 to 1.7, correct
   * ones nearly always more than 2.5.
   */
  readonly marginMin: number;
  /** Nats that the grammar mask of a format may cost in a clear reading. */
  readonly maskCostMax: number;
  /** Mean column log-likelihood from which a text counts as an MRZ, whatever its check digits are. */
  readonly likelihoodReliable: number;
  /**
   * Mean column log-likelihood above which, with at most one wrong check digit, no further seed of the image
   * is tried.
   */
  readonly likelihoodGood: number;
  /** Mean column log-likelihood below which nothing was read. */
  readonly likelihoodMin: number;
  readonly longSideMax: number;
  /** An image smaller than `longSideMin` is enlarged to `longSideEnlarged`. */
  readonly longSideMin: number;
  readonly longSideEnlarged: number;
};

/** Measured on the development images; MODELS.md lists the results beside the network. */
export const mrzPolicy: MrzPolicy = {
  passes: [
    { longSide: 512, rotated: false },
    { longSide: 512, rotated: true },
    { longSide: 960, rotated: false },
    { longSide: 960, rotated: true },
    { longSide: 1536, rotated: false },
    { longSide: 1536, rotated: true },
  ],
  longSideNear: 512,
  alongShareReliable: 0.85,
  longSideFree: 960,
  marginMin: 2,
  maskCostMax: 12,
  likelihoodReliable: -0.15,
  likelihoodGood: -0.12,
  likelihoodMin: -0.4,
  longSideMax: 2000,
  longSideMin: 1000,
  longSideEnlarged: 1300,
};
