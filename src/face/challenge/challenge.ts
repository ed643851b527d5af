/**
 * The turn challenge and the judgement of its answer: the types that the capture sessions, the page and the engine share.
 * This file imports nothing, so that a browser can use it too.
 */

/** Left and right are the person's own: to the left the yaw of engine/pose.ts grows. */
export const turnDirections = ["left", "right", "up", "down"] as const;
export type TurnDirection = (typeof turnDirections)[number];

export type ChallengeStep = { readonly turn: TurnDirection };

/** A task for one capture. The store keeps it with its session, and marks it as used before its answer is judged. */
export type Challenge = {
  /** 16 random bytes in Base64url. */
  readonly id: string;
  /** Times in ISO 8601. The capture begins before `expiresAt` … */
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** … and takes no longer than this from its first frame to its last. */
  readonly finishMs: number;
  /** Two different directions, in the order of the capture. */
  readonly steps: readonly ChallengeStep[];
};

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
  "moved_too_fast",
  "cut",
  "moved_too_little",
  "flat",
  "relief_unclear",
  "passive",
] as const;
export type ChallengeReason = (typeof challengeReasons)[number];

/** The guidance that a judgement gives a person. Each is a code of contract/guidance.ts. */
export type ChallengeGuidance =
  | "no_face"
  | "many_faces"
  | "face_lost"
  | "move_slower"
  | "turn_more"
  | "hold_still"
  | "closer"
  | "further"
  | "center"
  | "turn_less"
  | "eyes_open"
  | "uncover_face"
  | "too_dark"
  | "too_bright";

/**
 * `again`: the person can correct it, and `guidance` says how. `fail`: the answer speaks of an attack or of another
 * capture; `guidance` is empty then, because no reason of a failure leaves the service.
 */
export type ChallengeVerdict = {
  readonly result: "pass" | "again" | "fail";
  /** Absent if the capture passed. */
  readonly reason?: ChallengeReason;
  readonly guidance: readonly ChallengeGuidance[];
};
