import { makeReplaceByPower } from "#contract/statistics/power-spectrum";
import { upperMedian } from "#contract/statistics/quantile";
import { selectRank } from "#contract/statistics/select-rank";
import type { Box, Image } from "#machine/imaging/image";

/**
 * Sharp peaks in the spectrum of small tiles at the resolution of the camera. Physical reason: the pixels of
 * a screen and the dots of a print are regular and interfere with the sensor grid. The lines of a document
 * are curved and irregular.
 */
export type GridPattern = {
  /** Sum of the three sharpest luma peaks of the median tile; 0 without peaks. */
  readonly peaks: number;
  readonly tiles: number;
};

const side = 256;
const replaceByPower = makeReplaceByPower(side);
const tilesAcross = 3;
const tilesDown = 2;
/** Radii in bins: coarser patterns are print and guilloche. */
const radiusMin = 0.08 * side;
const radiusMax = side / 2 - 2;
const peaksKept = 3;

/**
 * Measures the box of the card at the resolution of the file: downscaling removes the grid. The median over
 * tiles counts, because guilloche causes peaks in single tiles. Undefined where the visible box is smaller
 * than a tile.
 */
export const measureGridPattern = (image: Image, card: Box): GridPattern | undefined => {
  const rows = startsOf(card.y, card.y + card.height, image.height, tilesDown);
  const corners = startsOf(card.x, card.x + card.width, image.width, tilesAcross).flatMap((x) =>
    rows.map((y): Corner => [x, y]),
  );
  if (corners.length === 0) return undefined;
  return { peaks: upperMedian(peaksOfTiles(image, corners)), tiles: corners.length };
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

type Corner = readonly [x: number, y: number];

/**
 * Two tiles share one transform, and all tiles share two squares of memory. If their number is odd, the last
 * tile has a transform of its own.
 */
const peaksOfTiles = (image: Image, corners: readonly Corner[]): readonly number[] => {
  const [one, other] = [new Float64Array(side * side), new Float64Array(side * side)];
  const peaks: number[] = [];
  for (let i = 0; i < corners.length; i += 2) {
    const [first, second] = [corners[i]!, corners[i + 1]];
    writeTile(one, image, first);
    if (second === undefined) other.fill(0);
    else writeTile(other, image, second);
    replaceByPower(one, other);
    peaks.push(sharpestPeaks(toLevels(one)));
    if (second !== undefined) peaks.push(sharpestPeaks(toLevels(other)));
  }
  return peaks;
};

// The loops over a tile call a function for each row: the engine optimises a function after some calls, and a
// side has only six tiles.

/** The luma of a tile about its mean, tapered. */
const writeTile = (plane: Float64Array, image: Image, [left, top]: Corner): void => {
  for (let y = 0; y < side; y++) writeLuma(plane, y, image.data, ((top + y) * image.width + left) * 3);
  const mean = sumOf(plane) / plane.length;
  for (let y = 0; y < side; y++) taperRow(plane, y, mean);
};

const writeLuma = (plane: Float64Array, y: number, data: Uint8Array, from: number): void => {
  for (let i = y * side, end = i + side, at = from; i < end; i++, at += 3) {
    plane[i] = 0.3 * data[at]! + 0.59 * data[at + 1]! + 0.11 * data[at + 2]!;
  }
};

const sumOf = (plane: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < plane.length; i++) sum += plane[i]!;
  return sum;
};

/** Hann window: without it the border of the tile is a pattern itself. */
const hann = Float64Array.from({ length: side }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / side));

const taperRow = (plane: Float64Array, y: number, mean: number): void => {
  for (let x = 0, i = y * side; x < side; x++, i++) plane[i] = (plane[i]! - mean) * hann[x]! * hann[y]!;
};

/** Logs of the magnitudes, in place. */
const toLevels = (power: Float64Array): Float64Array => {
  for (let fy = 0; fy < side; fy++) toLevelsOfRow(power, fy);
  return power;
};

/**
 * Opposite frequencies have one power, so half of the logs are copies. The first and the middle column hold
 * their own opposites.
 */
const toLevelsOfRow = (power: Float64Array, fy: number): void => {
  for (let fx = 0; fx <= side / 2; fx++) {
    const level = Math.log1p(Math.sqrt(power[bin(fx, fy)]!));
    power[bin(fx, fy)] = level;
    if (fx > 0 && fx < side / 2) power[bin(-fx, -fy)] = level;
  }
};

/** Index of a frequency in a periodic spectrum. */
const bin = (fx: number, fy: number): number => (fy & (side - 1)) * side + (fx & (side - 1));

const binBeside = (at: number, dx: number, dy: number): number =>
  bin((at & (side - 1)) + dx, Math.floor(at / side) + dy);

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
  const { middles, deviations } = ringsOf(spectrum);
  const found: number[] = [];
  for (let i = 0; i < searched.bins.length; i++) {
    const at = searched.bins[i]!;
    const radius = searched.radii[i]!;
    const above = (spectrum[at]! - middles[radius]!) / deviations[radius]!;
    if (above <= deviationsMin || !isSummit(spectrum, at)) continue;
    const height = spectrum[at]! - ringAround(spectrum, at);
    if (height > heightMin) found.push(height * Math.min(above, deviationsMax));
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

/** Bins in which peaks are searched, and their radii in whole bins. */
const searched: { readonly bins: Int32Array; readonly radii: Int32Array } = (() => {
  const bins: number[] = [];
  const radii: number[] = [];
  for (let fy = 1 - side / 2; fy < side / 2; fy++) {
    for (let fx = 0; fx < side / 2; fx++) {
      const radius = Math.hypot(fx, fy);
      if (radius < radiusMin || radius >= radiusMax || isOthers(fx, fy)) continue;
      bins.push(bin(fx, fy));
      radii.push(Math.floor(radius));
    }
  }
  return { bins: Int32Array.from(bins), radii: Int32Array.from(radii) };
})();

type Rings = { readonly middles: Float64Array; readonly deviations: Float64Array };

/**
 * Median and deviation (1.48 times the median absolute one) of the spectrum by radius, where peaks are
 * searched.
 */
const ringsOf = (spectrum: Float64Array): Rings => {
  const rings = { middles: new Float64Array(side / 2), deviations: new Float64Array(side / 2) };
  const values = new Float64Array(Math.max(...ringBins.map((bins) => bins.length)));
  for (let radius = Math.floor(radiusMin); radius < radiusMax; radius++) {
    writeRing(rings, radius, spectrum, values);
  }
  return rings;
};

/** `values` has space for the bins of any ring. */
const writeRing = (rings: Rings, radius: number, spectrum: Float64Array, values: Float64Array): void => {
  const bins = ringBins[radius]!;
  const count = bins.length;
  for (let i = 0; i < count; i++) values[i] = spectrum[bins[i]!]!;
  const middle = selectRank(values, count, count >> 1);
  for (let i = 0; i < count; i++) values[i] = Math.abs(values[i]! - middle);
  rings.middles[radius] = middle;
  rings.deviations[radius] = 0.05 + 1.48 * selectRank(values, count, count >> 1);
};

const isSummit = (spectrum: Float64Array, at: number): boolean => {
  const peak = spectrum[at]!;
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      if (spectrum[binBeside(at, dx, dy)]! > peak) return false;
    }
  }
  return true;
};

const ringRadius = 6;
const ringPlaces = Array.from({ length: 12 }, (_, i) => [
  Math.round(ringRadius * Math.cos((i * Math.PI) / 6)),
  Math.round(ringRadius * Math.sin((i * Math.PI) / 6)),
]);

const ringAround = (spectrum: Float64Array, at: number): number =>
  ringPlaces.reduce((sum, [dx, dy]) => sum + spectrum[binBeside(at, dx!, dy!)]!, 0) / ringPlaces.length;
