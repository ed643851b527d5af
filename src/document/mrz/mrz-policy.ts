/** One look at the picture: the detector's input size, and whether it sees the picture turned by a quarter. */
export type Pass = { readonly longSide: number; readonly turned: boolean };

export type MrzPolicy = {
  /** In this order, cheapest first; the first clear reading ends the search. */
  readonly passes: readonly Pass[];
  /** Passes up to this size find the zone of a document that fills much of the picture. */
  readonly longSideNear: number;
  /** Where so much of the text runs as a pass reads, the pass of the other direction shows no more. */
  readonly alongShareSure: number;
  /** Passes of more pixels than this are worth their time only where something looked like a zone before. */
  readonly longSideFree: number;
  /**
   * A character less likely than this against its nearest rival, in nats, is not certain. Measured: wrong ones had
   * 0.05 to 1.7, right ones nearly always more than 2.5.
   */
  readonly marginMin: number;
  /** Nats by which the format may overrule what a line says by itself. */
  readonly strainMax: number;
  /** Mean log likelihood of a column from which a text is taken for a zone, whatever its check digits say. */
  readonly likelihoodSure: number;
  /** The same over which, with at most one check digit wrong, no further line of the picture is tried as a seed. */
  readonly likelihoodGood: number;
  /** The same below which nothing was read at all. */
  readonly likelihoodMin: number;
  readonly longSideMax: number;
  /** A picture smaller than `longSideMin` is enlarged to `longSideEnlarged`. */
  readonly longSideMin: number;
  readonly longSideEnlarged: number;
};

/** Measured on the development pictures; the figures stand beside the network in MODELS.md. */
export const mrzPolicy: MrzPolicy = {
  passes: [
    { longSide: 512, turned: false },
    { longSide: 512, turned: true },
    { longSide: 960, turned: false },
    { longSide: 960, turned: true },
    { longSide: 1536, turned: false },
    { longSide: 1536, turned: true },
  ],
  longSideNear: 512,
  alongShareSure: 0.85,
  longSideFree: 960,
  marginMin: 2,
  strainMax: 12,
  likelihoodSure: -0.15,
  likelihoodGood: -0.12,
  likelihoodMin: -0.4,
  longSideMax: 2000,
  longSideMin: 1000,
  longSideEnlarged: 1300,
};
