import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import {
  type Cohort,
  normaliseTemplate,
  packCohort,
  scaleOfCohort,
  unpackCohort,
} from "#judging/face/matching/cohort";
import { cohortScoreOf } from "#judging/face/matching/cohort-score";
import { compare } from "#judging/face/matching/comparison";
import { readCohort, readCohortPeople } from "#support/face/images";
import { blendCohort, type CohortFace } from "./blend-cohort.ts";
import { type CohortFit, cohortGain, fitPersonsMin, fitPoints } from "./fit-points.ts";
import { gatherFaces } from "./gather-faces.ts";

const shipped = readCohort();
const { recogniser } = shipped;
const adult = <Face extends object>(face: Face) => ({ ...face, ageYears: 30 });
const blendOf = (people: readonly CohortFace[]) => blendCohort(people, recogniser, 5)!;
/** Identities drawn from those of the shipped cohort: two draws are impostors of the same kinds. */
const drawPeople = (...seeds: readonly number[]): readonly CohortFace[] =>
  blendOf(
    seeds.flatMap((seed) =>
      blendCohort(readCohortPeople().map(adult), recogniser, seed)!.cohort.faces.map(adult),
    ),
  ).persons.slice(0, 400);
const { persons, cohort } = blendOf(drawPeople(1, 2));
const others = drawPeople(3, 4);

let fit: CohortFit;
beforeAll(() => {
  const found = fitPoints(persons, recogniser, 5);
  if (typeof found === "string") throw new Error(found);
  fit = found;
});

/**
 * Share of pairs of the worst cluster of `people` that match at each rate beside this cohort, as the mean of
 * five gatherings.
 */
const worstOf = (people: readonly CohortFace[], own: Cohort, rates: readonly number[]): readonly number[] => {
  const scale = scaleOfCohort({ ...own, hash: "ab".repeat(32) });
  const seen = people.map((face) => ({
    ...face,
    ...normaliseTemplate(scale, { ...face, recogniser, cohortScore: 0 }),
  }));
  const gathered = [77, 78, 79, 80, 81].map((seed) =>
    gatherFaces(seen, seededRandom(seed))
      .filter(({ length }) => length >= 25)
      .map((cluster) =>
        cluster.flatMap((a, i) => cluster.slice(i + 1).map((b) => compare(a, b, scale)!.score)),
      ),
  );
  const shareFrom = (scores: readonly number[], rate: number): number =>
    scores.filter((score) => score >= scoreAtFmr(rate)).length / scores.length;
  return rates.map((rate) => {
    const worst = gathered.map((clusters) => Math.max(...clusters.map((scores) => shareFrom(scores, rate))));
    return worst.reduce((sum, share) => sum + share, 0) / worst.length;
  });
};

describe("the calibration beside a cohort", () => {
  it("holds for identities that had no part in it", () => {
    const own = unpackCohort(packCohort({ ...cohort, points: fit.points }));
    const rates = [1e-1, 3e-2] as const;
    const counted = worstOf(others, own, rates);
    for (const [i, rate] of rates.entries()) {
      expect(counted[i]).toBeGreaterThan(rate / 2.5);
      expect(counted[i]).toBeLessThan(rate * 2.5);
    }
  });

  it("is a scale of rising values, each with its number of pairs", () => {
    expect(fit.points.map(({ falseMatchRate }) => falseMatchRate)).toEqual([0.3, 0.1, 0.03, 0.01]);
    for (const { pairs } of fit.points) expect(pairs).toBeGreaterThan(105);
    expect(fitPoints(persons, recogniser, 5)).toEqual(fit);
  });

  it("judges no identity by a cohort that includes it", () => {
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const within = mean(persons.map((face) => cohortScoreOf(cohort.faces, face, "own")));
    expect(mean(fit.judged.map(({ cohortScore }) => cohortScore))).toBeLessThan(within);
  });

  it("is refused for too few identities, and the reason states the minimum", () => {
    expect(fitPoints(persons.slice(0, fitPersonsMin - 1), recogniser, 5)).toBe(
      "that takes 350 people, and there are 349",
    );
  });

  it("reports the change at a rate against the shipped cohort", () => {
    const seen = persons.map((face) => ({
      ...face,
      recogniser,
      cohortScore: cohortScoreOf(shipped.faces, face, "shipped"),
    }));
    const gain = cohortGain(fit, seen, 1e-1);
    expect(gain.pairs).toBe((persons.length * (persons.length - 1)) / 2);
    expect(gain.own.worstRate).toBeCloseTo(1e-1, 1);
    expect(gain.own.count / gain.pairs).toBeLessThan(gain.own.worstRate);
    const strict = cohortGain(fit, seen, 1e-2);
    expect(strict.own.count).toBeLessThan(gain.own.count);
    expect(strict.shipped.count).toBeLessThan(gain.shipped.count);
  });
});
