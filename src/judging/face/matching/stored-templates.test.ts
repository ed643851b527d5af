import { describe, expect, it } from "vitest";
import { axisVector, pairAt, vectorAt } from "#support/face/templates";
import { unitVector } from "../engine/recognition.ts";
import { type Cohort, normaliseTemplate, packCohort, scaleOfCohort, unpackCohort } from "./cohort.ts";
import { cohortScoreOf } from "./cohort-score.ts";
import { faceresMean, templateReferenceId } from "./reference.ts";
import {
  centredFaceres,
  isSameTemplate,
  mapTemplate,
  packTemplate,
  recogniserOf,
  recogniserOfTemplate,
  templateBytes,
  unpackPair,
} from "./template.ts";

const models = { dlib: "12".repeat(32), faceres: "34".repeat(32) };
const recogniser = recogniserOf(models);
const cohort: Cohort = { recogniser, faces: [pairAt(0.9, 0.9), pairAt(0.1, 0.1)] };
const embedding = {
  dlib: vectorAt(0.7, 128),
  faceres: unitVector(faceresMean.map((value, i) => value + (i % 3))),
};
const packed = packTemplate(models, embedding, cohort);

/** The packed template with another cohort score. */
const withScore = (score: number): Uint8Array => {
  const bytes = Buffer.from(packed);
  bytes.writeFloatLE(score, 77);
  return new Uint8Array(bytes);
};

describe("a template of the bundled pair", () => {
  it("has its fields at their places", () => {
    const bytes = Buffer.from(packed);
    expect(packed).toHaveLength(templateBytes);
    expect(templateBytes).toBe(4 + 1 + 72 + 4 + 4 * (128 + 1024));
    expect([bytes.toString("latin1", 0, 4), bytes[4]]).toEqual(["IDFT", 2]);
    expect(bytes.toString("hex", 5, 77)).toBe(`${models.dlib}${models.faceres}${templateReferenceId}`);
    const centred = centredFaceres(embedding);
    const score = cohortScoreOf(cohort.faces, { dlib: embedding.dlib, faceres: centred }, "shipped");
    expect(bytes.readFloatLE(77)).toBeCloseTo(score, 5);
    expect([bytes.readFloatLE(81), bytes.readFloatLE(81 + 4 * 127)]).toEqual([
      embedding.dlib[0],
      embedding.dlib[127],
    ]);
    expect([bytes.readFloatLE(81 + 4 * 128), bytes.readFloatLE(81 + 4 * 1151)]).toEqual([
      centred[0],
      centred[1023],
    ]);
  });

  it("is read as it was packed", () => {
    expect(unpackPair(packed)).toEqual({
      recogniser,
      dlib: embedding.dlib,
      faceres: centredFaceres(embedding),
      cohortScore: expect.any(Number),
    });
    expect(recogniserOfTemplate(packed)).toBe(recogniser);
    expect(recogniserOfTemplate(packed.subarray(1))).toBeUndefined();
  });

  it("has the faceres descriptor less the mean of many faces, at unit length", () => {
    const centred = centredFaceres({ faceres: faceresMean.map((value, i) => value + (i === 5 ? 3 : 0)) });
    expect([centred[5], centred[6]]).toEqual([expect.closeTo(1, 5), expect.closeTo(0, 5)]);
  });

  it("is refused with another mark, version or length, and unless both vectors have unit length", () => {
    for (const place of [0, 1, 2, 3, 4]) {
      expect([place, unpackPair(packed.with(place, packed[place]! + 1))]).toEqual([place, undefined]);
    }
    expect(unpackPair(packed.subarray(0, -1))).toBeUndefined();
    expect(unpackPair(Buffer.concat([packed, new Uint8Array(1)]))).toBeUndefined();
    for (const at of [81, 81 + 4 * 128]) {
      const bytes = Buffer.from(packed);
      bytes.writeFloatLE(0.99, at);
      expect(unpackPair(bytes)).toBeUndefined();
    }
  });

  it("is refused with a cohort score that no face can have", () => {
    const isRead = (score: number): boolean => unpackPair(withScore(score)) !== undefined;
    expect([-3, 6.4, 6.5].map(isRead)).toEqual([true, true, true]);
    expect([Math.fround(6.5 + 1e-6), 7, Number.NaN, Number.NEGATIVE_INFINITY].map(isRead)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it("is not packed with the cohort of another recogniser", () => {
    expect(() => packTemplate(models, embedding, { ...cohort, recogniser: "00" })).toThrow(
      "another recogniser",
    );
  });

  it("is mapped part by part", () => {
    const mapped = unpackPair(
      mapTemplate(packed, { vector: (vector) => vector.toReversed(), cohortScore: (score) => score + 1 })!,
    )!;
    const read = unpackPair(packed)!;
    expect(mapped.dlib).toEqual(unitVector(read.dlib).toReversed());
    expect(mapped.faceres).toEqual(unitVector(read.faceres).toReversed());
    expect(mapped.cohortScore).toBeCloseTo(read.cohortScore + 1, 5);
    expect(
      mapTemplate(new Uint8Array(9), { vector: (one) => one, cohortScore: (one) => one }),
    ).toBeUndefined();
  });

  it.each([
    ["a rounding error", 5e-6, true],
    ["more than one", 3e-5, false],
  ])("is the same as one with %s in a value: %3$s", (_, difference, isSame) => {
    const changed = (at: number) => {
      const bytes = Buffer.from(packed);
      bytes.writeFloatLE(bytes.readFloatLE(at) + difference, at);
      return isSameTemplate(packed, new Uint8Array(bytes));
    };
    expect([changed(81), changed(81 + 4 * 127), changed(81 + 4 * 128), changed(81 + 4 * 600)]).toEqual(
      Array(4).fill(isSame),
    );
  });

  it("is the same at any length, and never that of another recogniser or no template", () => {
    const bytes = Buffer.from(packed);
    for (let at = 81; at < 81 + 4 * 128; at += 4) bytes.writeFloatLE(bytes.readFloatLE(at) * 1.0004, at);
    expect(isSameTemplate(packed, new Uint8Array(bytes))).toBe(true);
    expect(isSameTemplate(packed, withScore(3))).toBe(true);
    expect(isSameTemplate(packed, packed.with(5, packed[5]! + 1))).toBe(false);
    expect(isSameTemplate(new Uint8Array(3), new Uint8Array(3))).toBe(false);
  });
});

describe("a packed cohort", () => {
  const points = [
    { falseMatchRate: 1e-1, value: 1.5 },
    { falseMatchRate: 1e-2, value: 2.5 },
  ];
  const faceBytes = 4 + 128 + 4 + 1024;

  it.each([
    ["without points", cohort, 1, 79],
    ["with points", { ...cohort, points }, 2, 79 + 1 + 2 * 16],
  ] as const)("%s has its fields at their places and is read again", (_, one, version, facesFrom) => {
    const bytes = Buffer.from(packCohort(one));
    expect([bytes.toString("latin1", 0, 4), bytes[4], bytes.toString("hex", 5, 77)]).toEqual([
      "IDFC",
      version,
      recogniser,
    ]);
    expect([bytes.readUInt16LE(77), bytes.length]).toEqual([2, facesFrom + 2 * faceBytes]);
    // The largest value of a vector is 127 steps.
    const step = bytes.readFloatLE(facesFrom);
    expect([step, bytes.readInt8(facesFrom + 4)]).toEqual([expect.closeTo(0.9 / 127, 8), 127]);
    expect(bytes.readInt8(facesFrom + 4 + 127)).toBe(Math.round((Math.sqrt(1 - 0.81) / 0.9) * 127));
    const read = unpackCohort(bytes);
    expect([read.recogniser, read.points, read.faces.length]).toEqual([
      recogniser,
      version === 2 ? points : undefined,
      2,
    ]);
    read.faces.forEach((face, i) => {
      expect(face.dlib[0]).toBeCloseTo(cohort.faces[i]!.dlib[0]!, 2);
      expect(face.faceres[1023]).toBeCloseTo(cohort.faces[i]!.faceres[1023]!, 2);
      expect([face.dlib, face.faceres].map((vector) => Math.hypot(...vector))).toEqual([
        expect.closeTo(1, 5),
        expect.closeTo(1, 5),
      ]);
    });
  });

  const plain = packCohort(cohort);
  const scaled = packCohort({ ...cohort, points });

  it.each([
    ["another mark", plain.with(0, 0)],
    ["an unknown version", plain.with(4, 3)],
    ["version 0", plain.with(4, 0)],
    ["no faces", packCohort({ ...cohort, faces: [] })],
    ["a byte less", plain.subarray(0, -1)],
    ["a byte more", Buffer.concat([plain, new Uint8Array(1)])],
    ["no bytes", new Uint8Array()],
    ["only its head", plain.subarray(0, 79)],
    ["more points than bytes", scaled.subarray(0, 79 + 1 + 31)],
    [
      "seventeen points",
      Buffer.concat([scaled.subarray(0, 79).with(77, 0), Buffer.alloc(400).fill(17, 0, 1)]),
    ],
  ])("with %s is refused", (_, bytes) => {
    expect(() => unpackCohort(bytes)).toThrow("not a face cohort");
  });

  it.each([
    ["fall", points.toReversed()],
    ["are one", points.slice(0, 1)],
    ["are beyond every fused score", [points[0]!, { falseMatchRate: 1e-2, value: 10 }]],
  ])("whose points %s is refused", (_, wrong) => {
    expect(() => unpackCohort(packCohort({ ...cohort, points: wrong }))).toThrow("cannot be used");
  });

  it("takes sixteen points and values up to ten", () => {
    const many = Array.from({ length: 16 }, (_, n) => ({ falseMatchRate: 0.5 / 2 ** n, value: n * 0.66 }));
    const last = { falseMatchRate: 1e-6, value: 10 - 1e-9 };
    expect(unpackCohort(packCohort({ ...cohort, points: [...many.slice(0, 15), last] })).points).toHaveLength(
      16,
    );
  });

  it("names its scale, which changes only templates of its recogniser", () => {
    const scale = scaleOfCohort({ ...cohort, points, hash: "0123456789abcdef" });
    expect(scale).toEqual({ recogniser, name: "cohort/01234567", faces: cohort.faces, points });
    expect(scaleOfCohort({ ...cohort, hash: "0123456789" })).not.toHaveProperty("points");
    const own = pairAt(1, 1, { recogniser });
    expect(normaliseTemplate(scale, own)).toEqual({
      ...own,
      cohort: "own",
      cohortScore: cohortScoreOf(cohort.faces, own, "own"),
    });
    const single = { recogniser, vector: axisVector(16) };
    const foreign = pairAt(1, 1, { recogniser: "cd".repeat(72) });
    const { faces: _, ...faceless } = scale;
    expect([normaliseTemplate(scale, foreign), normaliseTemplate(scale, single)]).toEqual([foreign, single]);
    expect([normaliseTemplate(faceless, own), normaliseTemplate(undefined, own)]).toEqual([own, own]);
  });
});
