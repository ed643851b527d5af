import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goodFace, goodImage, plainCues, withCues, withFace, withQuality } from "#support/face/measured";
import type { LivenessCues } from "../measurement.ts";
import { defaultFacePolicy } from "../policy.ts";
import { isJudged, judgeLiveness, livenessUnknown } from "./judge-liveness.ts";

const policy = defaultFacePolicy.liveness;
const [image, face, cues] = [goodImage, goodFace, plainCues];
const { face: _, ...faceless } = image;

describe("judgeLiveness", () => {
  it.each([
    ["Live", image],
    ["NoneBecauseFaceNotFound", faceless],
    ["NoneBecauseFaceNotFound", withFace({ presence: 0.1 })],
    ["NoneBecauseTooManyFaces", { ...image, faceWidths: [1, 0.5] }],
    ["Live", { ...image, faceWidths: [1, 0.2] }],
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

  it("judges no image without a licence, and states that the image had no part in it", () => {
    const unlicensed = judgeLiveness(image, { ...policy, isLicensed: false });
    expect(unlicensed).toEqual({ result: "NoneBecauseLicenseError", assurance: "advisory", evidence: [] });
    const broken = judgeLiveness(
      { kind: "unreadable", code: "image_unreadable" },
      { ...policy, isLicensed: false },
    );
    expect([isJudged(unlicensed), isJudged(broken), isJudged(judgeLiveness(image, policy))]).toEqual([
      false,
      false,
      true,
    ]);
    expect(livenessUnknown).toEqual({
      result: "NoneBecauseInternalError",
      assurance: "advisory",
      evidence: [],
    });
  });

  it("does not overrule a network's clear no by cues in the person's favour, and counts those against", () => {
    const [no, doubt] = [{ live: 0.2 }, { live: 0.2001 }];
    const judged = (own: Partial<LivenessCues>) => judgeLiveness(withCues(own), policy);
    expect([judged({ network: no }).result, judged({ network: doubt }).result]).toEqual(["NoLive", "Live"]);
    const weights = judged({ network: no }).evidence.map(({ weight }) => weight);
    expect(weights.every((weight) => weight >= 0)).toBe(true);
    expect(judged({ network: doubt }).evidence.some(({ weight }) => weight < 0)).toBe(true);
    const moire = { peakDecibels: 16, periodPx: 3 };
    const score = (own: Partial<LivenessCues>) => judged(own).attackScore!;
    expect(score({ network: no, moire })).toBeGreaterThan(score({ network: no }));
    const small = { ...withCues({ network: no }), face: { ...face, eyeDistancePx: 3 } };
    expect(judgeLiveness(small, policy).result).toBe("NoneBecauseFaceTooSmall");
  });

  it("states the assurance of its cues, also where a rule holds or no face is found", () => {
    const motion = { frames: 2, relief: 0.2, along: 0.2, alongShare: 0.7, tilt: 0, tiltResidual: 0 };
    const network = { live: 0.99 };
    const assuranceOf = (own: Partial<LivenessCues>) => judgeLiveness(withCues(own), policy).assurance;
    expect([{}, { network }, { motion }, { network, motion }].map(assuranceOf)).toEqual([
      "advisory",
      "model",
      "multi-frame",
      "multi-frame",
    ]);
    expect(assuranceOf({ network, motion: { ...motion, along: 0 } })).toBe("model");
    const small = { ...withCues({ network }), face: { ...face, eyeDistancePx: 3 } };
    expect(judgeLiveness(small, policy)).toMatchObject({
      result: "NoneBecauseFaceTooSmall",
      assurance: "model",
    });
    const faceOff = { ...faceless, cues: { ...cues, network } };
    expect(judgeLiveness(faceOff, policy)).toMatchObject({
      result: "NoneBecauseFaceNotFound",
      assurance: "model",
    });
  });

  it("gives None without any attack cue", () => {
    const blind = { ...image, cues: { light: cues.light } };
    expect(judgeLiveness(blind, policy)).toMatchObject({ result: "None", assurance: "advisory" });
  });

  it("treats a missing cue as missing, not as evidence of a living person", () => {
    const scores = [image, withCues({})].map((one) => judgeLiveness(one, policy).attackScore);
    const { surround: _surround, ...rest } = cues;
    const withoutSurround = judgeLiveness({ ...image, cues: rest }, policy).attackScore;
    expect(withoutSurround).toBeGreaterThan(scores[0]!);
  });

  it("never gives a lower attack score for a clearer frame around the face", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const scoreAt = (closedFrame: number) =>
      judgeLiveness(withCues({ surround: { closedFrame, openFrame: closedFrame, corners: [] } }), policy)
        .attackScore!;
    fc.assert(
      fc.property(share, share, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        // From .85 on the closed frame replaces the open frame, with a larger weight.
        return scoreAt(high) >= scoreAt(low) - 1e-9;
      }),
    );
  });

  it("never makes an attack of weak cues alone", () => {
    const light = { blackLevel: 255, blownOut: 1, faceChroma: 0 };
    expect(judgeLiveness(withCues({ light }), policy).result).toBe("Live");
  });
});
