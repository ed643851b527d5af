import type { Point } from "#imaging/image";
import { ramp } from "#statistics/ramp";
import type { Cue } from "./cue.ts";
import { fitFlat } from "./homography.ts";
import type { Motion } from "./measured-cues.ts";

/** The measurements of one frame: landmarks in pixels, and the eyes where they were read. */
export type FrameFace = {
  readonly points: readonly (readonly [x: number, y: number, z: number])[];
  readonly eyeOpenness?: readonly [number, number];
};

/** Landmarks of bone and nose (FaceMesh numbers): mouth and lids move without the head. */
const rigid = [
  33, 133, 362, 263, 168, 6, 197, 195, 5, 4, 1, 2, 98, 327, 10, 67, 297, 109, 338, 9, 8, 50, 280, 101, 330,
  234, 454, 127, 356, 116, 345, 123, 352,
] as const;

/** Compares the first frame with every later frame of the same person. Undefined for fewer than two frames. */
export const measureMotion = (faces: readonly FrameFace[]): Motion | undefined => {
  const [first, ...others] = faces;
  if (first === undefined || others.length === 0) return undefined;
  const fits = others
    .map((other) => fitFlat(rigidOf(first), rigidOf(other)))
    .filter((fit) => fit !== undefined);
  if (fits.length === 0) return undefined;
  const rotated = fits.reduce((most, fit) => (fit.tilt > most.tilt ? fit : most));
  const openings = faces.flatMap(({ eyeOpenness }) => (eyeOpenness ? [Math.max(...eyeOpenness)] : []));
  return {
    frames: faces.length,
    parallax: Math.max(...fits.map(({ residual }) => residual)),
    tilt: rotated.tilt,
    tiltResidual: rotated.residual,
    ...(openings.length > 1 && { eyes: [Math.min(...openings), Math.max(...openings)] as const }),
  };
};

const rigidOf = ({ points }: FrameFace): readonly Point[] => rigid.map((i) => [points[i]![0], points[i]![1]]);

/** Whether the frames show motion: a head that moved or blinked, or a flat object that tilted. */
export const showsMotion = (motion: Motion): boolean =>
  motion.parallax >= parallaxMin || isFlat(motion) || (motion.eyes !== undefined && isBlink(motion.eyes));

/**
 * Frames of one man with a yaw of 8° and more have a residual of .037 to .19. Sheets at up to 25° have at most .030, mostly
 * under .02, and at most a quarter of their tilt. None of his frames has so little at such a tilt (55 and 24 pairs,
 * docs/measurements/liveness.md).
 */
const parallaxMin = 0.035;
const flatMax = 0.03;
const flatShareMax = 0.27;
const tiltMin = 0.06;

const isFlat = ({ parallax, tilt, tiltResidual }: Motion): boolean =>
  parallax < parallaxMin && tiltResidual < Math.min(flatMax, flatShareMax * tilt) && tilt >= tiltMin;

const isBlink = ([least, most]: readonly [number, number]): boolean => least < 0.12 && most > 0.16;

/** A living head has parallax and blinks; a still image is flat in every position. A replayed video has both. */
export const motionCue: Cue = {
  name: "motion",
  strength: "decisive",
  reason:
    "Between the frames the face rotated as a flat sheet does, without the nose moving against the eyes; or, in a person's favour, it rotated as a head does, or blinked. A replayed video does so too.",
  weigh: ({ cues }) => {
    const motion = cues?.motion;
    if (motion === undefined || !showsMotion(motion)) return undefined;
    if (isFlat(motion))
      return ramp(motion.tilt, [
        [tiltMin, 1.2],
        [0.1, 3.5],
        [0.15, 4.5],
      ]);
    // A replayed video moves too, so the weight in favour is small.
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
