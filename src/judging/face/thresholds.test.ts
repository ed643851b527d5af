import { describe, expect, it } from "vitest";
import { falseMatchRates } from "#machine/config/variables";
import {
  figuresOf,
  justAbove,
  justBelow,
  type Threshold,
  wrongAnswers,
} from "#support/contract/statistics/thresholds";
import { type goodFace, goodImage, plainCues, withFace, withQuality } from "#support/face/measured";
import { judgeEyewear } from "./attributes/eyewear.ts";
import { judgeLiveness } from "./liveness/judge-liveness.ts";
import { fmrAtScore, scoreAtFmr } from "./matching/calibration.ts";
import { incomparableResultOf, judgeCompared } from "./matching/judge-comparison.ts";
import type { FaceMeasurement, MeasuredImage } from "./measurement.ts";
import { type ComparisonUse, comparisonUses, defaultFacePolicy, type FacePolicy } from "./policy.ts";

type FaceThreshold = Threshold<FacePolicy>;

const scoreOnly = (score: number, policy: FacePolicy, use: ComparisonUse) =>
  judgeCompared([goodImage, goodImage], { score }, policy.comparison, { use }).result;

/** A lower rate is a higher score, and a rate is a figure of three uses. */
const rateOf = (use: ComparisonUse): FaceThreshold => ({
  judge: (rate, policy) => scoreOnly(scoreAtFmr(rate), policy, use),
  answers: ["Positive", "Positive", "Negative"],
  step: 1e-12,
});

const incomparable = (image: FaceMeasurement, { comparison }: FacePolicy) =>
  incomparableResultOf([goodImage, image], comparison) ?? "compared";

const recognisable = (imageOf: (value: number) => MeasuredImage): FaceThreshold => ({
  judge: (value, policy) => incomparable(imageOf(value), policy),
  answers: ["NoneBecauseInvalidExtractions", "compared", "compared"],
});

const comparedPose = (imageOf: (value: number) => MeasuredImage): FaceThreshold => ({
  judge: (value, policy) => [value, -value].map((degrees) => incomparable(imageOf(degrees), policy)),
  answers: [
    ["compared", "compared"],
    ["compared", "compared"],
    ["NoneBecausePoseExceed", "NoneBecausePoseExceed"],
  ],
});

/** A score that matches no person is reported as None beside a second face of this size. */
const secondFace = (side: "reference" | "probe"): FaceThreshold => ({
  judge: (share, { comparison: { referenceCrowdShareMin, crowdShareMin, ...rest } }) => {
    const crowded = { ...goodImage, faceWidths: [1, share] };
    const sides = side === "reference" ? ([crowded, goodImage] as const) : ([goodImage, crowded] as const);
    const policy = { ...rest, referenceCrowdShareMin, crowdShareMin };
    const question = { use: "selfie", sizeRatios: [referenceCrowdShareMin, crowdShareMin] } as const;
    return judgeCompared(sides, { score: 0 }, policy, question).result;
  },
  answers: ["Negative", "None", "None"],
});

const withPose = (change: Partial<typeof goodFace.pose>) =>
  withFace({ pose: { yawDegrees: 0, pitchDegrees: 0, rollDegrees: 0, ...change } });

const live = (image: FaceMeasurement, { liveness }: FacePolicy) => judgeLiveness(image, liveness).result;

const least = (result: string, imageOf: (value: number) => MeasuredImage): FaceThreshold => ({
  judge: (value, policy) => live(imageOf(value), policy),
  answers: [result, "Live", "Live"],
});

const most = (result: string, imagesOf: (value: number) => readonly MeasuredImage[]): FaceThreshold => ({
  judge: (value, policy) => [...new Set(imagesOf(value).map((image) => live(image, policy)))],
  answers: [["Live"], ["Live"], [result]],
});

const bothWays = (imageOf: (value: number) => MeasuredImage) =>
  most("NoneBecauseAngleTooLarge", (degrees) => [imageOf(degrees), imageOf(-degrees)]);

/** In an image of one pixel the size of the box is its share. */
const sharing = (width: number, height: number): MeasuredImage => ({
  ...withFace({ box: { x: 0, y: 0, width, height } }),
  width: 1,
  height: 1,
});

/** One neutral cue beside an offset: the attack score is the probability of these log odds. */
const scored = (logOdds: number, { liveness }: FacePolicy) =>
  judgeLiveness(
    {
      ...goodImage,
      cues: {
        light: { ...plainCues.light, blackLevel: 45, faceChroma: 25, focusRatio: 1.3 },
        network: { live: 0.8 },
      },
    },
    { ...liveness, fusion: { name: "offset", offset: logOdds, scales: {} } },
  );

const eyewear = (change: { worn?: number; dark?: number; eyeToSkin?: number }, policy: FacePolicy) => {
  const { worn = 3, dark = -1, eyeToSkin = 0.6 } = change;
  return judgeEyewear({ worn, dark }, eyeToSkin, policy.attributes) ?? "open";
};

const comparison: Readonly<Record<string, FaceThreshold>> = {
  "comparison.falseMatchRates.selfie": rateOf("selfie"),
  "comparison.falseMatchRates.document": rateOf("document"),
  "comparison.falseMatchRates.registry": rateOf("registry"),
  "comparison.yawDegreesMax": comparedPose((yawDegrees) => withPose({ yawDegrees })),
  "comparison.pitchDegreesMax": comparedPose((pitchDegrees) => withPose({ pitchDegrees })),
  "comparison.presenceMin": recognisable((presence) => withFace({ presence })),
  "comparison.eyeDistancePxMin": recognisable((eyeDistancePx) => withFace({ eyeDistancePx })),
  "comparison.sharpnessMin": recognisable((sharpness) => withQuality({ sharpness })),
  "comparison.crowdShareMin": secondFace("probe"),
  "comparison.referenceCrowdShareMin": secondFace("reference"),
};

const attributes: Readonly<Record<string, FaceThreshold>> = {
  "attributes.darkLensEyeToSkinMax": {
    judge: (eyeToSkin, policy) => eyewear({ eyeToSkin }, policy),
    answers: ["dark", "clear", "clear"],
  },
  "attributes.eyewearNoneOddsMax": {
    judge: (worn, policy) => eyewear({ worn }, policy),
    answers: ["none", "none", "open"],
    moved: { to: 0.1 },
  },
  "attributes.eyewearWornOddsMin": {
    judge: (worn, policy) => eyewear({ worn }, policy),
    answers: ["open", "clear", "clear"],
  },
  "attributes.darkLensOddsMin": {
    judge: (dark, policy) => eyewear({ dark }, policy),
    answers: ["clear", "dark", "dark"],
    moved: { to: 0.1 },
  },
};

const liveness: Readonly<Record<string, FaceThreshold>> = {
  "liveness.presenceMin": least("NoneBecauseFaceNotFound", (presence) => withFace({ presence })),
  "liveness.secondFaceShareMin": {
    judge: (share, policy) => live({ ...goodImage, faceWidths: [1, share] }, policy),
    answers: ["Live", "NoneBecauseTooManyFaces", "NoneBecauseTooManyFaces"],
  },
  "liveness.eyeDistancePxMin": least("NoneBecauseFaceTooSmall", (eyeDistancePx) =>
    withFace({ eyeDistancePx }),
  ),
  "liveness.faceShareMax": most("NoneBecauseFaceTooClose", (share) => [
    sharing(share, 0.3),
    sharing(0.3, share),
  ]),
  "liveness.outsideShareMax": most("NoneBecauseFaceCropped", (outsideShare) => [withFace({ outsideShare })]),
  "liveness.borderMarginMin": {
    ...least("NoneBecauseFaceTooCloseToBorder", (borderMargin) => withFace({ borderMargin })),
    moved: { to: 0.1 },
  },
  "liveness.yawDegreesMax": bothWays((yawDegrees) => withPose({ yawDegrees })),
  "liveness.pitchDegreesMax": bothWays((pitchDegrees) => withPose({ pitchDegrees })),
  "liveness.rollDegreesMax": bothWays((rollDegrees) => withPose({ rollDegrees })),
  "liveness.eyeOpennessMin": least("NoneBecauseEyesClosed", (open) => withFace({ eyeOpenness: [0, open] })),
  "liveness.lowerFaceChromaMax": most("NoneBecauseFaceOccluded", (lowerFaceChroma) => [
    withQuality({ lowerFaceChroma }),
  ]),
  "liveness.eyeToSkinMin": least("NoneBecauseFaceOccluded", (eyeToSkin) => withQuality({ eyeToSkin })),
  "liveness.sharpnessMin": least("NoneBecauseBadQuality", (sharpness) => withQuality({ sharpness })),
  "liveness.brightnessMin": least("NoneBecauseBadQuality", (brightness) => withQuality({ brightness })),
  "liveness.brightnessMax": most("NoneBecauseBadQuality", (brightness) => [withQuality({ brightness })]),
  "liveness.contrastMin": least("NoneBecauseBadQuality", (contrast) => withQuality({ contrast })),
  "liveness.blownOutMax": most("NoneBecauseBadQuality", (blownOut) => [withQuality({ blownOut })]),
  "liveness.attackScoreMax": {
    judge: (score, policy) => scored(Math.log(score / (1 - score)), policy).result,
    answers: ["Live", "Live", "NoLive"],
    step: 1e-9,
    // Log odds of 0 give .5 exactly; those of another score round.
    moved: { to: 0.5 },
  },
  // The other cues of the good image speak for a person, and overrule any score that is no clear no.
  "liveness.networkRefusalMax": {
    judge: (score, policy) =>
      live({ ...goodImage, cues: { ...plainCues, network: { live: score } } }, policy),
    answers: ["NoLive", "NoLive", "Live"],
    moved: { to: 0.15 },
  },
};

describe("the judges of faces answer by the policy just below, at and just above", () => {
  it.each([
    ["comparison.", comparison],
    ["attributes.", attributes],
    ["liveness.", liveness],
  ])("every number of %s", async (part, thresholds) => {
    // The weights of the fusion are no thresholds: liveness/fusion.test.ts.
    const isThreshold = (path: string): boolean =>
      path.startsWith(part) && !path.startsWith("liveness.fusion.");
    expect(await wrongAnswers(defaultFacePolicy, thresholds, isThreshold)).toEqual([]);
  });

  it("no number outside these parts exists", () => {
    const parts = ["comparison.", "attributes.", "liveness."];
    const others = figuresOf(defaultFacePolicy).filter(
      ([path]) => !parts.some((part) => path.startsWith(part)),
    );
    expect(others).toEqual([]);
  });

  it("an attack score that the policy holds exactly", () => {
    const score = scored(-0.7, defaultFacePolicy).attackScore ?? Number.NaN;
    const under = (attackScoreMax: number) =>
      scored(-0.7, { ...defaultFacePolicy, liveness: { ...defaultFacePolicy.liveness, attackScoreMax } })
        .result;
    expect([justBelow(score), score, justAbove(score)].map(under)).toEqual(["NoLive", "Live", "Live"]);
  });
});

describe("the threshold of a comparison", () => {
  const choices = falseMatchRates
    .map(Number)
    .flatMap((rate) => comparisonUses.map((use) => [rate, use] as const));
  // Only this use has the rate: the others are stricter or more lenient.
  const policyOf = (rate: number, use: ComparisonUse): FacePolicy => {
    const rates = { selfie: 0.5, document: 0.5, registry: 0.5, [use]: rate };
    return { ...defaultFacePolicy, comparison: { ...defaultFacePolicy.comparison, falseMatchRates: rates } };
  };

  it.each(choices)("is the score of the rate %d for %s, and no impostor deviation lower", (rate, use) => {
    const policy = policyOf(rate, use);
    const score = scoreAtFmr(rate);
    const at = [score - 1, score - 0.1, justBelow(score), score, justAbove(score), score + 1];
    expect(at.map((one) => scoreOnly(one, policy, use))).toEqual([
      "Negative",
      "Negative",
      "Negative",
      "Positive",
      "Positive",
      "Positive",
    ]);
  });

  // docs/measurements/fairness.md, Calibration. A shifted curve is a shifted threshold for every deployment.
  it.each([
    [1e-1, 2.053549],
    [1e-2, 2.831521],
    [1e-3, 3.528686],
    [1e-4, 4.187266],
  ])("is the score of the measured curve at %d: %d", (rate, score) => {
    expect(scoreAtFmr(rate)).toBeCloseTo(score, 6);
    expect(fmrAtScore(score) / rate).toBeCloseTo(1, 5);
  });

  it("leaves a band of Uncertain below it only where the policy has one", () => {
    const uncertainFalseMatchRates = { selfie: 1e-1, document: 1e-1, registry: 1e-1 };
    const { comparison: standard } = defaultFacePolicy;
    const banded = { ...defaultFacePolicy, comparison: { ...standard, uncertainFalseMatchRates } };
    const [low, high] = [scoreAtFmr(1e-1), scoreAtFmr(1e-2)];
    const scores = [justBelow(low), low, justBelow(high), high];
    expect(scores.map((score) => scoreOnly(score, banded, "selfie"))).toEqual([
      "Negative",
      "Uncertain",
      "Uncertain",
      "Positive",
    ]);
    expect(scores.map((score) => scoreOnly(score, defaultFacePolicy, "selfie"))).toEqual([
      "Negative",
      "Negative",
      "Negative",
      "Positive",
    ]);
  });

  it("counts a second face on either side from the ratio of the subject's own on, unless the use says more", () => {
    const beside = (share: number) => ({ ...goodImage, faceWidths: [1, share] });
    const { comparison: policy } = defaultFacePolicy;
    const judge = (a: MeasuredImage, b: MeasuredImage) =>
      judgeCompared([a, b], { score: 0 }, policy, { use: "selfie" }).result;
    const shares = [justBelow(policy.crowdShareMin), policy.crowdShareMin];
    expect(shares.map((share) => judge(beside(share), goodImage))).toEqual(["Negative", "None"]);
    expect(shares.map((share) => judge(goodImage, beside(share)))).toEqual(["Negative", "None"]);
  });

  it("is never reached by a score that is not a number", () => {
    expect(scoreOnly(Number.NaN, defaultFacePolicy, "selfie")).toBe("Negative");
  });
});
