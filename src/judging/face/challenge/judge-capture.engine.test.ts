import { describe, expect, it } from "vitest";
import type { TurnDirection } from "#contract/capture";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { type FaceScan, scanFace } from "#sandbox/specimen/face-scan";
import type { HeadKind } from "#sandbox/specimen/turning-head";
import { drawAltered } from "#support/face/challenge/altered-captures";
import { makePageKey, placesOf } from "#support/face/challenge/captures";
import { type DrawnFrames, drawCapture } from "#support/face/challenge/drawn-captures";
import { makeChallengeEngine } from "#support/face/challenge/open-challenge-engine";
import { openRecord } from "#support/networks/open-record";
import { defaultFacePolicy } from "../policy.ts";
import { replay } from "../replay.ts";
import { type Challenge, stepFrames } from "./challenge.ts";
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
const measured = openRecord(import.meta.url);
const key = await makePageKey();
let scanned: FaceScan | undefined;

/** Scanning takes two seconds of a processor. */
const scanOnce = (): FaceScan => {
  scanned ??= scanFace(shapeOf(1, "F"), {
    side: 320,
    light: [-0.4, 0.4, 0.9],
    background: [150, 150, 150],
    seed: 1,
  });
  return scanned;
};
const challengeOf = (...rotations: readonly TurnDirection[]): Challenge => ({
  id: "c".repeat(22),
  issuedAt: "2026-11-25T10:00:00.000Z",
  expiresAt: "2026-11-25T10:02:00.000Z",
  finishMs: 40_000,
  steps: rotations.map((turn) => ({ turn })),
});
const arrivedAt = new Date("2026-11-25T10:00:30.000Z");
const { signal } = new AbortController();

/**
 * Drawn frames by their name: the best image, then those of two steps. They are drawn when they are measured.
 */
type Shown = { readonly name: string; readonly draw: () => Promise<readonly Uint8Array[]> };

const encoded = ({ best, steps }: DrawnFrames): Promise<readonly Uint8Array[]> =>
  Promise.all([
    imaging.encodeJpeg(best, 90),
    // Frames that are shown twice have other bytes.
    ...steps.flat().map((frame, at) => imaging.encodeJpeg(frame, 90 - at)),
  ]);

const shownAs = (kind: HeadKind, rotations: readonly TurnDirection[], degrees: number): Shown => ({
  name: `${kind} ${rotations.join(" ")} ${degrees}`,
  draw: () => encoded(drawCapture({ scan: scanOnce(), kind, rotations, degrees, seed: 107 })),
});

/** What a container holds in place of drawn frames: the beginning of a JPEG, and the place of the frame. */
const standIns = Array.from({ length: 13 }, (_, place) => Uint8Array.of(0xff, 0xd8, 0xff, place));

const containerOf = (jpegs: readonly Uint8Array[], challenge: string) =>
  writeContainer({
    challenge,
    key,
    frames: placesOf((jpegs.length - 1) / 6).map((place, i) => ({ ...place, jpeg: jpegs[i]! })),
  });

/**
 * A judge whose engine measures the drawn frame in place of each stand-in, unless its measurement is
 * recorded.
 */
const judgeOf = ({ name, draw }: Shown) =>
  makeJudgeCapture({
    measure: ({ best, steps }) => {
      // A record has no frames: it holds for this order of them alone.
      expect([best, ...steps.flat()]).toEqual(standIns.slice(0, 1 + steps.flat().length));
      expect(steps.map(({ length }) => length)).toEqual(steps.map(() => stepFrames));
      return measured(name, async () => {
        const jpegs = await draw();
        const shown = (standIn: Uint8Array): Uint8Array => jpegs[standIn[3]!]!;
        return await measureChallenge({ best: shown(best), steps: steps.map((frames) => frames.map(shown)) });
      });
    },
    policies,
  });

const asked = challengeOf("left", "up");
const head = shownAs("head", ["left", "up"], 18);
const judgeCapture = judgeOf(head);

const judge = async (shown: Shown, challenge = asked): Promise<CaptureJudgement> =>
  judgeOf(shown)(
    {
      container: await containerOf(standIns, challenge.id),
      challenge,
      thumbprint: key.thumbprint,
      arrivedAt,
    },
    signal,
  );

describe("a capture of a turn challenge", () => {
  it("passes for a head that rotated as asked, with best image and template", async () => {
    const judged = await judge(head);
    expect(judged).toMatchObject({ result: "pass", guidance: [], level: "active-turn" });
    expect(Buffer.from(judged.bestImage ?? []).equals(Buffer.from(standIns[0]!))).toBe(true);
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
    expect(await judge(shownAs("head", ["left", "up"], 0))).toMatchObject({
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
        const { result, template } = await judge(shownAs(kind, rotations, 35), challengeOf(...rotations));
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
    const draw = () => {
      const scan = scanOnce();
      return encoded(drawAltered(kind, { scan, other: scan, rotations: ["left", "up"], seed: 107 }));
    };
    const { result, template } = await judge({ name: kind, draw });
    expect(result).not.toBe("pass");
    expect(template).toBeUndefined();
  });

  it("does not pass in less time than it states, by the service's clock", async () => {
    const container = await containerOf(standIns, asked.id);
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
    const draw = async () => {
      const light = [-0.4, 0.4, 0.9] as const;
      const other = scanFace(shapeOf(4, "M"), { side: 320, light, background: [150, 150, 150], seed: 4 });
      const rotations = ["left", "up"] as const;
      const drawn = await encoded(
        drawCapture({ scan: other, kind: "head", rotations, degrees: 18, seed: 9 }),
      );
      return [...(await head.draw()).slice(0, 7), ...drawn.slice(7)];
    };
    expect(await judge({ name: "another person in a step", draw })).toMatchObject({
      result: "fail",
      reason: "other_face",
      guidance: [],
    });
  });

  it("survives frames that are no image, and asks for another capture", async () => {
    const broken = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
    const draw = async () =>
      (await head.draw()).map((jpeg, i) => (i === 3 || i === 4 ? new Uint8Array([...broken, i]) : jpeg));
    expect(await judge({ name: "frames that are no image", draw })).toMatchObject({
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
    const container = await containerOf(standIns, asked.id);
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
    const container = await containerOf(standIns, asked.id);
    const old = container.slice();
    old[4] = 1;
    expect(await judgeCapture({ container: old, ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
      fault: "version",
    });
    expect(await judgeCapture({ container: container.subarray(0, -90), ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
    });
    const twice = await containerOf([...standIns.slice(0, -1), standIns[1]!], asked.id);
    expect(await judgeCapture({ container: twice, ...upload }, signal)).toMatchObject({
      result: "fail",
      reason: "sequence",
    });
  });

  it("without a challenge is judged by the passive cues of its best image", async () => {
    const container = await writeContainer({
      challenge: "",
      key,
      frames: [{ step: -1, index: 0, capturedMs: 0, jpeg: standIns[0]! }],
    });
    const passive = judgeOf({ ...head, name: "the best image alone" });
    expect(await passive({ ...upload, container, challenge: undefined }, signal)).toMatchObject({
      result: "pass",
      level: "passive",
    });
  });
});
