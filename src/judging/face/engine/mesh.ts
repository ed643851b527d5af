import type { Affine, Image, Imaging, Point } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";
import type { Detection } from "./detection.ts";
import { applyAffine, centroid, squareWindow } from "./geometry.ts";

/** 468 landmarks: x, y in pixels of the image, z in the same unit (towards the camera is negative). */
export type Mesh = {
  /** Probability that the window shows a face at all, 0…1. */
  readonly presence: number;
  readonly points: readonly MeshPoint[];
};

export type MeshPoint = readonly [x: number, y: number, z: number];

const side = 192;
const pointCount = 468;
/** The window is this much larger than the detector's box (MediaPipe's own figure). */
const windowScale = 1.5;

/** Landmark numbers of MediaPipe's FaceMesh topology. `right` is the person's right: left in the image. */
export const meshIndex = {
  rightEye: [33, 133, 159, 145],
  leftEye: [263, 362, 386, 374],
  rightEyeCorners: [33, 133],
  leftEyeCorners: [362, 263],
  noseTip: 1,
  noseBase: 2,
  mouthCorners: [61, 291],
  innerLips: [13, 14],
  forehead: 10,
  chin: 152,
  rightEar: 234,
  leftEar: 454,
  betweenBrows: 9,
  noseBridge: 168,
  rightCheek: 50,
  leftCheek: 280,
  upperLip: 0,
  belowLip: 18,
  chinFront: 199,
  rightMouthSide: 214,
  leftMouthSide: 434,
} as const;

export const flat = (point: MeshPoint): Point => [point[0], point[1]];

export const meshCenter = (mesh: Mesh, indices: readonly number[]): Point =>
  centroid(indices.map((i) => flat(mesh.points[i]!)));

/**
 * Fits FaceMesh to one detection. The window is rotated so that the eyes are level. `fill` is the grey beyond
 * the image border.
 */
export const makeFitMesh =
  (imaging: Imaging, facemesh: Network) =>
  async (image: Image, detection: Detection, fill: number): Promise<Mesh> => {
    const matrix = meshWindow(detection);
    const input = imaging.warpAffine(image, matrix, side, side, fill);
    for (let i = 0; i < input.length; i++) {
      input[i]! /= 255;
    }
    const outputs = Object.values(await facemesh.run({ data: input, dims: [1, side, side, 3] }));
    const values = outputs.find(({ data }) => data.length === 3 * pointCount)?.data;
    const presence = outputs.find(({ data }) => data.length === 1)?.data[0];
    if (values === undefined || presence === undefined) {
      throw new Error("the landmark network lacks the landmark or the presence output");
    }
    const scale = Math.hypot(matrix[0], matrix[3]);
    const points = Array.from({ length: pointCount }, (_, i): MeshPoint => {
      const [x, y] = applyAffine(matrix, values[3 * i]!, values[3 * i + 1]!);
      return [x, y, values[3 * i + 2]! * scale];
    });
    return { presence, points };
  };

const meshWindow = ({ box, keypoints }: Detection): Affine => {
  const [rightEye, leftEye] = [keypoints[0]!, keypoints[1]!];
  const radians = Math.atan2(leftEye[1] - rightEye[1], leftEye[0] - rightEye[0]);
  const center: Point = [box.x + box.width / 2, box.y + box.height / 2];
  return squareWindow(center, windowScale * Math.max(box.width, box.height), radians, side);
};
