/**
 * The turn challenge and the judgement of its answer: the types that the capture sessions, the page and the
 * engine share. This file imports types alone, so that a browser can use it too.
 */
import type { CaptureChallenge } from "#contract/capture";
import type { GuidanceCode } from "#contract/guidance";

/**
 * A task for one capture: two different directions, in this order. The store keeps it with its session, and
 * marks it as used before its answer is judged. To the left of the person the yaw of engine/pose.ts grows.
 */
export type Challenge = CaptureChallenge;

/** Frames of one step. Neighbours are followed from one to the next. */
export const stepFrames = 6;
/** Most frames of a capture without a challenge: the best image and three others. */
export const passiveFramesMax = 4;

/** A check of a capture that did not hold, in the order of the checks. The record alone holds it. */
export const challengeReasons = [
  "challenge",
  "sequence",
  "face_lost",
  "other_face",
  "best_apart",
  "moved_too_fast",
  "cut",
  "moved_too_little",
  "moved_unevenly",
  "flat",
  "relief_unclear",
  "passive",
] as const;
export type ChallengeReason = (typeof challengeReasons)[number];

/**
 * `again`: the person can correct it, and `guidance` says how. `fail`: the answer speaks of an attack or of
 * another capture; `guidance` is empty then, because no reason of a failure leaves the service.
 */
export type ChallengeVerdict = {
  readonly result: "pass" | "again" | "fail";
  /** Absent if the capture passed. */
  readonly reason?: ChallengeReason;
  readonly guidance: readonly GuidanceCode[];
};
