/** What the aligned face view (224 x 224 RGB, 0…255) tells of light, focus and covering. Shares are 0…1. */
export type FaceQuality = {
  /** Mean absolute Laplacian over the luminance deviation: contrast-free focus. */
  readonly sharpness: number;
  readonly brightness: number;
  readonly contrast: number;
  /** Share of face pixels at or above 250. */
  readonly blownOut: number;
  /** Share of face pixels at or below 12. */
  readonly blackedOut: number;
  /** |left - right| / (left + right) of the cheeks' luminance. */
  readonly lightImbalance: number;
  /** Chroma distance (CIELAB a*, b*) of mouth and chin to the skin between the brows: a mask or a hand shows here. */
  readonly lowerFaceChroma: number;
  /** Luminance of the eye region over that of the skin: dark lenses lie far below naked eyes. */
  readonly eyeToSkin: number;
};

const side = 224;

/** Patches of the aligned view, in its pixels: places follow from the alignment template in recognition.ts. */
const patches = {
  face: { x: 64, y: 64, width: 96, height: 128 },
  rightCheek: { x: 62, y: 134, width: 20, height: 20 },
  leftCheek: { x: 142, y: 134, width: 20, height: 20 },
  glabella: { x: 104, y: 80, width: 16, height: 16 },
  mouthAndChin: { x: 90, y: 162, width: 44, height: 46 },
  rightEye: { x: 68, y: 96, width: 28, height: 18 },
  leftEye: { x: 128, y: 96, width: 28, height: 18 },
} as const;

type Patch = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Colour = readonly [red: number, green: number, blue: number];

/** Measures an aligned view as `alignFace` gives it. */
export const measureQuality = (aligned: Float32Array): FaceQuality => {
  const luminance = luminanceOf(aligned);
  const face = valuesIn(luminance, patches.face);
  const brightness = mean(face);
  const contrast = Math.sqrt(mean(face.map((value) => (value - brightness) ** 2)));
  const right = mean(valuesIn(luminance, patches.rightCheek));
  const left = mean(valuesIn(luminance, patches.leftCheek));
  const brow = mean(valuesIn(luminance, patches.glabella));
  const eyes = [...valuesIn(luminance, patches.rightEye), ...valuesIn(luminance, patches.leftEye)];
  const share = (test: (value: number) => boolean): number => face.filter(test).length / face.length;
  return {
    sharpness: laplacianIn(luminance, patches.face) / Math.max(contrast, 1),
    brightness,
    contrast,
    blownOut: share((value) => value >= 250),
    blackedOut: share((value) => value <= 12),
    lightImbalance: Math.abs(left - right) / Math.max(left + right, 1),
    lowerFaceChroma: chromaDistance(
      meanColour(aligned, patches.mouthAndChin),
      meanColour(aligned, patches.glabella),
    ),
    eyeToSkin: mean(eyes) / Math.max((right + left + brow) / 3, 20),
  };
};

/** Rec. 601 luma of interleaved RGB. */
const luminanceOf = (rgb: Float32Array): Float32Array =>
  Float32Array.from(
    { length: rgb.length / 3 },
    (_, i) => 0.299 * rgb[3 * i]! + 0.587 * rgb[3 * i + 1]! + 0.114 * rgb[3 * i + 2]!,
  );

const valuesIn = (plane: Float32Array, { x, y, width, height }: Patch): readonly number[] =>
  Array.from({ length: height }, (_, row) =>
    plane.subarray((y + row) * side + x, (y + row) * side + x + width),
  ).flatMap((row) => [...row]);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

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

const meanColour = (rgb: Float32Array, patch: Patch): Colour => {
  const channel = (offset: number): number => {
    const plane = Float32Array.from({ length: rgb.length / 3 }, (_, i) => rgb[3 * i + offset]!);
    return mean(valuesIn(plane, patch));
  };
  return [channel(0), channel(1), channel(2)];
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
  const curve = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = curve((0.4124 * r! + 0.3576 * g! + 0.1805 * b!) / 0.9505);
  const y = curve(0.2126 * r! + 0.7152 * g! + 0.0722 * b!);
  const z = curve((0.0193 * r! + 0.1192 * g! + 0.9505 * b!) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};
