import type { TurnDirection } from "#contract/capture";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import { stepFrames } from "#judging/face/challenge/challenge";
import type { Image } from "#machine/imaging/image";
import type { FaceScan } from "#sandbox/specimen/face-scan";
import { expose } from "#sandbox/specimen/photograph";
import { drawTurningHead, type HeadKind, type HeadPose } from "#sandbox/specimen/turning-head";

/** A drawn capture: the thing before the camera, and what it does. */
export type DrawnCapture = {
  readonly scan: FaceScan;
  readonly kind: HeadKind;
  readonly rotations: readonly TurnDirection[];
  /** Degrees of each turn; 0 for a thing that stays as it is. */
  readonly degrees: number;
  readonly seed: number;
  /** Of each frame of a step, how much of the turn it shows; six even shares by default. */
  readonly shares?: readonly number[];
};

/** The drawn frames of a capture, as `ChallengeFrames` names them. */
export type DrawnFrames = { readonly best: Image; readonly steps: readonly (readonly Image[])[] };

const senses = {
  left: { yaw: 1, pitch: 0 },
  right: { yaw: -1, pitch: 0 },
  up: { yaw: 0, pitch: -1 },
  down: { yaw: 0, pitch: 1 },
} as const;

const evenShares = Array.from({ length: stepFrames }, (_, i) => i / (stepFrames - 1));

/** Pose by hand: it sways a little around the asked one. */
const swayDegrees = 0.5;

/**
 * Draws a capture with the noise, exposure and sway of a telephone in a hand. The same arguments give the
 * same frames.
 */
export const drawCapture = ({
  scan,
  kind,
  rotations,
  degrees,
  seed,
  shares = evenShares,
}: DrawnCapture): DrawnFrames => {
  const random = seededRandom(seed);
  const around = (deviation: number): number => deviation * normalDeviate(random);
  const begin = { yaw: around(3), pitch: around(3), roll: around(2) };
  const draw = (yaw: number, pitch: number, [width, height]: readonly [number, number]): Image => {
    const pose: HeadPose = {
      yaw: begin.yaw + yaw + around(swayDegrees),
      pitch: begin.pitch + pitch + around(swayDegrees),
      roll: begin.roll + around(swayDegrees),
      distanceCm: 38 * (1 + around(0.01)),
      shiftCm: [around(0.3), around(0.3)],
    };
    const light = 1 + around(0.04);
    const frame = drawTurningHead(scan, kind, pose, { width, height, wall, light });
    return expose(frame, { noise: 2.5, blurPx: 0, falloff: 0.9, seed: Math.floor(random() * 2 ** 31) });
  };
  const best = draw(0, 0, [720, 960]);
  const steps = rotations.map((turn) =>
    shares.map((share) => {
      const angle = degrees * share;
      return draw(angle * senses[turn].yaw, angle * senses[turn].pitch, [480, 640]);
    }),
  );
  return { best, steps };
};

const wall = (u: number, v: number) => {
  const shade = (u < 0.2 ? 120 : 168) + 24 * u - 18 * v;
  return [shade, shade - 3, shade - 8] as const;
};
