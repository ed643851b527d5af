import { seededRandom } from "#statistics/random";
import { thresholdAt } from "#statistics/scores";
import { blendCohort, type CohortFace } from "./blend-cohort.ts";
import { scoreAtFmr } from "./calibration.ts";
import { commonnessOf } from "./commonness.ts";
import { compare } from "./comparison.ts";
import { gatherFaces } from "./gather-faces.ts";
import { findCrooked, type ScalePoint, type ScoreScale } from "./score-scale.ts";
import type { PairTemplate } from "./template-kinds.ts";

/**
 * Fewer people show the error of a group too badly: where 1 % was counted among random 300 people of one half of UTKFace's
 * groups, the worst group of the other half had up to 2.3 %, of 260 up to 2.7 (docs/measurements.md).
 */
export const fitPersonsMin = 350;
/** Rates at which a value is counted. Of a cluster of 40 people, eight pairs reach the last one. */
const rates = [3e-1, 1e-1, 3e-2, 1e-2] as const;
const folds = 5;
/** Clusters come out otherwise from other beginnings; the mean of several depends little on one. */
const gatherings = 5;
/** A smaller cluster has too few pairs. */
const clusterMin = 15;

/** A value, and how many pairs of strangers the group had in which it was counted: the mean over several gatherings. */
export type CountedPoint = ScalePoint & { readonly pairs: number };

export type CohortFit = {
  readonly points: readonly CountedPoint[];
  /** The people as cohorts without them see them. */
  readonly judged: readonly PairTemplate[];
  /** Clusters of them, several times over, as places in `judged`. */
  readonly groups: readonly (readonly (readonly number[])[])[];
};

/**
 * Which values a cohort of these people reaches at which false-match rate, in the cluster of alike people in which it is
 * highest: strangers of one's own kind, whom nobody has labelled. Each person is judged by a cohort of four fifths of the
 * others, because a cohort finds common whom it was made of, and would promise two to three times too little. `recogniser`
 * and `seed` as with `blendCohort`, which gave the people. Or, in words, why it cannot be told.
 */
export const fitPoints = (
  persons: readonly CohortFace[],
  recogniser: string,
  seed: number,
): CohortFit | string => {
  if (persons.length < fitPersonsMin) {
    return `that takes ${fitPersonsMin} people, and there are ${persons.length}`;
  }
  const judged = judgeCrosswise(persons, recogniser, seed);
  if (judged === undefined) return "the people are too much alike";
  const groups = Array.from({ length: gatherings }, (_, i) => gatherPlaces(judged, seed + i));
  const values = groups.map((clusters) =>
    clusters.map((cluster) => Float64Array.from(scoresWithin(judged, cluster)).sort()),
  );
  const points = rates.map((rate) => pointAt(rate, values));
  return findCrooked(points, Number.POSITIVE_INFINITY) ?? { points, judged, groups };
};

const judgeCrosswise = (
  persons: readonly CohortFace[],
  recogniser: string,
  seed: number,
): readonly PairTemplate[] | undefined => {
  const cohorts = Array.from(
    { length: folds },
    (_, fold) =>
      blendCohort(
        persons.filter((_person, i) => i % folds !== fold),
        recogniser,
        seed,
      )?.cohort,
  );
  const judged = persons.flatMap(({ dlib, faceres }, i): readonly PairTemplate[] => {
    const cohort = cohorts[i % folds];
    return cohort
      ? [
          {
            recogniser,
            dlib,
            faceres,
            commonness: commonnessOf(cohort.faces, { dlib, faceres }, "own"),
            cohort: "own",
          },
        ]
      : [];
  });
  return judged.length === persons.length ? judged : undefined;
};

const gatherPlaces = (judged: readonly PairTemplate[], seed: number): readonly (readonly number[])[] => {
  const placed = judged.map(({ dlib, faceres }, place) => ({ dlib, faceres, place }));
  return gatherFaces(placed, seededRandom(seed))
    .filter(({ length }) => length >= clusterMin)
    .map((cluster) => cluster.map(({ place }) => place));
};

/** Scores of all pairs of a group, one after the other: of a large population they would not fit into memory. */
function* scoresWithin(
  faces: readonly PairTemplate[],
  places: readonly number[],
  scale?: ScoreScale,
): Generator<number> {
  for (const [i, a] of places.entries()) {
    for (const b of places.slice(i + 1)) yield compare(faces[a]!, faces[b]!, scale)!.score;
  }
}

const pointAt = (falseMatchRate: number, gathered: readonly (readonly Float64Array[])[]): CountedPoint => {
  const worst = gathered.map((clusters) =>
    clusters
      .map((values) => ({ value: thresholdAt(values, falseMatchRate), pairs: values.length }))
      .reduce((most, one) => (one.value > most.value ? one : most), { value: -Infinity, pairs: 0 }),
  );
  const mean = (of: "value" | "pairs") => worst.reduce((sum, one) => sum + one[of], 0) / worst.length;
  return { falseMatchRate, value: mean("value"), pairs: Math.round(mean("pairs")) };
};

/** Pairs of strangers whom the product takes for one person: how many of all, and the share in the group in which it is highest. */
export type FalseMatches = { readonly count: number; readonly worstRate: number };

/** What a cohort changes at one false-match rate, for people whom it has not seen. */
export type CohortGain = {
  readonly pairs: number;
  readonly shipped: FalseMatches;
  readonly own: FalseMatches;
};

/** `shipped`: the same people in the same order, as the cohort that ships sees them. */
export const cohortGain = (
  { judged, groups, points }: CohortFit,
  shipped: readonly PairTemplate[],
  falseMatchRate: number,
): CohortGain => {
  const scoreMin = scoreAtFmr(falseMatchRate);
  const scale = { recogniser: judged[0]!.recogniser, name: "own", points };
  const countIn = (faces: readonly PairTemplate[], used?: ScoreScale): FalseMatches => {
    const shares = groups.map((clusters) =>
      Math.max(
        ...clusters.map((places) => countFrom(scoreMin, scoresWithin(faces, places, used)) / pairsOf(places)),
      ),
    );
    return {
      count: countFrom(scoreMin, scoresWithin(faces, [...faces.keys()], used)),
      worstRate: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    };
  };
  return { pairs: pairsOf(judged), shipped: countIn(shipped), own: countIn(judged, scale) };
};

const countFrom = (scoreMin: number, scores: Iterable<number>): number => {
  let count = 0;
  for (const score of scores) count += Number(score >= scoreMin);
  return count;
};

const pairsOf = ({ length }: { readonly length: number }): number => (length * (length - 1)) / 2;
