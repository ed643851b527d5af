/** Light, focus and occlusion of the aligned face view (224 x 224 RGB, 0…255). Shares are 0…1. */
export type FaceQuality = {
  /** Mean absolute Laplacian over the luminance deviation: focus, independent of contrast. */
  readonly sharpness: number;
  readonly brightness: number;
  readonly contrast: number;
  /** Share of face pixels at or above 250. */
  readonly blownOut: number;
  /** Share of face pixels at or below 12. */
  readonly blackedOut: number;
  /** |left - right| / (left + right) of the cheeks' luminance. */
  readonly lightImbalance: number;
  /** The common share of the luminance histograms of the right and the left half of the face, 0…1. */
  readonly lightOverlap: number;
  /** Entropy of the face's luminance, 0…8 bits. */
  readonly dynamicRangeBits: number;
  /**
   * Chroma distance (CIELAB a*, b*) of mouth and chin to the skin between the brows: it reveals a mask or a
   * hand.
   */
  readonly lowerFaceChroma: number;
  /** Luminance of the eye region over that of the skin: dark lenses are far below bare eyes. */
  readonly eyeToSkin: number;
};

const side = 224;

/**
 * Patches of the aligned view, in its pixels. Their places follow from the alignment template in
 * recognition.ts.
 */
const patches = {
  face: { x: 64, y: 64, width: 96, height: 128 },
  rightHalf: { x: 64, y: 64, width: 46, height: 128 },
  leftHalf: { x: 114, y: 64, width: 46, height: 128 },
  rightCheek: { x: 62, y: 134, width: 20, height: 20 },
  leftCheek: { x: 142, y: 134, width: 20, height: 20 },
  glabella: { x: 104, y: 80, width: 16, height: 16 },
  mouthAndChin: { x: 90, y: 162, width: 44, height: 46 },
  rightEye: { x: 68, y: 96, width: 28, height: 18 },
  leftEye: { x: 128, y: 96, width: 28, height: 18 },
} as const;

type Patch = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Colour = readonly [red: number, green: number, blue: number];

/** Measures an aligned view made by `alignFace`. */
export const measureQuality = (aligned: Float32Array): FaceQuality => {
  const luminance = luminanceOf(aligned);
  const face = valuesIn(luminance, patches.face);
  const brightness = mean(face);
  const contrast = deviation(face, brightness);
  const right = mean(valuesIn(luminance, patches.rightCheek));
  const left = mean(valuesIn(luminance, patches.leftCheek));
  const brow = mean(valuesIn(luminance, patches.glabella));
  const eyes = (mean(valuesIn(luminance, patches.rightEye)) + mean(valuesIn(luminance, patches.leftEye))) / 2;
  return {
    sharpness: laplacianIn(luminance, patches.face) / Math.max(contrast, 1),
    brightness,
    contrast,
    blownOut: shareWithin(face, 250, Infinity),
    blackedOut: shareWithin(face, -Infinity, 12),
    lightImbalance: Math.abs(left - right) / Math.max(left + right, 1),
    lightOverlap: overlapOf(valuesIn(luminance, patches.rightHalf), valuesIn(luminance, patches.leftHalf)),
    dynamicRangeBits: entropyOf(face),
    lowerFaceChroma: chromaDistance(
      meanColour(aligned, patches.mouthAndChin),
      meanColour(aligned, patches.glabella),
    ),
    eyeToSkin: eyes / Math.max((right + left + brow) / 3, 20),
  };
};

/** Rec. 601 luma of interleaved RGB. */
const luminanceOf = (rgb: Float32Array): Float32Array => {
  const luminance = new Float32Array(rgb.length / 3);
  for (let i = 0, at = 0; i < luminance.length; i++, at += 3) {
    luminance[i] = 0.299 * rgb[at]! + 0.587 * rgb[at + 1]! + 0.114 * rgb[at + 2]!;
  }
  return luminance;
};

const valuesIn = (plane: Float32Array, { x, y, width, height }: Patch): Float32Array => {
  const values = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const start = (y + row) * side + x;
    values.set(plane.subarray(start, start + width), row * width);
  }
  return values;
};

const mean = (values: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!;
  }
  return sum / values.length;
};

const deviation = (values: Float32Array, middle: number): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += (values[i]! - middle) ** 2;
  }
  return Math.sqrt(sum / values.length);
};

const shareWithin = (values: Float32Array, low: number, high: number): number => {
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! >= low && values[i]! <= high) count++;
  }
  return count / values.length;
};

/** Shares of the values in 256 steps of so many grey levels. */
const histogramOf = (values: Float32Array, levelsPerStep: number): Float64Array => {
  const shares = new Float64Array(256);
  for (let i = 0; i < values.length; i++) {
    shares[Math.min(255, Math.max(0, Math.round(values[i]! / levelsPerStep)))]! += 1 / values.length;
  }
  return shares;
};

/**
 * Two halves under one light share their grey levels. Steps of eight are coarse because no two halves are
 * equal.
 */
const overlapOf = (right: Float32Array, left: Float32Array): number => {
  const other = histogramOf(left, 8);
  return histogramOf(right, 8).reduce((sum, share, i) => sum + Math.min(share, other[i]!), 0);
};

const entropyOf = (values: Float32Array): number =>
  histogramOf(values, 1).reduce((bits, share) => (share > 0 ? bits - share * Math.log2(share) : bits), 0);

const laplacianIn = (plane: Float32Array, { x, y, width, height }: Patch): number => {
  let sum = 0;
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const i = row * side + column;
      sum += Math.abs(4 * plane[i]! - plane[i - 1]! - plane[i + 1]! - plane[i - side]! - plane[i + side]!);
    }
  }
  return sum / (width * height);
};

const meanColour = (rgb: Float32Array, { x, y, width, height }: Patch): Colour => {
  let [red, green, blue] = [0, 0, 0];
  for (let row = y; row < y + height; row++) {
    for (let at = (row * side + x) * 3, end = at + 3 * width; at < end; at += 3) {
      red += rgb[at]!;
      green += rgb[at + 1]!;
      blue += rgb[at + 2]!;
    }
  }
  const count = width * height;
  return [red / count, green / count, blue / count];
};

const chromaDistance = (a: Colour, b: Colour): number => {
  const [, a1, b1] = toLab(a);
  const [, a2, b2] = toLab(b);
  return Math.hypot(a1 - a2, b1 - b2);
};

/** sRGB (IEC 61966-2-1) to CIELAB, D65. */
const toLab = (colour: Colour): Colour => {
  const [r, g, b] = colour.map((value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const x = cubeRoot((0.4124 * r! + 0.3576 * g! + 0.1805 * b!) / 0.9505);
  const y = cubeRoot(0.2126 * r! + 0.7152 * g! + 0.0722 * b!);
  const z = cubeRoot((0.0193 * r! + 0.1192 * g! + 0.9505 * b!) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};

/** CIELAB's cube root with its straight foot (CIE 15, 8.2.1). */
const cubeRoot = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
