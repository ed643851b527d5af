import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LivenessCues, MeasuredFace, MeasuredPicture } from "../measurement.ts";
import { defaultFacePolicy } from "../policy.ts";
import { judgeLiveness } from "./judge-liveness.ts";

const policy = defaultFacePolicy.liveness;
const face: MeasuredFace = {
  confidence: 0.95,
  presence: 1,
  box: { x: 200, y: 150, width: 240, height: 300 },
  pose: { yawDegrees: 2, pitchDegrees: -3, rollDegrees: 1 },
  eyeDistancePx: 110,
  eyeOpenness: [0.22, 0.23],
  quality: {
    sharpness: 0.2,
    brightness: 140,
    contrast: 40,
    blownOut: 0,
    blackedOut: 0,
    lightOverlap: 0.8,
    dynamicRangeBits: 7,
    lightImbalance: 0.05,
    lowerFaceChroma: 6,
    eyeToSkin: 0.6,
  },
  mouthOpenness: 0.02,
  outsideShare: 0,
  borderMargin: 0.4,
  fingerprint: "00".repeat(32),
};
const cues: LivenessCues = {
  surround: { closedFrame: 0, openFrame: 0, corners: [] },
  moire: { peakDecibels: 5, periodPx: 3 },
  light: { blackLevel: 20, blownOut: 0, faceChroma: 60, focusRatio: 2 },
};
const picture: MeasuredPicture = {
  kind: "measured",
  file: { format: "jpeg", bytes: 90_000, width: 720, height: 576, hasExif: false },
  width: 720,
  height: 576,
  scale: 1,
  faceWidths: [1],
  face,
  cues,
  models: {},
};
const withFace = (change: Partial<MeasuredFace>): MeasuredPicture => ({
  ...picture,
  face: { ...face, ...change },
});
const withQuality = (change: Partial<MeasuredFace["quality"]>) =>
  withFace({ quality: { ...face.quality, ...change } });
const withCues = (change: Partial<LivenessCues>): MeasuredPicture => ({
  ...picture,
  cues: { ...cues, ...change },
});
const { face: _, ...faceless } = picture;

describe("judgeLiveness", () => {
  it.each([
    ["Live", picture],
    ["NoneBecauseFaceNotFound", faceless],
    ["NoneBecauseFaceNotFound", withFace({ presence: 0.1 })],
    ["NoneBecauseTooManyFaces", { ...picture, faceWidths: [1, 0.5] }],
    ["Live", { ...picture, faceWidths: [1, 0.2] }],
    ["NoneBecauseFaceTooSmall", withFace({ eyeDistancePx: 20 })],
    ["NoneBecauseFaceTooClose", withFace({ box: { x: 5, y: 5, width: 500, height: 560 } })],
    ["NoneBecauseFaceTooClose", withCues({ networkSilence: "face-too-large" })],
    ["None", withCues({ networkSilence: "no-number" })],
    ["NoneBecauseFaceCropped", withFace({ outsideShare: 0.2 })],
    ["NoneBecauseFaceTooCloseToBorder", withFace({ borderMargin: -0.02 })],
    ["NoneBecauseAngleTooLarge", withFace({ pose: { ...face.pose, yawDegrees: -44 } })],
    ["NoneBecauseAngleTooLarge", withFace({ pose: { ...face.pose, pitchDegrees: Number.NaN } })],
    ["NoneBecauseFaceOccluded", withQuality({ lowerFaceChroma: 60 })],
    ["NoneBecauseFaceOccluded", withQuality({ eyeToSkin: 0.1 })],
    ["NoneBecauseEyesClosed", withFace({ eyeOpenness: [0.07, 0.08] })],
    ["Live", withFace({ eyeOpenness: [0.07, 0.2] })],
    ["NoneBecauseBadQuality", withQuality({ sharpness: 0.005 })],
    ["NoneBecauseBadQuality", withQuality({ brightness: 12 })],
    ["NoneBecauseImageDataError", { kind: "unreadable", code: "image_unreadable" }],
    ["NoneBecauseImagePreprocessError", { kind: "unprepared", code: "image_unreadable" }],
    ["NoLive", withCues({ surround: { closedFrame: 0.95, openFrame: 0.95, corners: [] } })],
    ["NoLive", withCues({ moire: { peakDecibels: 22, periodPx: 2.6 } })],
  ] as const)("answers %s", (result, measurement) => {
    expect(judgeLiveness(measurement, policy).result).toBe(result);
  });

  it("answers None when no cue of an attack could be measured", () => {
    const blind = { ...picture, cues: { light: cues.light } };
    expect(judgeLiveness(blind, policy)).toMatchObject({ result: "None", assurance: "advisory" });
  });

  it("treats a missing cue as missing, not as a sign of life", () => {
    const scores = [picture, withCues({})].map((one) => judgeLiveness(one, policy).attackScore);
    const { surround: _surround, ...rest } = cues;
    const withoutSurround = judgeLiveness({ ...picture, cues: rest }, policy).attackScore;
    expect(withoutSurround).toBeGreaterThan(scores[0]!);
  });

  it("never grows less suspicious when a frame around the face grows clearer", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const scoreAt = (closedFrame: number) =>
      judgeLiveness(withCues({ surround: { closedFrame, openFrame: closedFrame, corners: [] } }), policy)
        .attackScore!;
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        // From .85 on the closed frame takes the place of the open one, and weighs more.
        return scoreAt(high) >= scoreAt(low) - 1e-9;
      }),
    );
  });

  it("never refuses a person for weak cues alone", () => {
    const light = { blackLevel: 255, blownOut: 1, faceChroma: 0 };
    expect(judgeLiveness(withCues({ light }), policy).result).toBe("Live");
  });
});
