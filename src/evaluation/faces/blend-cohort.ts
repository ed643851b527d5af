import { normalDeviate, seededRandom } from "#contract/statistics/random";
import { unitVector } from "#judging/face/engine/recognition";
import type { Cohort } from "#judging/face/matching/cohort";
import { cosine, fuse } from "#judging/face/matching/fusion";
import type { Vectors } from "#judging/face/matching/template-kinds";
import { addScaled, gatherFaces, less, meanOf } from "./gather-faces.ts";

/** One identity of a population: the vectors of an image, and the age that decides whether to use it. */
export type CohortFace = Vectors & { readonly ageYears: number };

/** The service judges adults. The faces of children are more similar to each other. */
export const adultYears = 16;
/**
 * Marks two images of one person, and a blend too similar to an identity. Of 7.3 million impostor pairs of
 * LFW fewer than one in a million reach this plain score.
 */
const sameFaceScore = 4.5;
/** Fewer identities do not show how similar the impostors of a population are. */
export const cohortPersonsMin = 200;
/** Enough blends for any population, and a megabyte of vectors. */
const blendsMin = 400;
const blendsMax = 800;

export type Blended<Face extends CohortFace = CohortFace> = {
  readonly cohort: Cohort;
  /** The identities of the cohort, and the faces left out: children, and second images of an identity. */
  readonly persons: readonly Face[];
  readonly minors: readonly Face[];
  readonly repeated: readonly Face[];
};

/**
 * Makes a cohort that holds no vector of a real identity. Similar faces are gathered into clusters, and each
 * member of the cohort is a random blend of a whole cluster, mean + Σ w (x - mean) / √(n - 1), w normal. A
 * blend that would match one of the identities is dropped. Blends of 400 identities of UTKFace even out the
 * groups of 400 others as well as the identities themselves do (docs/measurements/fairness.md). Returns
 * undefined for fewer than `cohortPersonsMin` adults.
 */
export const blendCohort = <Face extends CohortFace>(
  faces: readonly Face[],
  recogniser: string,
  seed: number,
): Blended<Face> | undefined => {
  const isAdult = ({ ageYears }: CohortFace): boolean => ageYears >= adultYears;
  const adults = faces.filter(isAdult);
  const persons = distinct(adults);
  if (persons.length < cohortPersonsMin) return undefined;
  const random = seededRandom(seed);
  const clusters = gatherFaces(persons, random);
  const targetCount = Math.min(blendsMax, Math.max(blendsMin, persons.length));
  const blends = clusters.flatMap((cluster) => {
    const share = Math.round((targetCount * cluster.length) / persons.length);
    return blendsOf(cluster, share, random);
  });
  const matchesNone = (blend: Vectors): boolean => persons.every((person) => !areSameFace(person, blend));
  const taken = new Set(persons);
  return {
    cohort: { recogniser, faces: blends.filter(matchesNone) },
    persons,
    minors: faces.filter((face) => !isAdult(face)),
    repeated: adults.filter((face) => !taken.has(face)),
  };
};

/** The first image of each identity. */
const distinct = <Face extends Vectors>(faces: readonly Face[]): readonly Face[] => {
  const kept: Face[] = [];
  for (const face of faces) {
    if (kept.every((other) => !areSameFace(other, face))) kept.push(face);
  }
  return kept;
};

/** No cosine of two unit vectors is higher than this, rounding included. */
const cosineMax = 1.001;

/**
 * Most pairs miss the score by their smaller descriptors alone, even if the larger ones were equal. The
 * larger ones are compared for the other pairs only.
 */
const areSameFace = (a: Vectors, b: Vectors): boolean => {
  const dlib = cosine(a.dlib, b.dlib);
  return fuse(dlib, cosineMax) >= sameFaceScore && fuse(dlib, cosine(a.faceres, b.faceres)) >= sameFaceScore;
};

/**
 * Random members of the cluster's Gaussian. Both descriptors share the weights, as the two descriptors of a
 * real face are related.
 */
const blendsOf = (cluster: readonly Vectors[], count: number, random: () => number): readonly Vectors[] => {
  const middle = meanOf(cluster);
  const spread = cluster.map((face) => ({
    dlib: less(face.dlib, middle.dlib),
    faceres: less(face.faceres, middle.faceres),
  }));
  const scale = 1 / Math.sqrt(Math.max(1, cluster.length - 1));
  return Array.from({ length: count }, () => {
    const dlib = Float32Array.from(middle.dlib);
    const faceres = Float32Array.from(middle.faceres);
    for (const part of spread) {
      const weight = normalDeviate(random) * scale;
      addScaled(dlib, part.dlib, weight);
      addScaled(faceres, part.faceres, weight);
    }
    return { dlib: unitVector(dlib), faceres: unitVector(faceres) };
  });
};
