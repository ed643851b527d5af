import type { Box, Image } from "#imaging/image";
import { makeAddPower } from "#statistics/power-spectrum";
import { upperMedian } from "#statistics/quantile";

/**
 * Sharp peaks in the spectrum of small tiles at the resolution of the camera. Physical reason: the pixels of a screen and the
 * dots of a print are regular and interfere with the sensor grid. The lines of a document are curved and irregular.
 */
export type GridPattern = {
  /** Sum of the three sharpest luma peaks of the median tile; 0 without peaks. */
  readonly peaks: number;
  readonly tiles: number;
};

const side = 256;
const addPower = makeAddPower(side);
const tilesAcross = 3;
const tilesDown = 2;
/** Radii in bins: coarser patterns are print and guilloche. */
const radiusMin = 0.08 * side;
const radiusMax = side / 2 - 2;
const peaksKept = 3;

/**
 * Measures the box of the card at the resolution of the file: downscaling removes the grid. The median over tiles counts,
 * because guilloche causes peaks in single tiles. Undefined where the visible box is smaller than a tile.
 */
export const measureGridPattern = (image: Image, card: Box): GridPattern | undefined => {
  const rows = startsOf(card.y, card.y + card.height, image.height, tilesDown);
  const corners = startsOf(card.x, card.x + card.width, image.width, tilesAcross).flatMap((x) =>
    rows.map((y) => [x, y] as const),
  );
  if (corners.length === 0) return undefined;
  return { peaks: upperMedian(corners.map(([x, y]) => peaksOfTile(image, x, y))), tiles: corners.length };
};

/** The first pixels of the tiles between two positions. */
const startsOf = (from: number, to: number, sideLength: number, countMax: number): readonly number[] => {
  const first = Math.max(0, Math.round(from));
  const length = Math.min(sideLength, Math.round(to)) - first;
  const count = Math.max(0, Math.min(countMax, Math.floor(length / side)));
  const span = length - side;
  return Array.from(
    { length: count },
    (_, i) => first + Math.floor(count === 1 ? span / 2 : (i * span) / (count - 1)),
  );
};

const peaksOfTile = (image: Image, left: number, top: number): number => {
  const luma = new Float64Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0, at = ((top + y) * image.width + left) * 3; x < side; x++, at += 3) {
      luma[y * side + x] = 0.3 * image.data[at]! + 0.59 * image.data[at + 1]! + 0.11 * image.data[at + 2]!;
    }
  }
  const power = new Float64Array(side * side);
  addPower(power, taper(luma), new Float64Array(side * side));
  return sharpestPeaks(power.map((value) => Math.log1p(Math.sqrt(value))));
};

/** Hann window: without it the border of the tile is a pattern itself. */
const hann = Float64Array.from({ length: side }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / side));

/** In place, about its mean. */
const taper = (plane: Float64Array): Float64Array => {
  let sum = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i]!;
  const mean = sum / plane.length;
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) plane[i] = (plane[i]! - mean) * hann[x]! * hann[y]!;
  }
  return plane;
};

/** Index of a frequency in a periodic spectrum. */
const bin = (fx: number, fy: number): number => (fy & (side - 1)) * side + (fx & (side - 1));

/** Frequencies of the half plane by their radius in whole bins. */
const ringBins: readonly Int32Array[] = (() => {
  const bins: number[][] = Array.from({ length: side / 2 }, () => []);
  for (let fy = -side / 2; fy < side / 2; fy++) {
    for (let fx = 0; fx <= side / 2; fx++) bins[Math.floor(Math.hypot(fx, fy))]?.push(bin(fx, fy));
  }
  return bins.map((ring) => Int32Array.from(ring));
})();

/** Minimum deviations above the bins of the same radius, and minimum height above the ring around a peak. */
const deviationsMin = 4.2;
const deviationsMax = 12;
const heightMin = 1.2;

const sharpestPeaks = (spectrum: Float64Array): number => {
  const rings = ringsOf(spectrum);
  const found: number[] = [];
  for (let fy = 1 - side / 2; fy < side / 2; fy++) {
    for (let fx = 0; fx < side / 2; fx++) {
      const radius = Math.hypot(fx, fy);
      if (radius < radiusMin || radius >= radiusMax || isOthers(fx, fy)) continue;
      const { middle, deviation } = rings[Math.floor(radius)]!;
      const deviations = (spectrum[bin(fx, fy)]! - middle) / deviation;
      if (deviations <= deviationsMin || !isSummit(spectrum, fx, fy)) continue;
      const height = spectrum[bin(fx, fy)]! - ringAround(spectrum, fx, fy);
      if (height > heightMin) found.push(height * Math.min(deviations, deviationsMax));
    }
  }
  return found
    .toSorted((a, b) => b - a)
    .slice(0, peaksKept)
    .reduce((sum, peak) => sum + peak, 0);
};

/** Text lines and the card border lie on the axes, JPEG blocks at multiples of an eighth of the band. */
const isOthers = (fx: number, fy: number): boolean =>
  Math.abs(fx) < 3 || Math.abs(fy) < 3 || (isOfBlocks(fx) && isOfBlocks(fy));

const isOfBlocks = (f: number): boolean => {
  const rest = Math.abs(f) % (side / 8);
  return rest < 2 || rest > side / 8 - 2;
};

type Ring = { readonly middle: number; readonly deviation: number };

/** Median and deviation (1.48 times the median absolute one) of the spectrum by radius. */
const ringsOf = (spectrum: Float64Array): readonly Ring[] =>
  ringBins.map((bins) => {
    const values = new Float64Array(bins.length);
    for (let i = 0; i < bins.length; i++) values[i] = spectrum[bins[i]!]!;
    const middle = values.sort()[values.length >> 1]!;
    for (let i = 0; i < values.length; i++) values[i] = Math.abs(values[i]! - middle);
    return { middle, deviation: 0.05 + 1.48 * values.sort()[values.length >> 1]! };
  });

const isSummit = (spectrum: Float64Array, fx: number, fy: number): boolean => {
  const peak = spectrum[bin(fx, fy)]!;
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      if (spectrum[bin(fx + dx, fy + dy)]! > peak) return false;
    }
  }
  return true;
};

const ringRadius = 6;
const ringPlaces = Array.from({ length: 12 }, (_, i) => [
  Math.round(ringRadius * Math.cos((i * Math.PI) / 6)),
  Math.round(ringRadius * Math.sin((i * Math.PI) / 6)),
]);

const ringAround = (spectrum: Float64Array, fx: number, fy: number): number =>
  ringPlaces.reduce((sum, [dx, dy]) => sum + spectrum[bin(fx + dx!, fy + dy!)]!, 0) / ringPlaces.length;
