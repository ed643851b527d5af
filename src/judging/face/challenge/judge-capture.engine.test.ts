import { describe, expect, it } from "vitest";
import type { TurnDirection } from "#contract/capture";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import type { HeadKind } from "#sandbox/specimen/turning-head";
import { drawAltered } from "#support/face/challenge/altered-captures";
import { makePageKey, placesOf } from "#support/face/challenge/captures";
import { drawCapture } from "#support/face/challenge/drawn-captures";
import { makeChallengeEngine } from "#support/face/challenge/open-challenge-engine";
import { defaultFacePolicy } from "../policy.ts";
import { replay } from "../replay.ts";
import type { Challenge } from "./challenge.ts";
import { type CaptureJudgement, makeJudgeCapture } from "./judge-capture.ts";
import { defaultChallengePolicy } from "./policy.ts";
import { replayCapture } from "./replay-capture.ts";
import { writeContainer } from "./write-container.ts";

const { imaging, measureChallenge } = makeChallengeEngine();
const policies = {
  challenge: defaultChallengePolicy,
  liveness: defaultFacePolicy.liveness,
  version: defaultFacePolicy.version,
};
const judgeCapture = makeJudgeCapture({ measure: (capture) => measureChallenge(capture), policies });
const key = await makePageKey();
const scan = scanFace(shapeOf(1, "F"), {
  side: 320,
  light: [-0.4, 0.4, 0.9],
  background: [150, 150, 150],
  seed: 1,
});
const challengeOf = (...rotations: readonly TurnDirection[]): Challenge => ({
  id: "c".repeat(22),
  issuedAt: "2026-11-25T10:00:00.000Z",
  expiresAt: "2026-11-25T10:02:00.000Z",
  finishMs: 40_000,
  steps: rotations.map((turn) => ({ turn })),
});
const arrivedAt = new Date("2026-11-25T10:00:30.000Z");
const { signal } = new AbortController();

const jpegsOf = async (kind: HeadKind, rotations: readonly TurnDirection[], degrees: number) => {
  const { best, steps } = drawCapture({ scan, kind, rotations, degrees, seed: 107 });
  const images = [
    imaging.encodeJpeg(best, 90),
    ...steps.flat().map((frame) => imaging.encodeJpeg(frame, 85)),
  ];
  return Promise.all(images);
};

const containerOf = (jpegs: readonly Uint8Array[], challenge: string) =>
  writeContainer({
    challenge,
    key,
    frames: placesOf((jpegs.length - 1) / 6).map((place, i) => ({ ...place, jpeg: jpegs[i]! })),
  });

const asked = challengeOf("left", "up");
const head = await jpegsOf("head", ["left", "up"], 18);

const judge = async (jpegs: readonly Uint8Array[], challenge = asked): Promise<CaptureJudgement> =>
  judgeCapture(
    { container: await containerOf(jpegs, challenge.id), challenge, thumbprint: key.thumbprint, arrivedAt },
    signal,
  );

describe("a capture of a turn challenge", () => {
  it("passes for a head that rotated as asked, with best image and template", async () => {
    const judged = await judge(head);
    expect(judged).toMatchObject({ result: "pass", guidance: [], level: "active-turn" });
    expect(Buffer.from(judged.bestImage ?? []).equals(Buffer.from(head[0]!))).toBe(true);
    expect(judged.template?.length).toBeGreaterThan(4000);
    expect(judged.models).toHaveProperty("dlib-resnet");
    expect(judged.policyVersion).toBe(`${defaultFacePolicy.version} challenge-2`);
  });

  it("is judged again from its record alone, and its record holds no template", async () => {
    const { measurements } = await judge(head);
    const stored: unknown = JSON.parse(JSON.stringify(measurements));
    expect(replayCapture(stored, policies)).toEqual({ was: { result: "pass" }, now: { result: "pass" } });
    const strict = { ...policies, challenge: { ...defaultChallengePolicy, reliefMin: 0.9 } };
    expect(replayCapture(stored, strict)?.now).toEqual({ result: "again", reason: "relief_unclear" });
    const call = { endpoint: "captureStep", measurements: { reason: null, measured: measurements } };
    expect(replay(call, defaultFacePolicy)).toEqual({ capture: { was: "pass", now: "pass" } });
    const far = { ...defaultFacePolicy.liveness, eyeDistancePxMin: 500 };
    expect(replay(call, { ...defaultFacePolicy, liveness: far })?.capture?.now).toBe("again");
    const document = { endpoint: "captureStep", measurements: { reason: null, measured: { faces: 1 } } };
    expect(replay(document, defaultFacePolicy)).toBeUndefined();
    expect(JSON.stringify(measurements).length).toBeLessThan(12_000);
    expect(replayCapture({ ...judged({}), bestImage: {} }, policies)).toBeUndefined();
  });

  it("is captured again where the head rotated elsewhere, or not at all", async () => {
    expect(await judge(head, challengeOf("right", "down"))).toMatchObject({
      result: "again",
      reason: "moved_too_little",
      guidance: ["turn_more"],
    });
    expect(await judge(await jpegsOf("head", ["left", "up"], 0))).toMatchObject({
      result: "again",
      reason: "moved_too_little",
    });
  });

  it.each(["flat", "bent", "folded"] as const)(
    "does not pass for a %s print, however it is rotated",
    async (kind) => {
      for (const rotations of [
        ["left", "up"],
        ["right", "down"],
      ] as const) {
        const { result, template } = await judge(
          await jpegsOf(kind, rotations, 35),
          challengeOf(...rotations),
        );
        expect(result).not.toBe("pass");
        expect(template).toBeUndefined();
      }
    },
  );

  it.each([
    "shuffled-inside",
    "shuffled",
    "cut",
    "two-stills",
    "reversed",
    "swapped",
    "mirrored",
    "frozen",
    "frozen-inside",
    "best-turned",
  ] as const)("does not pass with its frames %s", async (kind) => {
    const { best, steps } = drawAltered(kind, { scan, other: scan, rotations: ["left", "up"], seed: 107 });
    const jpegs = [
      await imaging.encodeJpeg(best, 90),
      // Frames that are shown twice have other bytes.
      ...(await Promise.all(steps.flat().map((frame, at) => imaging.encodeJpeg(frame, 90 - at)))),
    ];
    const { result, template } = await judge(jpegs);
    expect(result).not.toBe("pass");
    expect(template).toBeUndefined();
  });

  it("does not pass in less time than it states, by the service's clock", async () => {
    const container = await containerOf(head, asked.id);
    const at = (ms: number) => ({ arrivedAt: new Date(Date.parse(asked.issuedAt) + ms) });
    const upload = { container, challenge: asked, thumbprint: key.thumbprint };
    expect(await judgeCapture({ ...upload, ...at(2_300) }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
      measurements: { sequence: { spanMs: 4_600, answerMs: 2_300 } },
    });
    expect(await judgeCapture({ ...upload, ...at(4_600) }, signal)).toMatchObject({ result: "pass" });
  });

  it("fails with frames of another person in a step, and gives no reason to the outside", async () => {
    const other = scanFace(shapeOf(4, "M"), {
      side: 320,
      light: [-0.4, 0.4, 0.9],
      background: [150, 150, 150],
      seed: 4,
    });
    const drawn = drawCapture({ scan: other, kind: "head", rotations: ["left", "up"], degrees: 18, seed: 9 });
    const second = await Promise.all(drawn.steps[1]!.map((frame) => imaging.encodeJpeg(frame, 85)));
    expect(await judge([...head.slice(0, 7), ...second])).toMatchObject({
      result: "fail",
      reason: "other_face",
      guidance: [],
    });
  });

  it("survives frames that are no image, and asks for another capture", async () => {
    const broken = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
    const jpegs = head.map((jpeg, i) => (i === 3 || i === 4 ? new Uint8Array([...broken, i]) : jpeg));
    expect(await judge(jpegs)).toMatchObject({
      result: "again",
      reason: "face_lost",
      guidance: ["face_lost"],
    });
  });
});

const judged = (rest: object) => ({ capture: { asked: [], steps: [], result: "pass" }, ...rest });

describe("a container", () => {
  const upload = { challenge: asked, thumbprint: key.thumbprint, arrivedAt };

  it("of another page, another challenge or too late fails before a frame is decoded", async () => {
    const undecoded = makeJudgeCapture({
      measure: () => Promise.reject(new Error("A frame was decoded")),
      policies,
    });
    const container = await containerOf(head, asked.id);
    const late = new Date("2026-11-25T10:05:00.000Z");
    const other = await makePageKey();
    for (const change of [
      { thumbprint: other.thumbprint },
      { challenge: { ...asked, id: "d".repeat(22) } },
      { challenge: undefined },
      { arrivedAt: late },
    ]) {
      expect(await undecoded({ container, ...upload, ...change }, signal)).toMatchObject({
        result: "fail",
        reason: "challenge",
        guidance: [],
      });
    }
  });

  it("of version 1, cut, or with a frame twice fails for its sequence", async () => {
    const container = await containerOf(head, asked.id);
    const old = container.slice();
    old[4] = 1;
    expect(await judgeCapture({ container: old, ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
      fault: "version",
    });
    expect(await judgeCapture({ container: container.subarray(0, 5000), ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
    });
    const twice = await containerOf([...head.slice(0, -1), head[1]!], asked.id);
    expect(await judgeCapture({ container: twice, ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
    });
  });

  it("without a challenge is judged by the passive cues of its best image", async () => {
    const container = await writeContainer({
      challenge: "",
      key,
      frames: [{ step: -1, index: 0, capturedMs: 0, jpeg: head[0]! }],
    });
    expect(await judgeCapture({ ...upload, container, challenge: undefined }, signal)).toMatchObject({
      result: "pass",
      level: "passive",
    });
  });
});
