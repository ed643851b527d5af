import { describe, expect, it } from "vitest";
import { readCohort, readCohortPeople } from "../testing/pictures.ts";
import { blendCohort, type CohortFace, cohortPersonsMin } from "./blend-cohort.ts";
import { packCohort, unpackCohort } from "./cohort.ts";
import { commonnessOf } from "./commonness.ts";
import { cosine, fuse } from "./fusion.ts";

const shipped = readCohort();
const blendOf = (faces: readonly CohortFace[]) => blendCohort(faces, shipped.recogniser, 5);
// Some of the generated faces are as like each other as two pictures of a person.
const { persons: people, repeated: likes } = blendOf(
  readCohortPeople().map((face) => ({ ...face, ageYears: 30 })),
)!;
const likeness = (a: CohortFace | (typeof shipped.faces)[number], b: (typeof shipped.faces)[number]) =>
  fuse(cosine(a.dlib, b.dlib), cosine(a.faceres, b.faceres));

describe("a cohort of a population", () => {
  const blended = blendOf(people)!;

  it("holds faces like the people, and nobody of them", () => {
    expect(people.length + likes.length).toBe(readCohortPeople().length);
    expect(blended.persons).toHaveLength(people.length);
    expect(blended.cohort.faces.length).toBeGreaterThan(360);
    const nearest = blended.cohort.faces.map((blend) =>
      Math.max(...people.map((one) => likeness(one, blend))),
    );
    expect(Math.max(...nearest)).toBeLessThan(4.5);
    // As near to their nearest as strangers are, not as two pictures of one person.
    const median = nearest.toSorted((a, b) => a - b)[Math.floor(nearest.length / 2)]!;
    expect(median).toBeGreaterThan(1);
  });

  it("says the same of how common a face looks as the people themselves do", () => {
    const others = people.filter((_, i) => i % 2 === 0);
    const judges = people.filter((_, i) => i % 2 === 1);
    const own = blendOf(judges)!.cohort;
    const differences = others.map(
      (face) => commonnessOf(own.faces, face, "own") - commonnessOf(judges, face, "own"),
    );
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
    expect(Math.abs(mean)).toBeLessThan(0.3);
  });

  it("is the same for the same people, and survives its file", () => {
    const again = blendOf(people)!;
    expect(packCohort(again.cohort)).toEqual(packCohort(blended.cohort));
    expect(unpackCohort(packCohort(blended.cohort)).faces).toHaveLength(blended.cohort.faces.length);
  });

  it("leaves out children and second pictures of a person", () => {
    const child: CohortFace = { ...people[0]!, ageYears: 9 };
    const again = people.slice(7, 9).map((face) => ({ ...face }));
    const { minors, repeated } = blendOf([...people.slice(1), child, ...again])!;
    expect(minors).toStrictEqual([child]);
    expect(repeated).toStrictEqual(again);
  });

  it("is not made of too few", () => {
    expect(blendOf(people.slice(0, cohortPersonsMin - 1))).toBeUndefined();
  });
});
