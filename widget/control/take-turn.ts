import type { TurnDirection } from "#contract/capture";
import { jpegQuality, longestSide } from "../camera/frames.ts";
import type { FaceFacts } from "../judge/judge-face.ts";
import type { HeadPose } from "../judge/pose.ts";
import { chooseTurnFrames, type Progress, progressAt, progressOf, turnLimits } from "../judge/turn.ts";
import { type LiveSession, lookOnce } from "./live-session.ts";

export type TurnFrame = { readonly capturedMs: number; readonly image: Blob };

/** A frame of a step before its choice. */
type Taken = { readonly capturedMs: number; readonly image: Promise<Blob> };

/** More frames than this are older than any that is chosen: 40 at 120 ms are 4.8 s. */
const takenMax = 40;

const turnLabels = { left: "turnLeft", right: "turnRight", up: "turnUp", down: "turnDown" } as const;

const isCentred = ({ yaw, pitch }: HeadPose, centre: HeadPose): boolean =>
  Math.abs(yaw - centre.yaw) <= turnLimits.centreDegrees &&
  Math.abs(pitch - centre.pitch) <= turnLimits.centreDegrees;

/** The head's pose, or the instruction that brings the face back. */
const poseIn = (session: LiveSession, face: FaceFacts | undefined): HeadPose | undefined => {
  if (face?.face === undefined) {
    session.instruct(session.texts.guidance("face_lost"), "face_lost");
    return undefined;
  }
  return face.face.pose;
};

/**
 * Waits until the head stands as in the best image. Its own pose is the centre: none looks quite straight.
 */
const awaitCentre = async (session: LiveSession, centre: HeadPose, untilMs: number): Promise<boolean> => {
  while (session.now() < untilMs) {
    const { face } = await lookOnce(session, { kind: "face" }, undefined);
    const pose = poseIn(session, face);
    if (pose !== undefined && isCentred(pose, centre)) return true;
    if (pose !== undefined) session.instruct(session.texts.label("turnBack"));
  }
  return false;
};

/** Frames of the video at a steady pace, whatever else the page does. */
const startTaking = ({ grabber }: LiveSession) => {
  const taken: Taken[] = [];
  const timer = setInterval(() => {
    taken.push(grabber.grab(longestSide.turn, jpegQuality.turn));
    if (taken.length > takenMax) taken.shift();
  }, turnLimits.frameMs);
  return { taken, stop: () => clearInterval(timer) };
};

/** The frames between measurements, with the progress of each. */
const withProgress = (taken: readonly Taken[], measured: readonly Progress[]) =>
  taken.flatMap((frame) => {
    const progress = progressAt(measured, frame.capturedMs);
    return progress === undefined ? [] : [{ ...frame, progress }];
  });

/**
 * Follows one turn: the six frames as soon as the guide has seen it; "again" if they lie too far apart or too
 * close.
 */
const followTurn = async (
  session: LiveSession,
  turn: TurnDirection,
  centre: HeadPose,
  untilMs: number,
): Promise<readonly TurnFrame[] | "again" | undefined> => {
  const { grabber, now } = session;
  const { taken, stop } = startTaking(session);
  const measured: Progress[] = [];
  try {
    while (now() < untilMs) {
      const { face } = await lookOnce(session, { kind: "face" }, undefined);
      const pose = poseIn(session, face);
      if (pose === undefined) {
        measured.length = 0;
        continue;
      }
      session.instruct(session.texts.label(turnLabels[turn]));
      measured.push({ atMs: grabber.lookedMs(), degrees: progressOf(turn, pose, centre) });
      if (measured.at(-1)!.degrees < turnLimits.doneDegrees) continue;
      const frames = withProgress(taken, measured);
      const chosen = chooseTurnFrames(frames);
      return chosen === undefined ? "again" : await encodeAll(chosen.map((at) => frames[at]!));
    }
    return undefined;
  } finally {
    stop();
  }
};

/**
 * Asks for one turn of the head and returns the six frames that show it; undefined if the time ran out. A
 * turn that is too quick or too slow for six frames is asked for once more.
 */
export const takeTurn = async (
  session: LiveSession,
  turn: TurnDirection,
  centre: HeadPose,
  untilMs: number,
): Promise<readonly TurnFrame[] | undefined> => {
  const { stage } = session;
  try {
    while (await awaitCentre(session, centre, untilMs)) {
      stage.showArrow(turn);
      session.instruct(session.texts.label(turnLabels[turn]));
      const frames = await followTurn(session, turn, centre, untilMs);
      if (frames !== "again") return frames;
      stage.showArrow(undefined);
      session.instruct(session.texts.guidance("move_slower"), "move_slower");
    }
    return undefined;
  } finally {
    stage.showArrow(undefined);
  }
};

const encodeAll = (frames: readonly Taken[]): Promise<readonly TurnFrame[]> =>
  Promise.all(frames.map(async ({ capturedMs, image }) => ({ capturedMs, image: await image })));
