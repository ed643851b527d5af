import { makeAddPower } from "#contract/statistics/power-spectrum";
import { ramp } from "#contract/statistics/ramp";
import type { GreyImage } from "#machine/imaging/image";
import type { Cue } from "./cue.ts";
import type { Moire } from "./measured-cues.ts";

const side = 128;
const addPower = makeAddPower(side);
/** Three by three windows: more of them reduce the noise little and cost as much as a network. */
const windowsAcross = 3;
/** Periods over 16 px are features of a face, not of a grid. */
const radiusMin = side / 16;
const radiusMax = 0.48 * side;

/**
 * Averages the power spectra of overlapping windows over the face at native size (Welch), then searches for
 * the bin with the largest ratio to its neighbourhood. Undefined for a face smaller than two windows: noise
 * prevails there.
 */
export const measureMoire = (face: GreyImage): Moire | undefined => {
  const corners = windowCorners(face);
  if (corners.length < 4) {
    return undefined;
  }
  const power = new Float64Array(side * side);
  const real = new Float64Array(side * side);
  const imaginary = new Float64Array(side * side);
  for (let i = 0; i < corners.length; i += 2) {
    fillWindow(real, face, corners[i]);
    fillWindow(imaginary, face, corners[i + 1]);
    addPower(power, real, imaginary);
  }
  return strongestPeak(power);
};

const windowCorners = (face: GreyImage): readonly (readonly [number, number])[] => {
  const rows = windowStarts(face.height);
  return windowStarts(face.width).flatMap((x) => rows.map((y) => [x, y] as const));
};

const windowStarts = (length: number): readonly number[] => {
  const span = length - side;
  const count = Math.min(windowsAcross, Math.floor(span / (side / 2)) + 1);
  return count < 2 ? [] : Array.from({ length: count }, (_, i) => Math.floor((i * span) / (count - 1)));
};

/** Hann window: without it the border of the window is a pattern itself. */
const hann = Float64Array.from({ length: side }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / side));

/** One window without its mean, tapered; zeros without a window. */
const fillWindow = (
  values: Float64Array,
  { data, width }: GreyImage,
  corner: readonly [number, number] | undefined,
): void => {
  if (corner === undefined) {
    values.fill(0);
    return;
  }
  const start = corner[1] * width + corner[0];
  let sum = 0;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      sum += data[start + y * width + x]!;
    }
  }
  const mean = sum / (side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      values[y * side + x] = (data[start + y * width + x]! - mean) * hann[x]! * hann[y]!;
    }
  }
};

/**
 * Bins to leave out: the 8 px grid of JPEG, and the low part of the axes, where brows and lids have power.
 * The high part of an axis may hold the grid of a straight screen.
 */
const isCompressionBin = (fx: number, fy: number): boolean => {
  const isOnAxis = Math.abs(fx) <= 1 || Math.abs(fy) <= 1;
  return (isOnGrid(fx) && isOnGrid(fy)) || (isOnAxis && Math.hypot(fx, fy) < axisRadiusMin);
};

/** Periods over 6 px along an axis are features. */
const axisRadiusMin = side / 6;

const isOnGrid = (f: number): boolean => {
  const away = Math.abs(f) % (side / 8);
  return away <= 1 || away >= side / 8 - 1;
};

/** Index of a frequency in a periodic spectrum. */
const bin = (fx: number, fy: number): number => (fy & (side - 1)) * side + (fx & (side - 1));

const isSummit = (power: Float64Array, fx: number, fy: number): boolean => {
  const peak = power[bin(fx, fy)]!;
  return (
    peak >= power[bin(fx + 1, fy)]! &&
    peak >= power[bin(fx - 1, fy)]! &&
    peak >= power[bin(fx, fy + 1)]! &&
    peak >= power[bin(fx, fy - 1)]!
  );
};

type Bin = { readonly fx: number; readonly fy: number; readonly radius: number };

/** The bins where a grid may have its peak. */
const gridBins: readonly Bin[] = Array.from({ length: (side / 2) * (side - 1) }, (_, i) => {
  const fx = (i % (side - 1)) + 1 - side / 2;
  const fy = Math.floor(i / (side - 1));
  return { fx, fy, radius: Math.hypot(fx, fy) };
}).filter(({ fx, fy, radius }) => radius >= radiusMin && radius <= radiusMax && !isCompressionBin(fx, fy));

const strongestPeak = (power: Float64Array): Moire => {
  let best: Moire = { peakDecibels: 0, periodPx: 0 };
  for (const { fx, fy, radius } of gridBins) {
    if (!isSummit(power, fx, fy)) {
      continue;
    }
    const ratio = (power[bin(fx, fy)]! + 1e-3) / (neighbourhood(power, fx, fy) + 1e-3);
    const peakDecibels = 10 * Math.log10(ratio);
    if (peakDecibels > best.peakDecibels) {
      best = { peakDecibels, periodPx: side / radius };
    }
  }
  return best;
};

/**
 * Mean of the square ring four to six bins away: a narrow peak does not reach it, the peak of a texture does.
 */
const neighbourhood = (power: Float64Array, fx: number, fy: number): number => {
  let sum = 0;
  let count = 0;
  for (let dy = -6; dy <= 6; dy++) {
    // Between its upper and lower part the ring has only a left and a right part.
    const isBetween = dy > -4 && dy < 4;
    for (let dx = -6; dx <= 6; dx += isBetween && dx === -4 ? 8 : 1) {
      sum += power[bin(fx + dx, fy + dy)]!;
      count++;
    }
  }
  return sum / count;
};

export const moireCue: Cue = {
  name: "moire",
  strength: "decisive",
  reason:
    "The face carries a regular pattern finer than skin can: a screen's pixels or a print's dots, beating with the camera's own. It needs the camera's own pixels: an image that was scaled down cannot show it.",
  weigh: ({ cues }) =>
    cues?.moire &&
    ramp(cues.moire.peakDecibels, [
      [8, -0.3],
      [11, 0],
      [14, 2.2],
      [18, 4],
    ]),
};
