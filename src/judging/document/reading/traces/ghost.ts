/** The ghost of a portrait: a second, smaller print of it on the same side. */
export type Ghost = {
  /** Width of its face as a share of the portrait's. */
  readonly widthShare: number;
  /** How alike the ghost and the portrait are; absent where one of them is not found again. */
  readonly likeness?: number;
};
