import { seededRandom } from "#contract/statistics/random";
import { thresholdAt } from "#contract/statistics/scores";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { cohortScoreOf } from "#judging/face/matching/cohort-score";
import { compare } from "#judging/face/matching/comparison";
import { findCrooked, type ScalePoint, type ScoreScale } from "#judging/face/matching/score-scale";
import type { PairTemplate } from "#judging/face/matching/template-kinds";
import { blendCohort, type CohortFace } from "./blend-cohort.ts";
import { gatherFaces } from "./gather-faces.ts";

/**
 * With fewer identities the error of the worst group is underestimated. If 1 % was counted among random 300
 * identities of one half of UTKFace's groups, the worst group of the other half had up to 2.3 %, with 260 up
 * to 2.7 % (docs/measurements/fairness.md).
 */
export const fitPersonsMin = 350;
/** The rates of the fit. In a cluster of 40 identities eight pairs reach the last one. */
const rates = [3e-1, 1e-1, 3e-2, 1e-2] as const;
const folds = 5;
/** Clusters depend on their random start, so the mean of several runs is taken. */
const gatherings = 5;
/** A smaller cluster has too few pairs. */
const clusterMin = 15;

/**
 * A value, and the number of impostor pairs in the group where it was counted: the mean over several
 * gatherings.
 */
export type CountedPoint = ScalePoint & { readonly pairs: number };

export type CohortFit = {
  readonly points: readonly CountedPoint[];
  /** The identities, with the cohort score of a cohort without them. */
  readonly judged: readonly PairTemplate[];
  /** Their clusters, one list per gathering, as positions in `judged`. */
  readonly groups: readonly (readonly (readonly number[])[])[];
};

/**
 * Finds the value at each false match rate beside a cohort of these identities, in the cluster of similar
 * identities where the rate is highest: similar impostors without demographic labels. Each identity is judged
 * by a cohort of four fifths of the others. A cohort that contains the face scores it too high, and the rates
 * would be two to three times too low. `recogniser` and `seed` as in `blendCohort`, which
 * selected the identities. Returns a text with the reason if the fit is not possible.
 */
export const fitPoints = (
  persons: readonly CohortFace[],
  recogniser: string,
  seed: number,
): CohortFit | string => {
  if (persons.length < fitPersonsMin) {
    return `that takes ${fitPersonsMin} people, and there are ${persons.length}`;
  }
  const judged = judgeByOtherFolds(persons, recogniser, seed);
  if (judged === undefined) return "the faces are too similar";
  const groups = Array.from({ length: gatherings }, (_, i) => gatherPlaces(judged, seed + i));
  const values = groups.map((clusters) =>
    clusters.map((cluster) => Float64Array.from(scoresWithin(judged, cluster)).sort()),
  );
  const points = rates.map((rate) => pointAt(rate, values));
  return findCrooked(points, Number.POSITIVE_INFINITY) ?? { points, judged, groups };
};

const judgeByOtherFolds = (
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
            cohortScore: cohortScoreOf(cohort.faces, { dlib, faceres }, "own"),
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

/** Yields the scores of all pairs of a group: those of a large population would not fit into memory. */
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

/**
 * Impostor pairs that the product would match: the number of all, and the rate in the group where it is
 * highest.
 */
export type FalseMatches = { readonly count: number; readonly worstRate: number };

/** The effect of a cohort at one false match rate, on identities that are not in it. */
export type CohortGain = {
  readonly pairs: number;
  readonly shipped: FalseMatches;
  readonly own: FalseMatches;
};

/** `shipped`: the same identities in the same order, normalised by the shipped cohort. */
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
