import { unitVector } from "../../src/face/engine/recognition.ts";
import { addScaled, less, meanOf } from "../../src/face/matching/gather-faces.ts";
import type { Vectors } from "../../src/face/matching/template-kinds.ts";

/** What faces of one kind have in both descriptors beyond those of another. */
export const directionBetween = (from: readonly Vectors[], to: readonly Vectors[]): Vectors => {
  const [here, there] = [meanOf(from), meanOf(to)];
  return { dlib: less(there.dlib, here.dlib), faceres: less(there.faceres, here.faceres) };
};

/** Of one change, found in several kinds of faces. */
export const meanDirection = (directions: readonly Vectors[]): Vectors => meanOf(directions);

/** The face so moved, of unit length again. */
export const moveAlong = ({ dlib, faceres }: Vectors, direction: Vectors): Vectors => ({
  dlib: moved(dlib, direction.dlib),
  faceres: moved(faceres, direction.faceres),
});

const moved = (vector: Float32Array, by: Float32Array): Float32Array => {
  const sum = Float32Array.from(vector);
  addScaled(sum, by, 1);
  return unitVector(sum);
};
