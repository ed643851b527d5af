/** Words of capture sessions on the wire and in the store. */

/** What a session captures. */
export const captureStepNames = ["face", "document"] as const;
export type CaptureStepName = (typeof captureStepNames)[number];

/** States of a session. Every state but OPEN is an end. */
export const captureStates = ["OPEN", "COMPLETED", "FAILED", "EXPIRED", "CANCELLED"] as const;
export type CaptureState = (typeof captureStates)[number];

export const captureStepStates = ["open", "accepted", "failed"] as const;
export type CaptureStepState = (typeof captureStepStates)[number];

/** What a judged upload means for its step. */
export const captureResults = ["accepted", "again", "failed"] as const;
export type CaptureResult = (typeof captureResults)[number];

/**
 * How the capture of a face is checked, the weakest first. passive: one image. active-turn: frames of a
 * challenge, in which the head turned as asked.
 */
export const captureLevels = ["passive", "active-turn"] as const;
export type CaptureLevel = (typeof captureLevels)[number];

/** Where the image of an upload came from, as the page states it. */
export const captureSources = ["camera", "upload", "handoff"] as const;
export type CaptureSource = (typeof captureSources)[number];

export const documentSides = ["front", "back"] as const;
export type DocumentSide = (typeof documentSides)[number];

/** Directions of a turn of the head; left and right are the person's own. */
export const turnDirections = ["left", "right", "up", "down"] as const;
export type TurnDirection = (typeof turnDirections)[number];

/**
 * Most decoded bytes of one piece of an upload: eight pieces for the largest face, and no thread is needed to
 * read one.
 */
export const pieceBytesMax = 262_144;

/** A task for one capture of a face, as the page gets it. */
export type CaptureChallenge = {
  /** Random; the page signs it with its frames. */
  readonly id: string;
  /** Times in ISO 8601. The capture begins before `expiresAt` … */
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** … and takes no longer than this from its first frame to its last. */
  readonly finishMs: number;
  /** Turns of the head, in this order. */
  readonly steps: readonly { readonly turn: TurnDirection }[];
};
