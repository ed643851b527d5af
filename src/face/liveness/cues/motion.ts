import type { Point } from "#imaging/image";
import { ramp } from "#statistics/ramp";
import type { Cue } from "./cue.ts";
import { fitFlat } from "./homography.ts";

/** What happened between the frames of one capture. */
export type Motion = {
  /** Frames that showed the same person, the best image among them. */
  readonly frames: number;
  /** Most that a head's turn left unexplained by any flat thing; a sheet leaves under .03 (docs/measurements.md). */
  readonly parallax: number;
  /** Furthest turn of a flat thing that would explain the frames, and what it left unexplained. */
  readonly tilt: number;
  readonly tiltResidual: number;
  /** Least and greatest opening of the wider eye over the frames. */
  readonly eyes?: readonly [least: number, most: number];
};

/** What one frame gives: landmarks in pixels, eyes where they were read. */
export type FrameFace = {
  readonly points: readonly (readonly [x: number, y: number, z: number])[];
  readonly eyeOpenness?: readonly [number, number];
};

/** Landmarks of bone and nose (FaceMesh numbers): mouth and lids move without the head turning. */
const rigid = [
  33, 133, 362, 263, 168, 6, 197, 195, 5, 4, 1, 2, 98, 327, 10, 67, 297, 109, 338, 9, 8, 50, 280, 101, 330,
  234, 454, 127, 356, 116, 345, 123, 352,
] as const;

/** Compares every later frame of the same person with the first. Undefined with fewer than two. */
export const measureMotion = (faces: readonly FrameFace[]): Motion | undefined => {
  const [first, ...others] = faces;
  if (first === undefined || others.length === 0) return undefined;
  const fits = others
    .map((other) => fitFlat(rigidOf(first), rigidOf(other)))
    .filter((fit) => fit !== undefined);
  if (fits.length === 0) return undefined;
  const turned = fits.reduce((most, fit) => (fit.tilt > most.tilt ? fit : most));
  const openings = faces.flatMap(({ eyeOpenness }) => (eyeOpenness ? [Math.max(...eyeOpenness)] : []));
  return {
    frames: faces.length,
    parallax: Math.max(...fits.map(({ residual }) => residual)),
    tilt: turned.tilt,
    tiltResidual: turned.residual,
    ...(openings.length > 1 && { eyes: [Math.min(...openings), Math.max(...openings)] as const }),
  };
};

const rigidOf = ({ points }: FrameFace): readonly Point[] => rigid.map((i) => [points[i]![0], points[i]![1]]);

/** Whether the frames tell anything: a head that turned or blinked, or a flat thing that was turned. */
export const showsMotion = (motion: Motion): boolean =>
  motion.parallax >= parallaxMin || isFlat(motion) || (motion.eyes !== undefined && isBlink(motion.eyes));

/**
 * Frames of one man who turned by 8° and more left .037 to .19. Sheets turned by up to 25° left at most .030, and mostly
 * under .02, a quarter of their tilt at most; none of his frames left so little at such a tilt (55 and 24 pairs,
 * docs/measurements.md).
 */
const parallaxMin = 0.035;
const flatMax = 0.03;
const flatShareMax = 0.27;
const tiltMin = 0.06;

const isFlat = ({ parallax, tilt, tiltResidual }: Motion): boolean =>
  parallax < parallaxMin && tiltResidual < Math.min(flatMax, flatShareMax * tilt) && tilt >= tiltMin;

const isBlink = ([least, most]: readonly [number, number]): boolean => least < 0.12 && most > 0.16;

/** A turning head parallaxes and blinks; a still picture, however held, is flat. A replayed video does both. */
export const motionCue: Cue = {
  name: "motion",
  strength: "decisive",
  reason:
    "Between the frames the face turned as a flat sheet does, without the nose moving against the eyes; or, in a person's favour, it turned as a head does, or blinked. A video that is replayed does so too.",
  weigh: ({ cues }) => {
    const motion = cues?.motion;
    if (motion === undefined || !showsMotion(motion)) return undefined;
    if (isFlat(motion))
      return ramp(motion.tilt, [
        [tiltMin, 1.2],
        [0.1, 3.5],
        [0.15, 4.5],
      ]);
    // In favour only as much as a replayed video, which moves as well, leaves of it.
    const blinked = motion.eyes !== undefined && isBlink(motion.eyes) ? -0.2 : 0;
    return (
      blinked +
      ramp(motion.parallax, [
        [parallaxMin, 0],
        [0.08, -0.5],
      ])
    );
  },
};
