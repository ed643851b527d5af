import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnDirection } from "#contract/capture";
import { goodImage, withCues, withFace, withQuality } from "#support/face/measured";
import { defaultFacePolicy } from "../policy.ts";
import { judgeChallenge } from "./judge-challenge.ts";
import type {
  ChallengeMeasurement,
  FrameMeasurement,
  PairMotion,
  StepMeasurement,
  StepMotion,
} from "./measurement.ts";
import { defaultChallengePolicy as policy } from "./policy.ts";

const policies = { challenge: policy, liveness: defaultFacePolicy.liveness };
const challenge = { steps: [{ turn: "left" }, { turn: "up" }] } as const;

const frame = (yawDegrees: number, pitchDegrees = 0): FrameMeasurement => ({
  isImage: true,
  faceWidths: [1],
  presence: 1,
  pose: { yawDegrees, pitchDegrees, rollDegrees: 0 },
  eyeDistancePx: 60,
});
const motion: StepMotion = {
  b: { x: 0, y: 0 },
  pointsFirstToLast: 250,
  pointsBetweenMin: 290,
  eyeStepMax: 0.1,
  iedStepMax: 0.04,
  cutPairs: 0,
  pairs: Array.from({ length: 5 }, (_, i) => ({
    frames: [i, i + 1] as const,
    eyeStep: 0.1,
    iedStep: 0.04,
    landmarkStep: 0.03,
    along: 0.2,
    aside: 0.1,
  })),
};
const shares = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;

/** A head that rotates to a direction by these degrees, with this relief. */
const stepOf = (asked: TurnDirection, degrees: number, relief: number): StepMeasurement => {
  const [yaw, pitch] = { left: [1, 0], right: [-1, 0], up: [0, 1], down: [0, -1] }[asked];
  return {
    frames: shares.map((share) => frame(share * degrees * yaw!, share * degrees * pitch!)),
    cosines: [0.99, 0.99, 0.98, 0.98, 0.97, 0.97],
    bestDistance: 0.01,
    motion: { ...motion, b: { x: relief * yaw!, y: -relief * pitch! } },
  };
};
const left = stepOf("left", 20, 0.3);
const sound: ChallengeMeasurement = { best: goodImage, steps: [left, stepOf("up", 20, 0.3)], models: {} };

/** The judgement of the sound capture with its first step changed. */
const judge = (change: Partial<StepMeasurement>) =>
  judgeChallenge({ ...sound, steps: [{ ...left, ...change }, sound.steps[1]!] }, challenge, policies);
const withMotion = (change: Partial<StepMotion>) => judge({ motion: { ...left.motion!, ...change } });

describe("a capture", () => {
  it.each(["left", "right", "up", "down"] as const)("passes if the head rotated %s as asked", (turn) => {
    const steps = [{ turn }];
    const measured = (asked: TurnDirection) => ({ ...sound, steps: [stepOf(asked, 20, 0.3)] });
    expect(judgeChallenge(measured(turn), { steps }, policies)).toMatchObject({
      result: "pass",
      guidance: [],
    });
    for (const other of (["left", "right", "up", "down"] as const).filter((one) => one !== turn)) {
      expect(judgeChallenge(measured(other), { steps }, policies)).toMatchObject({
        result: "again",
        reason: "moved_too_little",
        guidance: ["turn_more"],
      });
    }
  });

  it("passes with the passive cues of its best image, where no challenge was asked", () => {
    expect(judgeChallenge({ ...sound, steps: [] }, undefined, policies).result).toBe("pass");
  });

  it("is captured again without a face, or with two, in the best image", () => {
    const { face: _, ...faceless } = goodImage;
    const of = (best: ChallengeMeasurement["best"]) =>
      judgeChallenge({ ...sound, best }, challenge, policies);
    expect(of(faceless)).toMatchObject({ result: "again", reason: "face_lost", guidance: ["no_face"] });
    expect(of({ kind: "unreadable", code: "image_unreadable" })).toMatchObject({ guidance: ["no_face"] });
    expect(of(withFace({ presence: policy.presenceMin })).result).toBe("pass");
    expect(of(withFace({ presence: policy.presenceMin - 0.01 })).guidance).toEqual(["no_face"]);
    const crowded = (share: number) => of({ ...goodImage, faceWidths: [1, share] });
    expect(crowded(policy.secondFaceShareMin - 0.01).result).toBe("pass");
    expect(crowded(policy.secondFaceShareMin).guidance).toEqual(["many_faces"]);
  });

  it("never passes with a step that was not measured", () => {
    const of = (steps: readonly StepMeasurement[]) =>
      judgeChallenge({ ...sound, steps }, challenge, policies);
    expect(of([])).toMatchObject({ result: "again", reason: "face_lost" });
    expect(of([left])).toMatchObject({ result: "again", reason: "face_lost" });
  });
});

describe("faces of a step", () => {
  const lost: FrameMeasurement = { isImage: true, faceWidths: [] };
  const faint = { ...frame(8), presence: policy.presenceMin - 0.01 };
  const crowded = { ...frame(8), faceWidths: [1, policy.secondFaceShareMin] };
  const withFrames = (...changed: readonly FrameMeasurement[]) =>
    judge({ frames: left.frames.map((one, i) => (i > 1 ? (changed[i - 2] ?? one) : one)) });

  it("may be lost in one frame, not in two", () => {
    expect(withFrames(lost).result).toBe("pass");
    expect(withFrames(faint).result).toBe("pass");
    expect(withFrames(lost, faint)).toMatchObject({
      result: "again",
      reason: "face_lost",
      guidance: ["face_lost"],
    });
    expect(withFrames({ ...lost, isImage: false }, lost)).toMatchObject({ result: "again" });
  });

  it("are one", () => {
    expect(withFrames(crowded).result).toBe("pass");
    expect(withFrames(crowded, crowded)).toMatchObject({ reason: "face_lost", guidance: ["many_faces"] });
    const small = { ...frame(8), faceWidths: [1, policy.secondFaceShareMin - 0.01] };
    expect(withFrames(small, small).result).toBe("pass");
  });
});

describe("the person of a step", () => {
  it.each([
    [policy.samePersonCosineMin, 1, "pass"],
    [policy.samePersonCosineMin - 0.001, 1, "fail"],
    [1, policy.samePersonCosineMin, "pass"],
    [1, policy.samePersonCosineMin - 0.001, "fail"],
    [Number.NaN, 1, "fail"],
  ])("with cosines %d and %d to the best image: %s", (first, last, result) => {
    expect(judge({ cosines: [first, last] })).toMatchObject({ result });
  });

  it("is tied by every frame: one in the middle that is another suffices", () => {
    for (let at = 0; at < 6; at++) {
      const cosines = Array.from({ length: 6 }, (_, i) =>
        i === at ? policy.samePersonCosineMin - 0.001 : 1,
      );
      expect(judge({ cosines })).toMatchObject({ result: "fail", reason: "other_face" });
    }
    expect(judge({ cosines: [1] })).toMatchObject({ result: "fail", reason: "other_face" });
  });

  it("is another without a cosine, and no reason leaves the service", () => {
    const { cosines: _, ...unknown } = left;
    const judged = judgeChallenge({ ...sound, steps: [unknown, sound.steps[1]!] }, challenge, policies);
    expect(judged).toEqual({ result: "fail", reason: "other_face", guidance: [] });
  });
});

describe("the best image of a step", () => {
  const apart = { result: "again", reason: "best_apart", guidance: ["hold_still"] };
  const { pose } = goodImage.face!;
  const standing = (yaw: number, pitch: number) =>
    judge({
      frames: left.frames.map((one) => ({
        ...one,
        pose: {
          ...pose,
          yawDegrees: one.pose!.yawDegrees + pose.yawDegrees + yaw,
          pitchDegrees: one.pose!.pitchDegrees + pose.pitchDegrees + pitch,
        },
      })),
    });

  it("shows the head as the first frame does", () => {
    const most = policy.bestDegreesMax - 0.001;
    for (const [yaw, pitch] of [
      [0, 0],
      [most, -most],
      [-most, most],
    ] as const) {
      expect(standing(yaw, pitch).result).toBe("pass");
    }
    expect(standing(most + 0.002, 0)).toMatchObject(apart);
    expect(standing(-most - 0.002, 0)).toMatchObject(apart);
    expect(standing(0, most + 0.002)).toMatchObject(apart);
    expect(standing(0, -most - 0.002)).toMatchObject(apart);
  });

  it("has its landmarks where the first frame has them", () => {
    expect(judge({ bestDistance: policy.bestDistanceMax }).result).toBe("pass");
    expect(judge({ bestDistance: policy.bestDistanceMax + 0.001 })).toMatchObject(apart);
    const { bestDistance: _, ...unknown } = left;
    expect(
      judgeChallenge({ ...sound, steps: [unknown, sound.steps[1]!] }, challenge, policies),
    ).toMatchObject(apart);
  });
});

describe("the way of a step", () => {
  const uneven = { result: "again", reason: "moved_unevenly", guidance: ["move_slower"] };
  const pairs = motion.pairs;
  const withPairs = (...changes: readonly (readonly [at: number, change: Partial<PairMotion>])[]) =>
    withMotion({
      pairs: pairs.map((pair, i) => ({
        ...pair,
        ...Object.fromEntries(changes.flatMap(([at, change]) => (at === i ? Object.entries(change) : []))),
      })),
    });

  it("has no jump along it, wherever it stands", () => {
    for (let at = 0; at < pairs.length; at++) {
      expect(withPairs([at, { along: policy.alongMax }]).result).toBe("pass");
      expect(withPairs([at, { along: policy.alongMax + 0.001 }])).toMatchObject(uneven);
      expect(withPairs([at, { aside: policy.asideMax }]).result).toBe("pass");
      expect(withPairs([at, { aside: policy.asideMax + 0.001 }])).toMatchObject(uneven);
    }
  });

  it("goes back a little at most: once is uneven, twice is another order", () => {
    const back = { along: -policy.backMax - 0.001 };
    expect(withPairs([1, { along: -policy.backMax }], [3, { along: -policy.backMax }]).result).toBe("pass");
    expect(withPairs([1, back])).toMatchObject(uneven);
    expect(withPairs([1, back], [3, back])).toEqual({ result: "fail", reason: "cut", guidance: [] });
  });

  it("is not known without its pairs or their numbers", () => {
    expect(withMotion({ pairs: [] })).toMatchObject(uneven);
    expect(withPairs([2, { along: Number.NaN }])).toMatchObject(uneven);
    expect(
      withMotion({ pairs: pairs.map(({ along: _along, aside: _aside, ...pair }) => pair) }),
    ).toMatchObject(uneven);
  });

  it("is no faster than a head, at the times that the page states", () => {
    const at = (interval: number) =>
      judgeChallenge(
        sound,
        { ...challenge, times: [1, 2].map(() => shares.map((_, i) => i * interval)) },
        policies,
      );
    // A fifth of 20 degrees in each interval.
    const least = (0.2 * 20 * 1000) / policy.degreesPerSecondMax;
    expect(at(least + 0.01).result).toBe("pass");
    expect(at(least - 0.01)).toMatchObject({
      result: "again",
      reason: "moved_too_fast",
      guidance: ["move_slower"],
    });
  });
});

describe("the continuity of a step", () => {
  const fast = { result: "again", reason: "moved_too_fast", guidance: ["move_slower"] };

  it("holds under the greatest step of the eyes and of their distance", () => {
    expect(withMotion({ eyeStepMax: policy.eyeStepMax - 0.001 }).result).toBe("pass");
    expect(withMotion({ eyeStepMax: policy.eyeStepMax })).toMatchObject(fast);
    expect(withMotion({ iedStepMax: policy.iedStepMax - 0.001 }).result).toBe("pass");
    expect(withMotion({ iedStepMax: policy.iedStepMax })).toMatchObject(fast);
    expect(withMotion({ iedStepMax: Number.NaN })).toMatchObject(fast);
  });

  it("holds from the fewest followed landmarks on", () => {
    expect(withMotion({ pointsBetweenMin: policy.pointsBetweenMin }).result).toBe("pass");
    expect(withMotion({ pointsBetweenMin: policy.pointsBetweenMin - 1 })).toMatchObject(fast);
    expect(withMotion({ pointsFirstToLast: policy.pointsFirstToLastMin }).result).toBe("pass");
    expect(withMotion({ pointsFirstToLast: policy.pointsFirstToLastMin - 1 })).toMatchObject(fast);
  });

  it("is cut where two pairs register nowhere", () => {
    expect(withMotion({ cutPairs: policy.cutPairsMin - 1 }).result).toBe("pass");
    expect(withMotion({ cutPairs: policy.cutPairsMin })).toEqual({
      result: "fail",
      reason: "cut",
      guidance: [],
    });
    const { motion: _, ...still } = left;
    expect(judgeChallenge({ ...sound, steps: [still, sound.steps[1]!] }, challenge, policies)).toMatchObject(
      fast,
    );
  });
});

describe("the rotation of a step", () => {
  const of = (degrees: number, relief: number) =>
    judgeChallenge(
      { ...sound, steps: [stepOf("left", degrees, relief), sound.steps[1]!] },
      challenge,
      policies,
    );

  it("is made from the least angle on", () => {
    expect(of(policy.rotationDegreesMin + 0.01, 0.3).result).toBe("pass");
    expect(of(policy.rotationDegreesMin - 0.01, 0.3)).toMatchObject({
      result: "again",
      reason: "moved_too_little",
      guidance: ["turn_more"],
    });
  });

  it("has the relief of a head", () => {
    expect(of(16, policy.reliefMin).result).toBe("pass");
    expect(of(16, policy.reliefMin - 0.001)).toMatchObject({
      result: "again",
      reason: "relief_unclear",
      guidance: ["turn_more"],
    });
    // At 30 degrees the share decides: .35 of the sine is .175.
    expect(of(30, policy.reliefShareMin * 0.5 + 0.001).result).toBe("pass");
    expect(of(30, policy.reliefShareMin * 0.5 - 0.001)).toMatchObject({ reason: "relief_unclear" });
  });

  it("is that of a flat thing with next to no relief at a large angle", () => {
    const flat = { result: "fail", reason: "flat", guidance: [] };
    expect(of(policy.flatDegreesMin + 0.01, policy.flatReliefMax - 0.001)).toEqual(flat);
    expect(of(policy.flatDegreesMin + 0.01, -0.2)).toEqual(flat);
    expect(of(policy.flatDegreesMin + 0.01, policy.flatReliefMax)).toMatchObject({ result: "again" });
    expect(of(policy.flatDegreesMin - 0.01, policy.flatReliefMax - 0.001)).toMatchObject({ result: "again" });
  });

  it("is unclear without a relief, or with one beside the direction", () => {
    const { b: _, ...rest } = left.motion!;
    expect(judge({ motion: rest })).toMatchObject({ reason: "relief_unclear" });
    expect(withMotion({ b: { x: 0.09, y: 0.5 } })).toMatchObject({ reason: "relief_unclear" });
  });
});

describe("the passive cues of the best image", () => {
  const of = (best: ChallengeMeasurement["best"]) => judgeChallenge({ ...sound, best }, challenge, policies);

  it("refuse as they refuse alone, with guidance for what a person can correct", () => {
    const screen = withCues({
      surround: { closedFrame: 1, openFrame: 1, corners: [] },
      moire: { peakDecibels: 40, periodPx: 3 },
      light: { blackLevel: 90, blownOut: 0, faceChroma: 8, focusRatio: 0.4 },
    });
    const attack = of(screen);
    expect(attack.liveness?.result).toBe("NoLive");
    expect(attack).toMatchObject({ result: "fail", reason: "passive", guidance: [] });
    expect(of(withFace({ eyeDistancePx: 20 }))).toMatchObject({ result: "again", guidance: ["closer"] });
    expect(of(withFace({ eyeOpenness: [0.05, 0.05] }))).toMatchObject({ guidance: ["eyes_open"] });
    expect(of(withQuality({ brightness: 20 }))).toMatchObject({ guidance: ["too_dark"] });
    expect(of(withQuality({ brightness: 250 }))).toMatchObject({ guidance: ["too_bright"] });
    expect(of(withQuality({ sharpness: 0.01 }))).toMatchObject({ guidance: ["hold_still"] });
  });

  it("speak last: a flat thing fails for being flat", () => {
    const flat = {
      ...sound,
      best: withFace({ eyeDistancePx: 20 }),
      steps: [stepOf("left", 20, 0), sound.steps[1]!],
    };
    expect(judgeChallenge(flat, challenge, policies)).toMatchObject({ result: "fail", reason: "flat" });
  });
});

it("gives guidance with 'again' alone, and a reason with all but 'pass'", () => {
  const number = fc.oneof(fc.double(), fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      number,
      number,
      number,
      fc.nat(319),
      fc.nat(5),
      (degrees, relief, cosine, points, cutPairs) => {
        const step = stepOf("left", degrees, relief);
        const steps = [
          {
            ...step,
            cosines: [cosine, 1] as const,
            motion: { ...step.motion!, pointsBetweenMin: points, cutPairs },
          },
          sound.steps[1]!,
        ];
        const { result, reason, guidance } = judgeChallenge({ ...sound, steps }, challenge, policies);
        expect(guidance.length > 0).toBe(result === "again");
        expect(reason === undefined).toBe(result === "pass");
      },
    ),
  );
});
