import { describe, expect, it } from "vitest";
import { goodImage, withFace } from "#support/face/measured";
import { type FaceJudging, makeFaceJudging } from "./judging.ts";
import { scoreAtFmr } from "./matching/calibration.ts";
import type { FaceSide } from "./matching/judge-comparison.ts";
import { valueOfScore } from "./matching/score-scale.ts";
import { packSingle, vectorSizes } from "./matching/single-template.ts";
import { defaultFacePolicy, type FacePolicy, withFalseMatchRates, withScale } from "./policy.ts";

const recogniser = "ab".repeat(40);
const points = [
  { falseMatchRate: 1e-1, value: 0.2 },
  { falseMatchRate: 1e-2, value: 0.32 },
  { falseMatchRate: 1e-3, value: 0.4 },
  { falseMatchRate: 1e-4, value: 0.46 },
];
const scale = { recogniser, name: "test/00000000", points };
const rates = { selfie: 1e-2, document: 1e-3, registry: 1e-4 };
const policy = withScale(withFalseMatchRates(defaultFacePolicy, rates), scale);

const judgingUnder = (used: FacePolicy): FaceJudging =>
  makeFaceJudging(
    {
      engine: { measure: () => Promise.reject(new Error("These tests measure no image")) },
      policy: used,
      bestImages: { uses: "once", ageMs: 1 },
      onError: () => undefined,
    },
    recogniser,
  );
const judging = judgingUnder(policy);

/** A template whose cosine with the template of cosine 1 is this. */
const templateAt = (cosine: number): Uint8Array => {
  const vector = new Float32Array(vectorSizes.min);
  vector[0] = cosine;
  vector[1] = Math.sqrt(1 - cosine ** 2);
  return packSingle({ recogniser, vector });
};
const sideAt = (cosine: number): FaceSide => ({ kind: "template", template: templateAt(cosine) });
const imageAt = (cosine: number, faceWidths: readonly number[] = [1]): FaceSide => ({
  ...goodImage,
  faceWidths,
  template: templateAt(cosine),
});

/** Far above the rounding of a template's values. */
const step = 1e-5;
const around = (rate: number, judge: (side: FaceSide) => string): readonly string[] => {
  const cosine = valueOfScore(points, scoreAtFmr(rate));
  return [cosine - step, cosine + step].map((one) => judge(sideAt(one)));
};

describe("the judging of faces for other modules", () => {
  it("compares two selfies at their own rate, just below and just above", () => {
    const judge = (side: FaceSide) => judging.compare(sideAt(1), side).result;
    expect(around(rates.selfie, judge)).toEqual(["Negative", "Positive"]);
    expect(around(rates.document, judge)).toEqual(["Positive", "Positive"]);
  });

  it("compares a template with a document's portrait at the rate for documents", () => {
    const judge = (side: FaceSide) => judging.comparePortrait(sideAt(1), side).result;
    expect(around(rates.selfie, judge)).toEqual(["Negative", "Negative"]);
    expect(around(rates.document, judge)).toEqual(["Negative", "Positive"]);
    expect(around(rates.registry, judge)).toEqual(["Positive", "Positive"]);
  });

  it("names the use of each comparison, and its score", () => {
    const score = scoreAtFmr(1e-3);
    const near = sideAt(valueOfScore(points, score));
    expect(judging.compare(sideAt(1), near)).toMatchObject({ use: "selfie" });
    expect(judging.comparePortrait(sideAt(1), near)).toMatchObject({ use: "document" });
    expect(judging.compare(sideAt(1), near).comparison?.score).toBeCloseTo(score, 4);
  });

  it.each([
    ["a reference", 0.5, [1], "Negative"],
    ["a reference", 0.8, [1], "None"],
    ["a probe", 1, [1, 0.34], "Negative"],
    ["a probe", 1, [1, 0.35], "None"],
  ] as const)(
    "lets %s have a second face up to its own size: %d, %j is %s",
    (which, share, widths, result) => {
      const reference = imageAt(1, which === "a reference" ? [1, share] : [1]);
      expect(judging.compare(reference, imageAt(0, widths)).result).toBe(result);
    },
  );

  it.each([
    ["template", [1, 0.35], [1], "None"],
    ["portrait", [1], [1, 0.5], "Negative"],
    ["portrait", [1], [1, 0.8], "None"],
  ] as const)("lets a document show its holder twice: %s", (_which, template, portrait, result) => {
    expect(judging.comparePortrait(imageAt(1, template), imageAt(0, portrait)).result).toBe(result);
  });

  it("reports a match beside a second face, and its score: only a wrong answer is at stake", () => {
    const near = imageAt(1, [1, 0.9]);
    expect(judging.compare(near, near)).toMatchObject({
      result: "Positive",
      comparison: { cosines: [expect.closeTo(1, 6)] },
    });
    expect(judging.compare(near, imageAt(0))).toEqual({ use: "selfie", result: "None" });
  });

  it("judges a face alone by the gates of a comparison and by a second face", () => {
    expect(judging.judgeAlone(imageAt(1))).toBe("Positive");
    expect(judging.judgeAlone(imageAt(1, [1, 0.34]))).toBe("Positive");
    expect(judging.judgeAlone(imageAt(1, [1, 0.35]))).toBe("None");
    expect(judging.judgeAlone(sideAt(1))).toBe("Positive");
    expect(judging.judgeAlone(goodImage)).toBe("NoneBecauseInvalidExtractions");
    const small = { ...withFace({ eyeDistancePx: 13 }), template: templateAt(1), faceWidths: [1, 0.9] };
    expect(judging.judgeAlone(small)).toBe("NoneBecauseInvalidExtractions");
    expect(judging.judgeAlone({ kind: "template", template: new Uint8Array(9) })).toBe(
      "NoneBecauseInvalidExtractions",
    );
    expect(judging.judgeAlone({ ...withFace({ eyeDistancePx: 13.9 }), template: templateAt(1) })).toBe(
      "NoneBecauseInvalidExtractions",
    );
  });

  it("compares no templates of different recognisers, and no image without a face or a measurement", () => {
    const other = packSingle({
      recogniser: "cd".repeat(40),
      vector: Float32Array.of(1, ...Array(15).fill(0)),
    });
    const { face: _, ...faceless } = goodImage;
    const sides: readonly FaceSide[] = [
      { kind: "template", template: other },
      { ...faceless, template: templateAt(1) },
      goodImage,
      { kind: "unreadable", code: "image_unreadable" },
      { kind: "unprepared", code: "image_unreadable" },
    ];
    for (const side of sides) {
      expect(judging.compare(sideAt(1), side)).toEqual({
        use: "selfie",
        result: "NoneBecauseInvalidExtractions",
      });
      expect(judging.compare(side, sideAt(1)).result).toBe("NoneBecauseInvalidExtractions");
    }
  });

  it("reports a rotated head on either side", () => {
    const pose = { yawDegrees: 60, pitchDegrees: 0, rollDegrees: 0 };
    const rotated: FaceSide = { ...withFace({ pose }), template: templateAt(1) };
    expect(judging.compare(rotated, sideAt(1)).result).toBe("NoneBecausePoseExceed");
    expect(judging.compare(sideAt(1), rotated).result).toBe("NoneBecausePoseExceed");
  });

  it("judges a copy of its own reference as an attack, whatever its cues are", () => {
    expect(judging.judgeBestImage(goodImage, false).result).toBe("Live");
    expect(judging.judgeBestImage(goodImage, true)).toMatchObject({ result: "NoLive", attackScore: 1 });
    expect(judging.judgeBestImage(withFace({ eyeDistancePx: 3 }), true).result).toBe(
      "NoneBecauseFaceTooSmall",
    );
  });

  it("passes a broken engine on as a failure", async () => {
    const failing = judging.measure(new Uint8Array(), {}, new AbortController().signal);
    await expect(failing).rejects.toMatchObject({ code: "engine_failed" });
  });
});
