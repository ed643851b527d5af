import { describe, expect, it } from "vitest";
import { packCohort, unpackCohort } from "#judging/face/matching/cohort";
import { cohortScoreOf } from "#judging/face/matching/cohort-score";
import { cosine, fuse } from "#judging/face/matching/fusion";
import { readCohort, readCohortPeople } from "#support/face/images";
import { blendCohort, type CohortFace, cohortPersonsMin } from "./blend-cohort.ts";

const shipped = readCohort();
const blendOf = (faces: readonly CohortFace[]) => blendCohort(faces, shipped.recogniser, 5);
// Some of the generated faces are as similar as two images of one person.
const { persons: identities, repeated: duplicates } = blendOf(
  readCohortPeople().map((face) => ({ ...face, ageYears: 30 })),
)!;
const likeness = (a: CohortFace | (typeof shipped.faces)[number], b: (typeof shipped.faces)[number]) =>
  fuse(cosine(a.dlib, b.dlib), cosine(a.faceres, b.faceres));

describe("a cohort of a population", () => {
  const blended = blendOf(identities)!;

  it("holds faces similar to the population, and no real face", () => {
    expect(identities.length + duplicates.length).toBe(readCohortPeople().length);
    expect(blended.persons).toHaveLength(identities.length);
    expect(blended.cohort.faces.length).toBeGreaterThan(360);
    const nearest = blended.cohort.faces.map((blend) =>
      Math.max(...identities.map((one) => likeness(one, blend))),
    );
    expect(Math.max(...nearest)).toBeLessThan(4.5);
    // The nearest neighbour has the distance of an impostor, not of a second image of the person.
    const median = nearest.toSorted((a, b) => a - b)[Math.floor(nearest.length / 2)]!;
    expect(median).toBeGreaterThan(1);
  });

  it("gives the same cohort scores as the population itself", () => {
    const others = identities.filter((_, i) => i % 2 === 0);
    const judges = identities.filter((_, i) => i % 2 === 1);
    const own = blendOf(judges)!.cohort;
    const differences = others.map(
      (face) => cohortScoreOf(own.faces, face, "own") - cohortScoreOf(judges, face, "own"),
    );
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
    expect(Math.abs(mean)).toBeLessThan(0.3);
  });

  it("is the same for the same faces, and survives its file", () => {
    const again = blendOf(identities)!;
    expect(packCohort(again.cohort)).toEqual(packCohort(blended.cohort));
    expect(unpackCohort(packCohort(blended.cohort)).faces).toHaveLength(blended.cohort.faces.length);
  });

  it("leaves out children and second images of an identity", () => {
    const child: CohortFace = { ...identities[0]!, ageYears: 9 };
    const again = identities.slice(7, 9).map((face) => ({ ...face }));
    const { minors, repeated } = blendOf([...identities.slice(1), child, ...again])!;
    expect(minors).toStrictEqual([child]);
    expect(repeated).toStrictEqual(again);
  });

  it("is refused for too few faces", () => {
    expect(blendOf(identities.slice(0, cohortPersonsMin - 1))).toBeUndefined();
  });
});
