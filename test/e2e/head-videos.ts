import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import { drawTurningHead, type HeadKind } from "#sandbox/specimen/turning-head";
import { cameraWith, type Frame, type Pose, posesBetween } from "./fake-camera.ts";

/** What stands before the camera: a head, or a print of the same face. `still` does not move. */
export type HeadVideo = { readonly kind: HeadKind; readonly isStill?: boolean };

/** A telephone held upright. */
const size = { width: 360, height: 480 };
const distanceCm = 38;
/** More than the page asks for (20 by its own measure), so that it sees the turn end. */
const degrees = 28;
/** Poses are drawn at these steps: 37 in all, some 100 ms each. */
const stepDegrees = degrees / 9;

const ahead: Pose = { yaw: 0, pitch: 0 };
const rotations: readonly Pose[] = [
  { yaw: degrees, pitch: 0 },
  { yaw: 0, pitch: -degrees },
  { yaw: -degrees, pitch: 0 },
  { yaw: 0, pitch: degrees },
];

/**
 * Ahead, then each direction and back: twelve seconds in all, so that any two rotations fit into a
 * challenge's forty.
 */
const path = posesBetween([
  { ...ahead, frames: 45 },
  ...rotations.flatMap((turn) => [
    { ...turn, frames: 20 },
    { ...turn, frames: 3 },
    { ...ahead, frames: 10 },
    { ...ahead, frames: 5 },
  ]),
]);

const wall = (u: number, v: number) => {
  const shade = 168 + 24 * u - 18 * v;
  return [shade, shade - 3, shade - 8] as const;
};

/** Made once for all videos. */
let scanned: ReturnType<typeof scanFace> | undefined;
const scan = (): ReturnType<typeof scanFace> => {
  scanned ??= scanFace(shapeOf(1, "F"), {
    side: 300,
    light: [0.3, 0.4, 0.9],
    background: [150, 150, 150],
    seed: 1,
  });
  return scanned;
};

/** The head of the videos as it looks ahead. */
export const drawHead = (): Frame =>
  drawTurningHead(scan(), "head", { ...ahead, distanceCm }, { ...size, wall });

const drawFrames = ({ kind, isStill = false }: HeadVideo): readonly Frame[] => {
  const face = scan();
  const drawn = new Map<string, Frame>();
  const rounded = (angle: number): number => stepDegrees * Math.round(angle / stepDegrees);
  return (isStill ? path.slice(0, 15).map(() => ahead) : path).map(({ yaw, pitch }) => {
    const pose = { yaw: rounded(yaw), pitch: rounded(pitch), distanceCm };
    const name = `${pose.yaw} ${pose.pitch}`;
    const frame = drawn.get(name) ?? drawTurningHead(face, kind, pose, { ...size, wall });
    drawn.set(name, frame);
    return frame;
  });
};

/** Flags of Chromium for a camera that shows this video. */
export const headCamera =
  (video: HeadVideo) =>
  (folder: string): Promise<readonly string[]> =>
    cameraWith(folder, `${video.kind}-${video.isStill === true ? "still" : "turning"}`, () =>
      drawFrames(video),
    );
