import { type Challenge, type ChallengeReason, passiveFramesMax, stepFrames } from "./challenge.ts";
import type { Container, FrameHead } from "./container.ts";
import type { SequencePolicy } from "./policy.ts";

/** What the sequence of a capture showed; the record keeps it. */
export type SequenceMeasurement = {
  /** From the first frame to the last, by the page's clock. */
  readonly spanMs: number;
  /**
   * From the making of the challenge to the announcement of the upload, by the service's clock; absent
   * without a challenge.
   */
  readonly answerMs?: number;
  /** Least and greatest time between neighbours of a step; absent without steps. */
  readonly intervalMs?: readonly [least: number, most: number];
};

export type SequenceJudgement = {
  /** Absent if the sequence holds. */
  readonly reason?: Extract<ChallengeReason, "challenge" | "sequence">;
  readonly sequence: SequenceMeasurement;
};

/**
 * Judges order and times of a capture before any frame is decoded. `challenge` is undefined for a capture
 * without one. `arrivedAt` is the moment at which the service held the hash of the container: a slow upload
 * is no late capture.
 */
export const judgeSequence = (
  { head, frames }: Pick<Container, "head" | "frames">,
  challenge: Challenge | undefined,
  arrivedAt: Date,
  policy: SequencePolicy,
): SequenceJudgement => {
  const answerMs = challenge && arrivedAt.getTime() - Date.parse(challenge.issuedAt);
  const sequence = { ...measureSequence(head.frames), ...(answerMs !== undefined && { answerMs }) };
  const isAnswer = head.challenge === (challenge?.id ?? "");
  if (!isAnswer || (challenge !== undefined && isLate(challenge, arrivedAt, policy))) {
    return { reason: "challenge", sequence };
  }
  const holds =
    isInOrder(head.frames, challenge) &&
    sequence.spanMs <= (challenge?.finishMs ?? policy.passiveSpanMsMax) &&
    (answerMs === undefined || fitsIn(answerMs, sequence, policy)) &&
    (sequence.intervalMs === undefined || isPaced(sequence.intervalMs, policy)) &&
    leavesTimeBack(head.frames, policy) &&
    !hasEqualFrames(frames);
  return holds ? { sequence } : { reason: "sequence", sequence };
};

/** By the service's clock alone: the clock of a telephone may be wrong by a day. */
const isLate = (
  { issuedAt, expiresAt, finishMs }: Challenge,
  arrivedAt: Date,
  { arrivalMsMax }: SequencePolicy,
): boolean =>
  arrivedAt.getTime() < Date.parse(issuedAt) ||
  arrivedAt.getTime() > Date.parse(expiresAt) + finishMs + arrivalMsMax;

/** A page cannot state more time than passed on the service, and no person answers at once. */
const fitsIn = (
  answerMs: number,
  { spanMs }: Pick<SequenceMeasurement, "spanMs">,
  { answerMsMin, clockMsMax }: SequencePolicy,
): boolean => answerMs >= answerMsMin && spanMs <= answerMs + clockMsMax;

/** Between the last frame of a step and the first of the next the head turns back. */
const leavesTimeBack = (places: readonly FrameHead[], { turnBackMsMin }: SequencePolicy): boolean =>
  places.every(({ step, capturedMs }, i) => {
    const before = places[i - 1];
    return before === undefined || before.step < 0 || before.step === step
      ? true
      : capturedMs - before.capturedMs >= turnBackMsMin;
  });

const measureSequence = (places: readonly FrameHead[]): SequenceMeasurement => {
  const spanMs = places.at(-1)!.capturedMs - places[0]!.capturedMs;
  const intervals = places.flatMap(({ step, capturedMs }, i) => {
    const before = places[i - 1];
    return step >= 0 && before?.step === step ? [capturedMs - before.capturedMs] : [];
  });
  return intervals.length === 0
    ? { spanMs }
    : { spanMs, intervalMs: [Math.min(...intervals), Math.max(...intervals)] };
};

const isPaced = ([least, most]: readonly [number, number], policy: SequencePolicy): boolean =>
  least >= policy.intervalMsMin && most <= policy.intervalMsMax;

/** The best image, then the frames of each step; no two frames have one time, and none runs backwards. */
const isInOrder = (places: readonly FrameHead[], challenge: Challenge | undefined): boolean => {
  const grows = places.every(({ capturedMs }, i) => i === 0 || capturedMs > places[i - 1]!.capturedMs);
  if (!grows) return false;
  if (challenge === undefined) {
    return (
      places.length <= passiveFramesMax && places.every(({ step, index }, i) => step === -1 && index === i)
    );
  }
  const wanted = [
    { step: -1, index: 0 },
    ...challenge.steps.flatMap((_, step) =>
      Array.from({ length: stepFrames }, (__, index) => ({ step, index })),
    ),
  ];
  return (
    places.length === wanted.length &&
    places.every(({ step, index }, i) => step === wanted[i]!.step && index === wanted[i]!.index)
  );
};

/** Two frames of a camera are never the same bytes: its noise differs. */
const hasEqualFrames = (frames: readonly Uint8Array[]): boolean =>
  frames.some((frame, i) => frames.slice(i + 1).some((other) => isEqual(frame, other)));

const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
