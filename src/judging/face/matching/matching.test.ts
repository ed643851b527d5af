import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { goodFace, goodImage } from "#support/face/measured";
import { axisVector, pairAt, vectorAt } from "#support/face/templates";
import { isSameImage } from "../liveness/resubmission.ts";
import { fmrAtScore, logRateOf, scoreAtFmr, scoreAtLogRate, similarityOf } from "./calibration.ts";
import { cohortScoreOf, excessOf } from "./cohort-score.ts";
import { compare, cosinesOf } from "./comparison.ts";
import { cosine, fuse } from "./fusion.ts";
import { impostorStatistics } from "./reference.ts";
import { packSingle, unpackSingle, vectorSizes } from "./single-template.ts";
import type { Vectors } from "./template-kinds.ts";

const { dlib, faceres } = impostorStatistics;

describe("the fused score", () => {
  it("is the sum of both cosines in impostor deviations, faceres with four tenths", () => {
    expect(fuse(dlib.mean, faceres.mean)).toBeCloseTo(0, 12);
    expect(fuse(dlib.mean + dlib.deviation, faceres.mean)).toBeCloseTo(1, 12);
    expect(fuse(dlib.mean, faceres.mean + faceres.deviation)).toBeCloseTo(0.4, 12);
    expect(fuse(dlib.mean - 2 * dlib.deviation, faceres.mean + 5 * faceres.deviation)).toBeCloseTo(0, 12);
    // A face compared with itself; template.ts bounds cohort scores by it.
    expect(fuse(1, 1)).toBeCloseTo(6.31, 2);
  });

  it("of two vectors is their dot product, whatever their length is", () => {
    const values = fc.integer({ min: 1, max: 40 }).chain((length) => {
      const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: length, maxLength: length });
      return fc.tuple(vector, vector);
    });
    fc.assert(
      fc.property(values, ([a, b]) => {
        const product = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
        expect(cosine(Float32Array.from(a), Float32Array.from(b))).toBeCloseTo(product, 9);
      }),
    );
  });
});

describe("the calibration curve", () => {
  it("continues straight beyond the counted scores", () => {
    for (const [from, step] of [
      [1.4, -1],
      [3.6, 1],
    ] as const) {
      const slope = logRateOf(from + step) - logRateOf(from);
      expect(logRateOf(from + 3 * step) - logRateOf(from)).toBeCloseTo(3 * slope, 9);
      expect(logRateOf(from + 1e-6) - logRateOf(from - 1e-6)).toBeCloseTo(2e-6 * slope * step, 9);
    }
    expect([logRateOf(0), logRateOf(1.4), logRateOf(3.6), logRateOf(5)]).toEqual(
      [1.25029377, -0.25442623, -3.10782623, -5.23470623].map((rate) => expect.closeTo(rate, 7)),
    );
  });

  it("has an inverse without bounds, and rates within 1e-6 and 1", () => {
    for (const score of [-8, 0, 1.4, 2, 3.6, 9, 20])
      expect(scoreAtLogRate(logRateOf(score))).toBeCloseTo(score, 9);
    expect([fmrAtScore(-9), fmrAtScore(1.5), fmrAtScore(9)]).toEqual([1, 10 ** logRateOf(1.5), 1e-6]);
    expect(scoreAtFmr(1)).toBeCloseTo(scoreAtLogRate(0), 12);
    // Similarity .5 is 1e-2, and 1.03 decades are one unit of its log odds.
    expect(similarityOf(scoreAtLogRate(-2 - 1.03))).toBeCloseTo(1 / (1 + Math.exp(-1)), 9);
  });
});

describe("the cohort score", () => {
  /** A cohort whose n-th face has the cosine n / count to the axes. */
  const cohortOf = (count: number) =>
    Array.from({ length: count }, (_, n) => pairAt((n + 1) / count, 0.5)).toReversed();
  const meanOfNearest = (count: number, nearest: number): number =>
    Array.from({ length: nearest }, (_, n) => fuse((count - n) / count, 0.5)).reduce(
      (sum, one) => sum + one,
      0,
    ) / nearest;
  const face = { dlib: axisVector(128), faceres: axisVector(1024) };

  it.each([
    ["shipped", 100, 7],
    ["shipped", 200, 13],
    ["own", 458, 5],
    ["own", 916, 10],
    ["own", 20, 1],
    ["shipped", 3, 1],
  ] as const)(
    "is the mean with the nearest faces of the %s cohort: of %i the nearest %i",
    (kind, count, nearest) => {
      expect(cohortScoreOf(cohortOf(count), face, kind)).toBeCloseTo(meanOfNearest(count, nearest), 5);
    },
  );

  it.each([
    ...Array.from({ length: 9 }, (_, i) => ({ dlib: i + 1, faceres: 9 - i })),
    { dlib: 128, faceres: 1024 },
  ])("is that of cosines one by one, to the last bit: $dlib and $faceres values", (sizes) => {
    const random = seededRandom(sizes.dlib);
    // Values of many sizes: sums of their products are rounded, and another order gives other last bits.
    const value = () => (2 * random() - 1) * 2 ** (-12 * random());
    const vectorsOf = (valueAt: (part: "dlib" | "faceres", i: number) => number): Vectors => ({
      dlib: Float32Array.from({ length: sizes.dlib }, (_, i) => valueAt("dlib", i)),
      faceres: Float32Array.from({ length: sizes.faceres }, (_, i) => valueAt("faceres", i)),
    });
    for (const count of [1, 2, 5, 8, 40, 41]) {
      const one = vectorsOf(value);
      const others = Array.from({ length: count }, () => vectorsOf(value));
      for (let nearest = 0; nearest < count; nearest++) {
        // Larger values of the same signs: no other face has a larger cosine.
        const near = vectorsOf((part, i) => Math.sign(one[part][i]!) * (1 + random()));
        const faces = others.with(nearest, near);
        const scores = faces.map((other) =>
          fuse(cosine(other.dlib, one.dlib), cosine(other.faceres, one.faceres)),
        );
        const neighbours = Float64Array.from(scores)
          .sort()
          .slice(count < 40 ? -1 : -3);
        expect(neighbours).toContain(scores[nearest]);
        expect(cohortScoreOf(faces, one, "shipped")).toBe(
          neighbours.reduce((sum, score) => sum + score, 0) / neighbours.length,
        );
      }
    }
  });

  it("subtracts only its excess over that of most faces", () => {
    expect([1, 1.29, 1.3, 2.29].map((cohortScore) => excessOf({ cohortScore }))).toEqual(
      [0, 0, 0.015, 1.5].map((excess) => expect.closeTo(excess, 12)),
    );
    const own = [1, 2.1, 3.1].map((cohortScore) => excessOf({ cohortScore, cohort: "own" }));
    expect(own).toEqual([0, 0, 1].map((excess) => expect.closeTo(excess, 12)));
  });
});

describe("the comparison of two templates", () => {
  it("of the bundled pair is the fused score less half of both excesses", () => {
    const [a, b] = [pairAt(1, 1, { cohortScore: 2.29 }), pairAt(0.8, 0.6, { cohortScore: 1.79 })];
    const found = compare(a, b)!;
    expect(found.score).toBeCloseTo(fuse(0.8, 0.6) - (1.5 + 0.75) / 2, 5);
    expect(found.cosines).toEqual([expect.closeTo(0.8, 6), expect.closeTo(0.6, 6)]);
    expect([found.similarity, found.falseMatchRate]).toEqual([
      similarityOf(found.score),
      fmrAtScore(found.score),
    ]);
    expect(compare(b, a)!.score).toBe(found.score);
  });

  it("uses a scale of its own recogniser alone", () => {
    const points = [
      { falseMatchRate: 1e-1, value: 1 },
      { falseMatchRate: 1e-2, value: 2 },
    ];
    const [a, b] = [pairAt(1, 1), pairAt(0.8, 0.6)];
    const plain = compare(a, b)!.score;
    expect(compare(a, b, { recogniser: "cd".repeat(72), name: "other", points })!.score).toBe(plain);
    expect(compare(a, b, { recogniser: a.recogniser, name: "faces" })!.score).toBe(plain);
    const scaled = compare(a, b, { recogniser: a.recogniser, name: "own", points })!;
    expect(Math.log10(scaled.falseMatchRate)).toBeCloseTo(Math.max(-6, -plain), 6);
  });

  it("has no value for other recognisers or vectors of other lengths", () => {
    const single = { recogniser: "ab".repeat(72), vector: axisVector(512) };
    expect(cosinesOf(pairAt(1, 1), pairAt(1, 1, { recogniser: "cd".repeat(72) }))).toBeUndefined();
    expect(cosinesOf(pairAt(1, 1), single)).toBeUndefined();
    expect(cosinesOf(single, { ...single, vector: axisVector(511) })).toBeUndefined();
    expect(cosinesOf(pairAt(1, 1), pairAt(1, 1, { faceres: axisVector(512) }))).toBeUndefined();
    expect(cosinesOf(single, { ...single, vector: vectorAt(0.25, 512) })).toEqual([expect.closeTo(0.25, 6)]);
  });
});

describe("a template of one vector", () => {
  const recogniser = "cd".repeat(40);

  it("has its fields at their places", () => {
    const vector = vectorAt(0.6, 16);
    const bytes = Buffer.from(packSingle({ recogniser, vector }));
    expect([bytes.toString("latin1", 0, 4), bytes[4], bytes.toString("hex", 5, 45)]).toEqual([
      "IDFA",
      1,
      recogniser,
    ]);
    expect([bytes.readUInt16LE(45), bytes.length]).toEqual([16, 47 + 4 * 16]);
    expect([bytes.readFloatLE(47), bytes.readFloatLE(47 + 4 * 15)]).toEqual([vector[0], vector[15]]);
  });

  it.each([
    [vectorSizes.min - 1, false],
    [vectorSizes.min, true],
    [vectorSizes.max, true],
    [vectorSizes.max + 1, false],
  ])("of %i values is read: %s", (length, isRead) => {
    expect(vectorSizes).toEqual({ min: 16, max: 1152 });
    expect(unpackSingle(packSingle({ recogniser, vector: axisVector(length) })) !== undefined).toBe(isRead);
  });

  it("is refused with another mark, version, count or length", () => {
    const bytes = packSingle({ recogniser, vector: axisVector(16) });
    for (const place of [0, 1, 2, 3, 4, 45, 46]) {
      expect([place, unpackSingle(bytes.with(place, bytes[place]! + 1))]).toEqual([place, undefined]);
    }
    expect(unpackSingle(Buffer.concat([bytes, new Uint8Array(4)]))).toBeUndefined();
  });

  it("is refused unless its values are a unit vector, within a thousandth", () => {
    const withLength = (square: number) =>
      unpackSingle(
        packSingle({ recogniser, vector: axisVector(16).map((value) => value * Math.sqrt(square)) }),
      );
    expect([0.9985, 0.9992, 1.0008, 1.0015].map((square) => withLength(square) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("two measured images", () => {
  const recogniser = "cd".repeat(40);
  const imageAt = (cosineToAxis: number, bits: number) => ({
    ...goodImage,
    face: {
      ...goodFace,
      fingerprint: Buffer.from(
        Array.from({ length: 32 }, (_, i) => 2 ** Math.max(0, Math.min(8, bits - 8 * i)) - 1),
      ).toString("hex"),
    },
    template: packSingle({ recogniser, vector: vectorAt(cosineToAxis, 512) }),
  });
  const original = imageAt(1, 0);

  it.each([
    [1, 0, true],
    [0.9701, 24, true],
    [0.9699, 24, false],
    [1, 25, false],
  ])("are copies of one image at a cosine of %d and %i other bits: %s", (cosineToAxis, bits, isCopy) => {
    expect(isSameImage(original, imageAt(cosineToAxis, bits))).toBe(isCopy);
    expect(isSameImage(imageAt(cosineToAxis, bits), original)).toBe(isCopy);
  });

  it("are no copies without a face, a template or a measurement of both", () => {
    const { face: _face, ...faceless } = original;
    const { template: _template, ...bare } = original;
    const unreadable = { kind: "unreadable", code: "image_unreadable" } as const;
    for (const other of [faceless, bare, unreadable]) {
      expect(isSameImage(original, other)).toBe(false);
      expect(isSameImage(other, original)).toBe(false);
    }
  });
});
