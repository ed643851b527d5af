import type { Image, Imaging, Point } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";
import { fitSimilarity } from "./geometry.ts";
import { mirror } from "./iris.ts";
import { flat, type Mesh, meshCenter, meshIndex } from "./mesh.ts";

/** Unit vectors of the two recognisers, and the outputs of faceres' own heads from the same pass. */
export type Embedding = {
  /** 128 values, unit length, dlib ResNet, image + mirror. */
  readonly dlib: Float32Array;
  /** 1024 values, faceres descriptor of image + mirror, each unit length, summed, not centred. */
  readonly faceres: Float32Array;
  readonly ageYears: number;
  /** 0 female … 1 male. */
  readonly maleness: number;
};

const dlibSide = 150;
const faceresSide = 224;

/** dlib's mean face (eye corners and nose base) in a chip with padding .25: dlib `get_face_chip_details`. */
const dlibTemplate: readonly Point[] = [
  [0.12057507, 0.21372745],
  [0.33408506, 0.22906424],
  [0.64606048, 0.22896744],
  [0.85956747, 0.21349815],
  [0.49011231, 0.62779753],
].map(([x, y]): Point => [(dlibSide * (0.25 + x!)) / 1.5, (dlibSide * (0.25 + y!)) / 1.5]);

/**
 * ArcFace's 112 px template about its centre, scaled by .85 to 224 px (sweep in docs/measurements/faces.md).
 */
const faceresTemplate: readonly Point[] = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
].map(([x, y]): Point => [(56 + (x! - 56) * 0.85) * 2, (56 + (y! - 56) * 0.85) * 2]);

/** VGG's channel means in BGR order: the training-time input of HSE_FaceRec_tf (facial_analysis.py:105). */
const bgrMean = [103.939, 116.779, 123.68] as const;

const dlibPoints = (mesh: Mesh): readonly Point[] =>
  [...meshIndex.rightEyeCorners, ...meshIndex.leftEyeCorners, meshIndex.noseBase].map((i) =>
    flat(mesh.points[i]!),
  );

/** Right eye, left eye, nose tip, right and left corner of the mouth. */
export const fivePoints = (mesh: Mesh): readonly Point[] => [
  meshCenter(mesh, meshIndex.rightEye),
  meshCenter(mesh, meshIndex.leftEye),
  ...[meshIndex.noseTip, ...meshIndex.mouthCorners].map((i) => flat(mesh.points[i]!)),
];

/**
 * The face as input of faceres: 224 x 224, upright, RGB 0…255. Also the normalised view of the occlusion
 * cues.
 */
export const alignFace = (imaging: Imaging, image: Image, mesh: Mesh, fill: number): Float32Array =>
  imaging.warpAffine(image, fitSimilarity(faceresTemplate, fivePoints(mesh)), faceresSide, faceresSide, fill);

/** The dlib descriptor of the face: unit length, image + mirror. */
export const makeEmbedDlib = (imaging: Imaging, dlib: Network) => {
  const run = async (pixels: Float32Array, isKept: boolean): Promise<Float32Array> => {
    const outputs = await dlib.run({ data: pixels, dims: [1, dlibSide, dlibSide, 3], isKept });
    return unitVector(Object.values(outputs)[0]!.data);
  };
  return async (image: Image, mesh: Mesh, fill: number): Promise<Float32Array> => {
    const matrix = fitSimilarity(dlibTemplate, dlibPoints(mesh));
    const chip = imaging.warpAffine(image, matrix, dlibSide, dlibSide, fill);
    const seen = await run(chip, true);
    mirror(chip, dlibSide);
    return unitVector(sum(seen, await run(chip, false)));
  };
};

/** Embeds one aligned face with both recognisers; `aligned` comes from `alignFace`. */
export const makeEmbed = (imaging: Imaging, dlib: Network, faceres: Network) => {
  const embedDlib = makeEmbedDlib(imaging, dlib);
  const runFaceres = async (bgr: Float32Array, isKept: boolean) => {
    const dims = [1, faceresSide, faceresSide, 3];
    const outputs = Object.values(await faceres.run({ data: bgr, dims, isKept }));
    const ofSize = (length: number): Float32Array => {
      const tensor = outputs.find(({ data }) => data.length === length);
      if (tensor === undefined) {
        throw new Error(`the face descriptor network has no output of ${length} values`);
      }
      return tensor.data;
    };
    return { descriptor: unitVector(ofSize(1024)), ages: ofSize(100), maleness: ofSize(1)[0]! };
  };
  return async (image: Image, mesh: Mesh, fill: number, aligned: Float32Array): Promise<Embedding> => {
    const described = await embedDlib(image, mesh, fill);
    const bgr = toBgr(aligned);
    const seen = await runFaceres(bgr, true);
    mirror(bgr, faceresSide);
    const mirrored = await runFaceres(bgr, false);
    return {
      dlib: described,
      faceres: sum(seen.descriptor, mirrored.descriptor),
      ageYears: expectedAge(seen.ages),
      maleness: seen.maleness,
    };
  };
};

/**
 * Expectation over the 100 one-year bins: MAE 5.8 years, against 6.9 for the likeliest bin
 * (docs/measurements/attributes.md).
 */
const expectedAge = (ages: Float32Array): number =>
  ages.reduce((years, share, i) => years + share * (i + 0.5), 0);

const toBgr = (rgb: Float32Array): Float32Array => {
  const bgr = new Float32Array(rgb.length);
  for (let i = 0; i < rgb.length; i += 3) {
    bgr[i] = rgb[i + 2]! - bgrMean[0];
    bgr[i + 1] = rgb[i + 1]! - bgrMean[1];
    bgr[i + 2] = rgb[i]! - bgrMean[2];
  }
  return bgr;
};

const sum = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, i) => value + b[i]!);

/** True for a vector of unit length, within the tolerance of rounding and of a change of its axes. */
export const isUnitVector = (vector: Float32Array): boolean =>
  Math.abs(vector.reduce((square, value) => square + value * value, 0) - 1) < 1e-3;

export const unitVector = (vector: Float32Array): Float32Array => {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  const length = Math.sqrt(square);
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < unit.length; i++) unit[i] = vector[i]! / length;
  return unit;
};
