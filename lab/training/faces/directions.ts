import { addScaled, less, meanOf } from "../../../src/evaluation/faces/gather-faces.ts";
import { unitVector } from "../../../src/judging/face/engine/recognition.ts";
import type { Vectors } from "../../../src/judging/face/matching/template-kinds.ts";

/** The mean difference of two kinds of faces, in both descriptors. */
export const directionBetween = (from: readonly Vectors[], to: readonly Vectors[]): Vectors => {
  const [here, there] = [meanOf(from), meanOf(to)];
  return { dlib: less(there.dlib, here.dlib), faceres: less(there.faceres, here.faceres) };
};

/** The mean of one change over several kinds of faces. */
export const meanDirection = (directions: readonly Vectors[]): Vectors => meanOf(directions);

/** Moves a face along a direction and restores its unit length. */
export const moveAlong = ({ dlib, faceres }: Vectors, direction: Vectors): Vectors => ({
  dlib: moved(dlib, direction.dlib),
  faceres: moved(faceres, direction.faceres),
});

const moved = (vector: Float32Array, by: Float32Array): Float32Array => {
  const sum = Float32Array.from(vector);
  addScaled(sum, by, 1);
  return unitVector(sum);
};
