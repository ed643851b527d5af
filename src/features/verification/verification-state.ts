/** The work of a verification and its states: pure. */
import {
  documentFlows,
  type NextStep,
  selfieFlows,
  type VerificationFlow,
  type VerificationState,
} from "#contract/verification";
import type { VerificationContent } from "./verification.ts";

/** What the job does next. */
export type Work = "await-capture" | "start-document" | "judge-face" | "await-document";

export const hasDocument = (flow: VerificationFlow): boolean => documentFlows.includes(flow);
export const hasSelfie = (flow: VerificationFlow): boolean => selfieFlows.includes(flow);

/** Whether a capture session of this service took the selfie: such a session can ask for a challenge. */
export const isCaptured = ({
  captureSessionId,
  isAttested = false,
}: Pick<VerificationContent, "captureSessionId" | "isAttested">): boolean =>
  captureSessionId !== undefined || isAttested;

/**
 * The next work: the document is started first, because its portrait is the reference of the face.
 * `await-document` also decides a verification without a document, which has nothing to wait for.
 */
export const nextWork = ({
  flow,
  images,
  scanReference,
  face,
}: Pick<VerificationContent, "flow" | "images" | "scanReference" | "face">): Work => {
  if (images === undefined) return "await-capture";
  if (hasDocument(flow) && scanReference === undefined) return "start-document";
  if (hasSelfie(flow) && face === undefined) return "judge-face";
  return "await-document";
};

/** The state of a verification that has not ended. */
export const openStateOf = (
  content: Pick<VerificationContent, "images">,
  isInReview: boolean,
): Exclude<VerificationState, "COMPLETED" | "FAILED"> => {
  if (content.images === undefined) return "AWAITING_CAPTURE";
  return isInReview ? "IN_REVIEW" : "PROCESSING";
};

/** What the integrator does while the verification has not ended. */
export const waitingStepOf: Readonly<Record<Exclude<VerificationState, "COMPLETED" | "FAILED">, NextStep>> = {
  AWAITING_CAPTURE: "open_capture",
  PROCESSING: "wait",
  IN_REVIEW: "wait_for_review",
};

/** Whether the state is an end. */
export const isEnd = (state: VerificationState): state is "COMPLETED" | "FAILED" =>
  state === "COMPLETED" || state === "FAILED";

/** The end of a decision: a verification that could judge nothing has failed. */
export const endStateOf = ({
  decision,
}: Pick<NonNullable<VerificationContent["end"]>, "decision">): VerificationState =>
  decision === "error" ? "FAILED" : "COMPLETED";

/**
 * Longest pauses before a verification asks again for what it waits for, in milliseconds. An end that it
 * waits for makes it due at once.
 */
export const pauseMsMax = {
  /** A session is open for half an hour. */
  capture: 60_000,
  document: 5_000,
  /** A reviewer takes hours. */
  review: 300_000,
} as const;

/** Start of a wait whose pause is at most `msMax`: the pause of a job is as long as its wait so far. */
export const waitingSince = (began: Date, now: Date, msMax: number): Date =>
  new Date(Math.max(began.getTime(), now.getTime() - msMax));
