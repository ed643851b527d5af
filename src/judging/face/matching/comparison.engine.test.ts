import { describe, expect, it } from "vitest";
import { cohortEntry } from "#machine/networks/ledger";
import { readCohort } from "#support/face/images";
import { defaultFacePolicy, withScale } from "../policy.ts";
import { type Cohort, normaliseTemplate, packCohort, scaleOfCohort, unpackCohort } from "./cohort.ts";
import { cohortScoreOf, excessOf } from "./cohort-score.ts";
import { compare } from "./comparison.ts";
import { cosine, fuse } from "./fusion.ts";
import { judgeComparison } from "./judge-comparison.ts";
import { templateReferenceId } from "./reference.ts";
import {
  mapTemplate,
  packTemplate,
  recogniserOf,
  templateBytes,
  unpackPair,
  unpackTemplate,
} from "./template.ts";

const models = { dlib: "11".repeat(32), faceres: "22".repeat(32) };
const unit = (size: number, seed: number): Float32Array => {
  const raw = Float32Array.from({ length: size }, (_, i) => Math.sin((i + 1) * (seed + 0.7)));
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
};
const cohortOf = (hashes = models): Cohort => ({
  recogniser: recogniserOf(hashes),
  faces: Array.from({ length: 30 }, (_, i) => ({
    dlib: unit(128, 100 + 7 * i),
    faceres: unit(1024, 200 + 3 * i),
  })),
});
const packed = (seed: number, hashes = models) =>
  packTemplate(
    hashes,
    { dlib: unit(128, seed), faceres: unit(1024, seed + 3).map((value) => 2 * value) },
    cohortOf(hashes),
  );
const unpacked = (bytes: Uint8Array) => {
  const template = unpackPair(bytes);
  if (template === undefined) throw new Error("The template was not read");
  return template;
};

describe("fusion", () => {
  it("rises with either cosine", () => {
    expect(fuse(0.95, 0.4)).toBeGreaterThan(fuse(0.9, 0.4));
    expect(fuse(0.95, 0.4)).toBeGreaterThan(fuse(0.95, 0.3));
  });
});

describe("compare", () => {
  it("scores a template highest with itself, in either order", () => {
    const [a, b] = [unpacked(packed(1)), unpacked(packed(2))];
    const [self, other] = [compare(a, a), compare(a, b)];
    expect(self?.cosines[0]).toBeCloseTo(1, 5);
    expect(self!.similarity).toBeGreaterThan(other!.similarity);
    expect(compare(b, a)).toEqual(other);
  });

  it("never compares templates of different models", () => {
    const foreign = packed(1, { ...models, faceres: "33".repeat(32) });
    expect(compare(unpacked(packed(1)), unpacked(foreign))).toBeUndefined();
  });
});

describe("normalisation by the cohort", () => {
  const a = unpacked(packed(1));
  const score = (cohortScore: number, other = 0) =>
    compare({ ...a, cohortScore }, { ...unpacked(packed(2)), cohortScore: other })!.score;

  it("subtracts only the excess of the cohort score, half for either face", () => {
    expect(score(1.2)).toBe(score(-3));
    expect(score(1.2) - score(3.29)).toBeCloseTo(1.5, 6);
    expect(score(1.2) - score(3.29, 3.29)).toBeCloseTo(3, 6);
  });

  it("is named in the templates' recogniser: a change of either needs another name in reference.ts", () => {
    const [{ sha256 }] = cohortEntry.files;
    const one = { dlib: unit(128, 1), faceres: unit(1024, 2) };
    const named = [
      templateReferenceId,
      sha256.slice(0, 8),
      excessOf({ cohortScore: 2.29 }),
      cohortScoreOf(readCohort().faces, one, "shipped"),
    ];
    expect(named).toEqual([
      "c05a7abaacf5427c",
      "cbc7c0f3",
      expect.closeTo(1.5, 9),
      expect.closeTo(-17.926, 3),
    ]);
  });

  it("gives a high cohort score to a face with similar faces in the cohort", () => {
    const cohort = cohortOf();
    const known = cohort.faces[3]!;
    const impostor = { dlib: known.dlib.map((value) => -value), faceres: known.faceres };
    expect(cohortScoreOf(cohort.faces, known, "shipped")).toBeGreaterThan(
      cohortScoreOf(cohort.faces, impostor, "shipped"),
    );
  });

  it("refuses a cohort of another recogniser", () => {
    const foreign = { ...cohortOf(), recogniser: "00".repeat(72) };
    const embedding = { dlib: unit(128, 1), faceres: unit(1024, 2) };
    expect(() => packTemplate(models, embedding, foreign)).toThrow(/another recogniser/);
  });
});

describe("an own cohort", () => {
  const points = [
    { falseMatchRate: 1e-1, value: 0.5 },
    { falseMatchRate: 1e-2, value: 1.5 },
  ];
  const [a, b] = [unpacked(packed(1)), unpacked(packed(2))];
  const own = { ...cohortOf(), faces: cohortOf().faces.slice(0, 9), hash: "ab".repeat(32) };

  it("replaces the cohort score of the template", () => {
    const seen = normaliseTemplate(scaleOfCohort(own), { ...a, cohortScore: 6 });
    expect(seen).toEqual({ ...a, cohortScore: cohortScoreOf(own.faces, a, "own"), cohort: "own" });
    expect(normaliseTemplate(undefined, a)).toBe(a);
    const foreign = unpacked(packed(1, { ...models, faceres: "33".repeat(32) }));
    expect(normaliseTemplate(scaleOfCohort(own), foreign)).toBe(foreign);
  });

  it("decides on the sides of a comparison", () => {
    const claiming = mapTemplate(packed(1), { vector: (vector) => vector, cohortScore: () => 6 })!;
    const scale = scaleOfCohort({ ...own, points });
    const { comparison: policy } = withScale(defaultFacePolicy, scale);
    const side = (template: Uint8Array) => ({ kind: "template" as const, template });
    const judged = judgeComparison(side(claiming), side(packed(2)), policy, { use: "selfie" });
    expect(judged.comparison).toEqual(
      compare(normaliseTemplate(scale, a), normaliseTemplate(scale, b), scale),
    );
  });

  it("keeps scores without points, and maps them to the counted rates with points", () => {
    const plain = scaleOfCohort(own);
    expect(compare(a, b, plain)).toEqual(compare(a, b));
    const { score } = compare(a, b)!;
    const at = (value: number) => ({ falseMatchRate: value > score ? 1e-3 : 1e-1, value });
    const scale = scaleOfCohort({ ...own, points: [at(score), at(score + 1)] });
    expect(compare(a, b, scale)?.falseMatchRate).toBeCloseTo(1e-1, 9);
    expect(compare(a, b, scaleOfCohort({ ...own, points }))?.cosines).toEqual(compare(a, b)?.cosines);
  });
});

describe("a cohort", () => {
  it("keeps its points through packing, and is refused with points that are not a scale", () => {
    const points = [0.3, 0.1, 0.01].map((falseMatchRate, i) => ({ falseMatchRate, value: i - 0.5 }));
    const counted = { ...cohortOf(), points };
    const bytes = packCohort(counted);
    expect(unpackCohort(bytes).points).toEqual(points);
    expect(unpackCohort(bytes).faces).toEqual(unpackCohort(packCohort(cohortOf())).faces);
    expect(unpackCohort(packCohort(cohortOf()))).not.toHaveProperty("points");
    const withPoints = (given: typeof points) => () =>
      unpackCohort(packCohort({ ...counted, points: given }));
    expect(withPoints(points.slice(1, 2))).toThrow(/fewer than two points/);
    expect(withPoints(points.toReversed())).toThrow(/do not rise/);
    expect(withPoints([...points, { falseMatchRate: 1e-3, value: Number.NaN }])).toThrow(/do not rise/);
    expect(withPoints([...points, { falseMatchRate: 1e-3, value: 10 }])).toThrow(/do not rise/);
    expect(withPoints([{ falseMatchRate: 1, value: -2 }, ...points])).toThrow(/do not rise/);
    expect(
      withPoints(Array.from({ length: 17 }, (_, i) => ({ falseMatchRate: 0.9 ** (i + 1), value: i / 10 }))),
    ).toThrow(/not a face cohort/);
    expect(() => unpackCohort(bytes.subarray(0, -1))).toThrow(/not a face cohort/);
    expect(() => unpackCohort(bytes.subarray(0, 90))).toThrow(/not a face cohort/);
    expect(() => unpackCohort(bytes.with(4, 3))).toThrow(/not a face cohort/);
  });

  it("keeps its faces through packing, up to a thousandth of a cosine", () => {
    const cohort = cohortOf();
    const read = unpackCohort(packCohort(cohort));
    expect(read.recogniser).toBe(cohort.recogniser);
    for (const [i, { dlib, faceres }] of read.faces.entries()) {
      expect(cosine(dlib, cohort.faces[i]!.dlib)).toBeCloseTo(1, 3);
      expect(cosine(faceres, cohort.faces[i]!.faceres)).toBeCloseTo(1, 3);
    }
  });

  it("is refused when it is cut short or of another format", () => {
    const bytes = packCohort(cohortOf());
    expect(() => unpackCohort(bytes.subarray(1))).toThrow(/not a face cohort/);
    expect(() => unpackCohort(bytes.subarray(0, -1))).toThrow(/not a face cohort/);
    expect(() => unpackCohort(new Uint8Array(100))).toThrow(/not a face cohort/);
  });
});

describe("a template", () => {
  it("keeps its numbers through packing", () => {
    const template = unpacked(packed(5));
    expect(Array.from(template.dlib)).toEqual(Array.from(unit(128, 5)));
    expect(Math.hypot(...template.faceres)).toBeCloseTo(1, 5);
  });

  it("is refused when it is cut, lengthened, of another version or not made of unit vectors", () => {
    const bytes = packed(1);
    const changed = (at: number, value: number) => bytes.with(at, value);
    expect(bytes.length).toBe(templateBytes);
    expect(unpackTemplate(bytes.subarray(1))).toBeUndefined();
    expect(unpackTemplate(new Uint8Array([...bytes, 0]))).toBeUndefined();
    expect(unpackTemplate(changed(4, 1))).toBeUndefined();
    expect(unpackTemplate(changed(0, 0))).toBeUndefined();
    expect(unpackTemplate(bytes.slice().fill(0, 80))).toBeUndefined();
    expect(unpackTemplate(bytes.slice().fill(0xff, 80))).toBeUndefined();
  });

  it("is refused if its cohort score is higher than possible", () => {
    const claiming = (cohortScore: number) =>
      mapTemplate(packed(1), { vector: (vector) => vector, cohortScore: () => cohortScore })!;
    expect(unpackPair(claiming(fuse(1, 1)))?.cohortScore).toBeCloseTo(fuse(1, 1), 5);
    for (const cohortScore of [7.7, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(unpackTemplate(claiming(cohortScore))).toBeUndefined();
    }
  });
});
