import { cosine, fuse } from "./fusion.ts";
import type { PairTemplate, Vectors } from "./template-kinds.ts";

/**
 * A face that looks common to the recognisers scores higher with every stranger, so the excess of its commonness over
 * that of most faces is taken off: half for either face. Faces that look less common than that keep their score. Chosen on LFW and
 * the groups of UTKFace (docs/measurements.md, Recognition): beside the cohort that ships false matches of the worst group fall to a
 * fiftieth of plain fusion's, and TAR on LFW at FMR 1e-3 from 96.7 to 95.7 %, at 1e-2 and 1e-4 by .2 points or not at all. Most of its
 * faces are vectors that were moved: they tell how crowded a neighbourhood is better than who is in it, so many neighbours say more than
 * few. Of an own cohort few say as much, and less is taken off: 5 of 458 faces, where it was first measured.
 */
const normalisation = {
  shipped: { neighbourShare: 0.065, typical: 1.29, weight: 1.5 },
  own: { neighbourShare: 5 / 458, typical: 2.1, weight: 1 },
} as const;

/** The cohort that ships, or one that an operator built. */
export type CohortKind = keyof typeof normalisation;

/**
 * How common a face looks: its mean fused score with the faces of a cohort that are most like it, in impostor deviations.
 * Faces of groups that the recognisers know less of lie closer together, and score higher with strangers. A share of the cohort is
 * asked, 277 of the 4,265 faces that ship, so that the figure means the same beside one of another size.
 */
export const commonnessOf = (
  faces: readonly Vectors[],
  { dlib, faceres }: Vectors,
  kind: CohortKind,
): number => {
  const scores = Float64Array.from(faces, (face) =>
    fuse(cosine(face.dlib, dlib), cosine(face.faceres, faceres)),
  );
  const neighbours = Math.max(1, Math.round(faces.length * normalisation[kind].neighbourShare));
  const nearest = scores.sort().subarray(-neighbours);
  return nearest.reduce((sum, score) => sum + score, 0) / nearest.length;
};

/** Half of it is taken off every fused score of the face. */
export const excessOf = ({ commonness, cohort }: Pick<PairTemplate, "commonness" | "cohort">): number => {
  const { typical, weight } = normalisation[cohort ?? "shipped"];
  return weight * Math.max(0, commonness - typical);
};
