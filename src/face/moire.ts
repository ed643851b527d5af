import type { GreyImage } from "#imaging/image";

/**
 * Physical reason: the pixel grid of a screen or the halftone of a print beats with the camera's own grid and
 * leaves narrow peaks in the spectrum; skin has none. Scaling a picture down removes them.
 */
export type Moire = {
  /** Height of the strongest narrow peak over its surroundings, in decibels of power. */
  readonly peakDecibels: number;
  /** Period of that pattern in pixels. */
  readonly periodPx: number;
};

const side = 128;
/** Three by three windows: more lower the noise little and cost as much as a network. */
const windowsAcross = 3;
/** Periods over 16 px are features of a face, not of a grid. */
const radiusMin = side / 16;
const radiusMax = 0.48 * side;

/**
 * Averages the power spectra of overlapping windows over a picture of the face at native size (Welch), then looks for the bin that stands
 * out of its neighbourhood. Undefined when the face is smaller than two windows: too little to tell from noise.
 */
export const measureMoire = (face: GreyImage): Moire | undefined => {
  const corners = windowCorners(face);
  if (corners.length < 4) {
    return undefined;
  }
  const power = new Float64Array(side * side);
  for (let i = 0; i < corners.length; i += 2) {
    addPower(power, window(face, corners[i]!), window(face, corners[i + 1]));
  }
  return strongestPeak(power);
};

const windowCorners = (face: GreyImage): readonly (readonly [number, number])[] => {
  const along = (length: number): readonly number[] => {
    const room = length - side;
    const count = Math.min(windowsAcross, Math.floor(room / (side / 2)) + 1);
    return count < 2 ? [] : Array.from({ length: count }, (_, i) => Math.floor((i * room) / (count - 1)));
  };
  const rows = along(face.height);
  return along(face.width).flatMap((x) => rows.map((y) => [x, y] as const));
};

/** Hann window: keeps the window's own border from looking like a pattern. */
const hann = Float64Array.from({ length: side }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / side));

/** One window without its mean, tapered; zeros where there is no window. */
const window = (grey: GreyImage, corner: readonly [number, number] | undefined): Float64Array => {
  const values = new Float64Array(side * side);
  if (corner === undefined) {
    return values;
  }
  const [left, top] = corner;
  let mean = 0;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      mean += grey.data[(top + y) * grey.width + left + x]! / (side * side);
    }
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      values[y * side + x] = (grey.data[(top + y) * grey.width + left + x]! - mean) * hann[x]! * hann[y]!;
    }
  }
  return values;
};

/** Adds the power of two real windows from one complex transform: the two spectra differ by their symmetry. */
const addPower = (power: Float64Array, real: Float64Array, imaginary: Float64Array): void => {
  for (let i = 0; i < side; i++) {
    transform(real, imaginary, i * side, 1);
  }
  for (let i = 0; i < side; i++) {
    transform(real, imaginary, i, side);
  }
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const i = y * side + x;
      const opposite = ((side - y) % side) * side + ((side - x) % side);
      const here = real[i]! ** 2 + imaginary[i]! ** 2;
      const there = real[opposite]! ** 2 + imaginary[opposite]! ** 2;
      power[i]! += (here + there) / 2;
    }
  }
};

const swap = (values: Float64Array, a: number, b: number): void => {
  const kept = values[a]!;
  values[a] = values[b]!;
  values[b] = kept;
};

const twiddleCos = Float64Array.from({ length: side }, (_, i) => Math.cos((-2 * Math.PI * i) / side));
const twiddleSin = Float64Array.from({ length: side }, (_, i) => Math.sin((-2 * Math.PI * i) / side));

/** Radix-2 FFT in place of `side` values from `start` with the given stride (Cooley and Tukey 1965). */
const transform = (real: Float64Array, imaginary: Float64Array, start: number, stride: number): void => {
  for (let i = 1, j = 0; i < side; i++) {
    let bit = side >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      swap(real, start + i * stride, start + j * stride);
      swap(imaginary, start + i * stride, start + j * stride);
    }
  }
  for (let length = 2; length <= side; length <<= 1) {
    const half = length >> 1;
    for (let base = 0; base < side; base += length) {
      for (let k = 0; k < half; k++) {
        const turn = (k * side) / length;
        const [cos, sin] = [twiddleCos[turn]!, twiddleSin[turn]!];
        const a = start + (base + k) * stride;
        const b = a + half * stride;
        const re = real[b]! * cos - imaginary[b]! * sin;
        const im = real[b]! * sin + imaginary[b]! * cos;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a]! += re;
        imaginary[a]! += im;
      }
    }
  }
};

/** Bins where JPEG's own 8 px grid, or a level row, puts power in any picture. */
const isCompressionBin = (fx: number, fy: number): boolean => {
  const onGrid = (f: number): boolean =>
    Math.abs(f) % (side / 8) <= 1 || Math.abs(f) % (side / 8) >= side / 8 - 1;
  return Math.abs(fx) <= 1 || Math.abs(fy) <= 1 || (onGrid(fx) && onGrid(fy));
};

const strongestPeak = (power: Float64Array): Moire => {
  const at = (fx: number, fy: number): number => power[((fy + side) % side) * side + ((fx + side) % side)]!;
  let best: Moire = { peakDecibels: 0, periodPx: 0 };
  for (let fy = 0; fy < side / 2; fy++) {
    for (let fx = 1 - side / 2; fx < side / 2; fx++) {
      const radius = Math.hypot(fx, fy);
      if (radius < radiusMin || radius > radiusMax || isCompressionBin(fx, fy)) {
        continue;
      }
      const peak = at(fx, fy);
      const isSummit =
        peak >= at(fx + 1, fy) && peak >= at(fx - 1, fy) && peak >= at(fx, fy + 1) && peak >= at(fx, fy - 1);
      if (!isSummit) {
        continue;
      }
      const decibels = 10 * Math.log10((peak + 1e-3) / (neighbourhood(at, fx, fy) + 1e-3));
      if (decibels > best.peakDecibels) {
        best = { peakDecibels: decibels, periodPx: side / radius };
      }
    }
  }
  return best;
};

/** Mean of the square ring four to six bins away: a narrow peak does not reach it, a texture's hump does. */
const neighbourhood = (at: (fx: number, fy: number) => number, fx: number, fy: number): number => {
  let sum = 0;
  let count = 0;
  for (let dy = -6; dy <= 6; dy++) {
    for (let dx = -6; dx <= 6; dx++) {
      const away = Math.max(Math.abs(dx), Math.abs(dy));
      if (away >= 4) {
        sum += at(fx + dx, fy + dy);
        count++;
      }
    }
  }
  return sum / count;
};
