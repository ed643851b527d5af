import { normalDeviate, seededRandom } from "#statistics/random";
import { unitVector } from "../engine/recognition.ts";
import type { Cohort } from "./cohort.ts";
import { cosine, fuse } from "./fusion.ts";
import { addScaled, gatherFaces, less, meanOf } from "./gather-faces.ts";
import type { Vectors } from "./template-kinds.ts";

/** One person of a population: the vectors of a picture, and what tells whether to take it. */
export type CohortFace = Vectors & { readonly ageYears: number };

/** The service judges adults; children's faces are more alike than theirs. */
export const adultYears = 16;
/**
 * Two pictures of one person, and a blend that comes too near to somebody: of 7.3 million pairs of LFW's strangers fewer than one in
 * a million have this plain score.
 */
const sameFaceScore = 4.5;
/** Fewer people than this show too little of how alike a population's strangers are. */
export const cohortPersonsMin = 200;
/** Blends: enough for a population of any make, and a megabyte of vectors. */
const blendsMin = 400;
const blendsMax = 800;

export type Blended<Face extends CohortFace = CohortFace> = {
  readonly cohort: Cohort;
  /** The people it was made of, and the faces that were left out: children, and second pictures of a person. */
  readonly persons: readonly Face[];
  readonly minors: readonly Face[];
  readonly repeated: readonly Face[];
};

/**
 * Makes a cohort of a population's faces that holds nobody's vectors: faces are gathered into clusters of alike ones, and
 * each member of the cohort is a random blend of a whole cluster, mean + Σ w (x - mean) / √(n - 1), w normal. Blends that
 * would be taken for one of the people are thrown away. Blends of 400 people of UTKFace even out the groups of 400 others
 * as well as the people themselves do (docs/measurements.md). Undefined for fewer than `cohortPersonsMin` adults.
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
  const wanted = Math.min(blendsMax, Math.max(blendsMin, persons.length));
  const blends = clusters.flatMap((cluster) => {
    const share = Math.round((wanted * cluster.length) / persons.length);
    return blendsOf(cluster, share, random);
  });
  const isNobody = (blend: Vectors): boolean =>
    persons.every((person) => plainScore(person, blend) < sameFaceScore);
  const taken = new Set(persons);
  return {
    cohort: { recogniser, faces: blends.filter(isNobody) },
    persons,
    minors: faces.filter((face) => !isAdult(face)),
    repeated: adults.filter((face) => !taken.has(face)),
  };
};

/** The first picture of each person. */
const distinct = <Face extends Vectors>(faces: readonly Face[]): readonly Face[] => {
  const kept: Face[] = [];
  for (const face of faces) {
    if (kept.every((other) => plainScore(other, face) < sameFaceScore)) kept.push(face);
  }
  return kept;
};

const plainScore = (a: Vectors, b: Vectors): number =>
  fuse(cosine(a.dlib, b.dlib), cosine(a.faceres, b.faceres));

/** Random members of the cluster's Gaussian: the weights are shared by both descriptors, as a real face's parts are. */
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
