import { cosine } from "../../../src/judging/face/matching/fusion.ts";
import type { Vectors } from "../../../src/judging/face/matching/template-kinds.ts";

/** Two tiles of one generated face: the collages of SFHQ repeat a few (458 of 500 are distinct). */
const sameFace = { dlib: 0.97, faceres: 0.7 };

/** The first image of each face. */
export const distinctFaces = <Face extends Vectors>(faces: readonly Face[]): readonly Face[] => {
  const kept: Face[] = [];
  for (const face of faces) {
    const isKnown = kept.some(
      ({ dlib, faceres }) =>
        cosine(dlib, face.dlib) > sameFace.dlib && cosine(faceres, face.faceres) > sameFace.faceres,
    );
    if (!isKnown) kept.push(face);
  }
  return kept;
};
