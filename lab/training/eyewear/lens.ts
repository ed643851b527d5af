/** Outline of one lens as a signed distance, in units of half the distance between the eyes (about 31 mm). */
export type LensShape = {
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Exponent of the superellipse: 2 round, from 4 on square. */
  readonly squareness: number;
  /** How much narrower the bottom is than the top: 0 not at all, .3 aviator. */
  readonly taper: number;
  /** Rise of the outer end over the inner end: .2 and more is a cat's eye. */
  readonly sweep: number;
};

/** `x` goes from the nose outwards, `y` down, both from the middle of the lens. */
const levelAt = ({ halfWidth, halfHeight, squareness, taper, sweep }: LensShape, x: number, y: number) => {
  const raised = y + (sweep * x) / halfWidth;
  const width = halfWidth * (1 - taper * (0.5 + (0.5 * raised) / halfHeight));
  const sum = Math.abs(x / width) ** squareness + Math.abs(raised / halfHeight) ** squareness;
  return sum ** (1 / squareness) - 1;
};

const step = 0.01;

/** Distance to the outline, negative inside; first order, exact enough for the width of a rim. */
export const distanceToLens = (shape: LensShape, x: number, y: number): number => {
  const level = levelAt(shape, x, y);
  const alongX = (levelAt(shape, x + step, y) - levelAt(shape, x - step, y)) / (2 * step);
  const alongY = (levelAt(shape, x, y + step) - levelAt(shape, x, y - step)) / (2 * step);
  return level / Math.max(Math.hypot(alongX, alongY), 0.3 / shape.halfWidth);
};
