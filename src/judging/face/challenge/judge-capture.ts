import type { CaptureLevel } from "#contract/capture";
import type { Json } from "#contract/json";
import type { LivenessPolicy } from "../policy.ts";
import type { Challenge, ChallengeVerdict } from "./challenge.ts";
import { type Container, type ContainerFault, readContainer } from "./container.ts";
import { verifySignature } from "./container-signature.ts";
import { judgeChallenge } from "./judge-challenge.ts";
import { judgeSequence } from "./judge-sequence.ts";
import type { ChallengeFrames, ChallengeMeasurement, MeasureChallenge } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";
import { recordOfCapture } from "./record-capture.ts";

/** An uploaded capture, and what its session holds about it. */
export type UploadedCapture = {
  readonly container: Uint8Array;
  /** Undefined for a session that asks for passive liveness alone. It was marked as used before. */
  readonly challenge: Challenge | undefined;
  readonly thumbprint: string;
  /** When the service held the hash of the container. */
  readonly arrivedAt: Date;
};

export type CaptureJudgement = ChallengeVerdict & {
  /** Why the container could not be read; the reason is `sequence` then. */
  readonly fault?: ContainerFault["fault"];
  readonly level: CaptureLevel;
  /** The JPEG of the best image; absent for a container that could not be read. */
  readonly bestImage?: Uint8Array;
  /** The template of the best image; given if the capture passed. */
  readonly template?: Uint8Array;
  /** For the record: what a judge needs to judge again (record-capture.ts). */
  readonly measurements: Json;
  readonly policyVersion: string;
  readonly models: Readonly<Record<string, string>>;
};

/** Judges an uploaded capture. Made by {@link makeJudgeCapture}. */
export type JudgeCapture = (capture: UploadedCapture, signal: AbortSignal) => Promise<CaptureJudgement>;

type Deps = {
  readonly measure: MeasureChallenge;
  readonly policies: {
    readonly challenge: ChallengePolicy;
    readonly liveness: LivenessPolicy;
    /** Version of the face policy, which names that of liveness. */
    readonly version: string;
  };
};

/**
 * Reads a container, and judges signature, sequence and measurement in this order. No frame is decoded before
 * the first two hold. Overload and an aborted call stay failures: the caller gives the try back.
 */
export const makeJudgeCapture = ({ measure, policies }: Deps): JudgeCapture => {
  const policyVersion = `${policies.version} ${policies.challenge.version}`;
  return async ({ container: bytes, challenge, thumbprint, arrivedAt }, signal) => {
    const level = challenge === undefined ? "passive" : "active-turn";
    const failed = { result: "fail", guidance: [], level, policyVersion, models: {} } as const;
    const container = readContainer(bytes);
    if (container.kind === "fault") {
      const { fault } = container;
      return { ...failed, reason: "sequence", fault, measurements: { fault } };
    }
    const refused = { ...failed, bestImage: container.frames[0]! };
    if (!(await verifySignature(container, thumbprint))) {
      return { ...refused, reason: "challenge", measurements: { signature: false } };
    }
    const { reason, sequence } = judgeSequence(container, challenge, arrivedAt, policies.challenge.sequence);
    if (reason !== undefined) return { ...refused, reason, measurements: { sequence } };
    const measurement = await measure(framesOf(container, challenge), signal);
    const times = timesOf(container, challenge);
    const { liveness, ...verdict } = judgeChallenge(
      measurement,
      challenge && { ...challenge, times },
      policies,
    );
    return {
      ...verdict,
      level,
      bestImage: container.frames[0]!,
      ...templateOf(verdict, measurement),
      measurements: recordOfCapture({ measurement, challenge, times, sequence, verdict, liveness }),
      policyVersion,
      models: measurement.models,
    };
  };
};

const framesOf = ({ head, frames }: Container, challenge: Challenge | undefined): ChallengeFrames => ({
  best: frames[0]!,
  steps: (challenge?.steps ?? []).map((_, step) => frames.filter((__, i) => head.frames[i]!.step === step)),
});

/** When the page took the frames of each step. */
const timesOf = ({ head }: Container, challenge: Challenge | undefined): readonly (readonly number[])[] =>
  (challenge?.steps ?? []).map((_, step) =>
    head.frames.filter((place) => place.step === step).map(({ capturedMs }) => capturedMs),
  );

const templateOf = (
  { result }: ChallengeVerdict,
  { best }: ChallengeMeasurement,
): Pick<CaptureJudgement, "template"> =>
  result === "pass" && best.kind === "measured" && best.template !== undefined
    ? { template: best.template }
    : {};
