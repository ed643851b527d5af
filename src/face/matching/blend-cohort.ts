import { normalDeviate, seededRandom } from "#statistics/random";
import { unitVector } from "../engine/recognition.ts";
import { type Cohort, commonnessOf } from "./cohort.ts";
import { compare, cosine, fuse } from "./comparison.ts";
import type { Vectors } from "./template-kinds.ts";

/** One person of a population: the vectors of a picture, and what tells whether to take it. */
export type CohortFace = Vectors & { readonly ageYears: number };

/** The service judges adults; children's faces are more alike than theirs. */
const adultYears = 16;
/**
 * Two pictures of one person, and a blend that comes too near to somebody: of 7.3 million pairs of LFW's strangers fewer than one in
 * a million have this plain score.
 */
const sameFaceScore = 4.5;
/** Fewer people than this show too little of how alike a population's strangers are. */
export const cohortPersonsMin = 200;
/** A cluster's mean and spread need this many faces; with many more a cluster mixes groups. */
const facesPerCluster = 40;
const clustersMax = 12;
const rounds = 30;
/** Blends: enough for a population of any make, and a megabyte of vectors. */
const blendsMin = 400;
const blendsMax = 800;

export type Blended = {
  readonly cohort: Cohort;
  /** The people it was made of, and how many faces were left out. */
  readonly persons: readonly CohortFace[];
  readonly minors: number;
  readonly repeated: number;
};

/**
 * Makes a cohort of a population's faces that holds nobody's vectors: faces are gathered into clusters of alike ones, and
 * each member of the cohort is a random blend of a whole cluster, mean + Σ w (x - mean) / √(n - 1), w normal. Blends that
 * would be taken for one of the people are thrown away. Blends of 400 people of UTKFace even out the groups of 400 others
 * as well as the people themselves do (docs/measurements.md). Undefined for fewer than `cohortPersonsMin` adults.
 */
export const blendCohort = (
  faces: readonly CohortFace[],
  recogniser: string,
  seed: number,
): Blended | undefined => {
  const adults = faces.filter(({ ageYears }) => ageYears >= adultYears);
  const persons = distinct(adults);
  if (persons.length < cohortPersonsMin) return undefined;
  const random = seededRandom(seed);
  const clusters = gather(persons, random);
  const wanted = Math.min(blendsMax, Math.max(blendsMin, persons.length));
  const blends = clusters.flatMap((cluster) => {
    const share = Math.round((wanted * cluster.length) / persons.length);
    return blendsOf(cluster, share, random);
  });
  const isNobody = (blend: Vectors): boolean =>
    persons.every((person) => plainScore(person, blend) < sameFaceScore);
  return {
    cohort: { recogniser, faces: blends.filter(isNobody) },
    persons,
    minors: faces.length - adults.length,
    repeated: adults.length - persons.length,
  };
};

/** The first picture of each person. */
const distinct = (faces: readonly CohortFace[]): readonly CohortFace[] => {
  const kept: CohortFace[] = [];
  for (const face of faces) {
    if (kept.every((other) => plainScore(other, face) < sameFaceScore)) kept.push(face);
  }
  return kept;
};

/** False matches among strangers: how many of `pairs` reach the product's threshold. */
export type CohortGain = { readonly pairs: number; readonly shipped: number; readonly own: number };

/**
 * What an own cohort gains among the people whom it was made of, without judging them by themselves: either half is judged
 * by a cohort of the other. `shipped` is how common each looks in the cohort that ships. Undefined where half of them are
 * too few.
 */
export const cohortGain = (
  persons: readonly (CohortFace & { readonly commonness: number })[],
  recogniser: string,
  positiveScore: number,
  seed: number,
): CohortGain | undefined => {
  const halves = [0, 1].map((rest) => persons.filter((_, i) => i % 2 === rest));
  let [pairs, shipped, own] = [0, 0, 0];
  for (const [at, half] of halves.entries()) {
    const blended = blendCohort(halves[1 - at]!, recogniser, seed);
    if (blended === undefined) return undefined;
    const templates = half.map((face) => ({ ...face, recogniser }));
    const judged = templates.map((face) => ({ ...face, commonness: commonnessOf(blended.cohort, face) }));
    for (const [a, b] of pairsOf(half.length)) {
      pairs++;
      shipped += Number(compare(templates[a]!, templates[b]!)!.score >= positiveScore);
      own += Number(compare(judged[a]!, judged[b]!)!.score >= positiveScore);
    }
  }
  return { pairs, shipped, own };
};

function* pairsOf(count: number): Generator<readonly [number, number]> {
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) yield [a, b];
  }
}

const plainScore = (a: Vectors, b: Vectors): number =>
  fuse(cosine(a.dlib, b.dlib), cosine(a.faceres, b.faceres));

type Cluster = readonly CohortFace[];

/** Spherical k-means (Dhillon and Modha 2001) over both descriptors, each about its own mean; empty clusters fall away. */
const gather = (faces: readonly CohortFace[], random: () => number): readonly Cluster[] => {
  const middle = meanOf(faces);
  const places = faces.map((face) => join(less(face.dlib, middle.dlib), less(face.faceres, middle.faceres)));
  const count = Math.max(1, Math.min(clustersMax, Math.round(faces.length / facesPerCluster)));
  let centres = Array.from({ length: count }, () => places[Math.floor(random() * places.length)]!);
  let homes: readonly number[] = [];
  for (let round = 0; round < rounds; round++) {
    homes = places.map((place) => nearest(centres, place));
    centres = centres.map((centre, i) => {
      const members = places.filter((_, at) => homes[at] === i);
      return members.length === 0 ? centre : unitVector(sumOf(members));
    });
  }
  const clusters = centres.map((_, i) => faces.filter((_face, at) => homes[at] === i));
  return clusters.filter(({ length }) => length > 0);
};

const nearest = (centres: readonly Float32Array[], place: Float32Array): number => {
  const likeness = centres.map((centre) => cosine(centre, place));
  return likeness.indexOf(Math.max(...likeness));
};

/** Both descriptors about the population's mean, each of unit length, so that neither rules. */
const join = (dlib: Float32Array, faceres: Float32Array): Float32Array => {
  const place = new Float32Array(dlib.length + faceres.length);
  place.set(unitVector(dlib));
  place.set(unitVector(faceres), dlib.length);
  return unitVector(place);
};

/** Random members of the cluster's Gaussian: the weights are shared by both descriptors, as a real face's parts are. */
const blendsOf = (cluster: Cluster, count: number, random: () => number): readonly Vectors[] => {
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

const meanOf = (faces: readonly Vectors[]): Vectors => ({
  dlib: meanVector(faces.map(({ dlib }) => dlib)),
  faceres: meanVector(faces.map(({ faceres }) => faceres)),
});

const meanVector = (vectors: readonly Float32Array[]): Float32Array =>
  sumOf(vectors).map((value) => value / vectors.length);

const sumOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) addScaled(sum, vector, 1);
  return sum;
};

const less = (vector: Float32Array, mean: Float32Array): Float32Array =>
  vector.map((value, i) => value - mean[i]!);

const addScaled = (sum: Float32Array, vector: Float32Array, weight: number): void => {
  for (let i = 0; i < sum.length; i++) sum[i]! += weight * vector[i]!;
};
