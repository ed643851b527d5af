import { unitVector } from "#judging/face/engine/recognition";
import { cosine } from "#judging/face/matching/fusion";
import type { Vectors } from "#judging/face/matching/template-kinds";

/** The mean and the spread of a cluster need this many faces; a much larger cluster mixes groups. */
const facesPerCluster = 40;
const clustersMax = 12;
const rounds = 30;

/**
 * Gathers similar faces into clusters, which resemble demographic groups: spherical k-means (Dhillon and
 * Modha 2001) over both descriptors, each centred by its own mean. A cluster has about 40 faces, or a twelfth
 * of all. Empty clusters are dropped.
 */
export const gatherFaces = <Face extends Vectors>(
  faces: readonly Face[],
  random: () => number,
): readonly (readonly Face[])[] => {
  const middle = meanOf(faces);
  const places = faces.map((face) => join(less(face.dlib, middle.dlib), less(face.faceres, middle.faceres)));
  const count = Math.max(1, Math.min(clustersMax, Math.round(faces.length / facesPerCluster)));
  let centres = Array.from({ length: count }, () => places[Math.floor(random() * places.length)]!);
  let clusterOf: readonly number[] = [];
  for (let round = 0; round < rounds; round++) {
    const gathered = places.map((place) => nearest(centres, place));
    // Equal clusters have equal centres: further rounds would change nothing.
    if (gathered.every((cluster, at) => cluster === clusterOf[at])) break;
    clusterOf = gathered;
    centres = centres.map((centre, i) => {
      const members = places.filter((_, at) => clusterOf[at] === i);
      return members.length === 0 ? centre : unitVector(sumOf(members));
    });
  }
  const clusters = centres.map((_, i) => faces.filter((_face, at) => clusterOf[at] === i));
  return clusters.filter(({ length }) => length > 0);
};

const nearest = (centres: readonly Float32Array[], place: Float32Array): number => {
  const similarities = centres.map((centre) => cosine(centre, place));
  return similarities.indexOf(Math.max(...similarities));
};

/** Joins both centred descriptors, each of unit length, so that neither dominates. */
const join = (dlib: Float32Array, faceres: Float32Array): Float32Array => {
  const place = new Float32Array(dlib.length + faceres.length);
  place.set(unitVector(dlib));
  place.set(unitVector(faceres), dlib.length);
  return unitVector(place);
};

/** The mean of each descriptor. */
export const meanOf = (faces: readonly Vectors[]): Vectors => ({
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

export const less = (vector: Float32Array, mean: Float32Array): Float32Array =>
  vector.map((value, i) => value - mean[i]!);

export const addScaled = (sum: Float32Array, vector: Float32Array, weight: number): void => {
  for (let i = 0; i < sum.length; i++) sum[i]! += weight * vector[i]!;
};
