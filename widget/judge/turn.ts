import type { TurnDirection } from "#contract/capture";
import type { HeadPose } from "./pose.ts";

/**
 * A frame of a step of the challenge: when it was taken, and how far the head had moved as asked, in degrees.
 */
export type StepFrame = { readonly capturedMs: number; readonly progress: number };

/**
 * What the guide measured at one moment. Frames are taken more often than the guide can measure on a slow
 * device.
 */
export type Progress = { readonly atMs: number; readonly degrees: number };

/** The progress at a moment between two measurements; undefined before the first and after the last. */
export const progressAt = (measured: readonly Progress[], ms: number): number | undefined => {
  const after = measured.findIndex(({ atMs }) => atMs >= ms);
  const [from, to] = [measured[after - 1], measured[after]];
  if (to === undefined) return undefined;
  if (from === undefined) return to.atMs === ms ? to.degrees : undefined;
  return from.degrees + ((to.degrees - from.degrees) * (ms - from.atMs)) / (to.atMs - from.atMs);
};

export const turnLimits = {
  /** The step is done when the guide shows this much; the service asks for 12 by its own measure. */
  doneDegrees: 20,
  /** The last frame that is sent may lie a little before that moment. */
  lastDegrees: 16,
  /** A step begins from here. */
  centreDegrees: 6,
  /** A frame each this many milliseconds, as the service's rule of 60 to 400 allows. */
  frameMs: 120,
  gapMsMin: 60,
  gapMsMax: 400,
  /** Six are sent: the first, the last, and four between. */
  frames: 6,
  /**
   * The most of the turn between two of them, as the service allows: a turn that is quicker is asked for once
   * more, and costs no try.
   */
  shareMax: 0.45,
} as const;

/** How far a head has moved from its own centre in the asked direction. */
export const progressOf = (turn: TurnDirection, pose: HeadPose, centre: HeadPose): number => {
  const yaw = pose.yaw - centre.yaw;
  const pitch = pose.pitch - centre.pitch;
  return { left: yaw, right: -yaw, down: pitch, up: -pitch }[turn];
};

/**
 * The places of the six frames of a step: the last is the first frame that reaches `doneDegrees` (a moment
 * after it the guide may still be short of it), the first is the latest before it at the centre, and the
 * others lie evenly between. Undefined if the turn has no six frames at the pace of the service: too quick,
 * with a jump, or so slow that it never stood at the centre within five gaps.
 */
export const chooseTurnFrames = (frames: readonly StepFrame[]): readonly number[] | undefined => {
  const reached = frames.findIndex(({ progress }) => progress >= turnLimits.doneDegrees);
  const last = reached === -1 ? frames.length - 1 : reached;
  const first = startOf(frames, last);
  if (first === undefined || frames[last]!.progress < turnLimits.lastDegrees) return undefined;
  const gaps = turnLimits.frames - 1;
  const chosen = Array.from(
    { length: turnLimits.frames },
    (_, i) => first + Math.round((i * (last - first)) / gaps),
  );
  const whole = frames[last]!.progress - frames[first]!.progress;
  const isPaced = chosen.slice(1).every((at, i) => {
    const before = frames[chosen[i]!]!;
    const gap = frames[at]!.capturedMs - before.capturedMs;
    const isEven = frames[at]!.progress - before.progress <= turnLimits.shareMax * whole;
    return isEven && gap >= turnLimits.gapMsMin && gap <= turnLimits.gapMsMax;
  });
  return isPaced ? chosen : undefined;
};

/** The latest frame at the centre that leaves six; a quick turn takes some frames from before its start. */
const startOf = (frames: readonly StepFrame[], last: number): number | undefined => {
  for (let at = last - (turnLimits.frames - 1); at >= 0; at--) {
    if (Math.abs(frames[at]!.progress) <= turnLimits.centreDegrees) return at;
  }
  return undefined;
};
