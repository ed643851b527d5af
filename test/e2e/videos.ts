import sharp from "sharp";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import { drawTurningHead } from "#sandbox/specimen/turning-head";
import { cameraWith, type Frame, type Pose, posesBetween } from "./fake-camera.ts";

/** Small, so that a video is drawn in some seconds. */
const size = { width: 480, height: 360 };
const centre: Pose = { yaw: 0, pitch: 0 };

/**
 * A head that looks ahead for two seconds, turns left, then right, as a person does who is asked for both.
 */
const turningHead = posesBetween([
  { ...centre, frames: 25 },
  { yaw: 30, pitch: 0, frames: 20 },
  { yaw: 30, pitch: 0, frames: 5 },
  { ...centre, frames: 20 },
  { ...centre, frames: 12 },
  { yaw: -30, pitch: 0, frames: 20 },
  { yaw: -30, pitch: 0, frames: 5 },
  { ...centre, frames: 20 },
]);

const wall = (): readonly [number, number, number] => [170, 168, 160];

/** Every third degree is drawn once. */
const drawHeads = (poses: readonly Pose[], area: Pick<Frame, "width" | "height">): readonly Frame[] => {
  const scan = scanFace(shapeOf(1, "F"), {
    side: 240,
    light: [0.3, 0.4, 0.9],
    background: [150, 150, 150],
    seed: 1,
  });
  const drawn = new Map<number, Frame>();
  return poses.map(({ yaw }) => {
    const rounded = 3 * Math.round(yaw / 3);
    const frame =
      drawn.get(rounded) ?? drawTurningHead(scan, "head", { yaw: rounded, pitch: 0 }, { ...area, wall });
    drawn.set(rounded, frame);
    return frame;
  });
};

/** A pale card with lines of print on a dark table. */
const cardSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#39424c"/><rect x="62" y="78" width="516" height="324" rx="16" fill="#dfe6ea"/><rect x="90" y="130" width="130" height="170" fill="#8a99a5"/>${Array.from(
  { length: 12 },
  (_, i) =>
    `<text x="250" y="${130 + i * 21}" font-size="17" fill="#1d2833">SPECIMEN ${1000 + i * 37} UTOPIA</text>`,
).join("")}</svg>`;

const drawCard = async (): Promise<Frame> => {
  const data = await sharp(Buffer.from(cardSvg))
    .resize(size.width, size.height)
    .removeAlpha()
    .raw()
    .toBuffer();
  return { ...size, data: new Uint8Array(data) };
};

export type VideoName = "turning" | "card" | "grey";

/** Frames of a video by its name. */
const framesOf = async (name: VideoName): Promise<readonly Frame[]> => {
  const repeat = (frame: Frame): readonly Frame[] => Array.from({ length: 15 }, () => frame);
  const plain = (colour: readonly number[]): Frame => ({
    ...size,
    data: Uint8Array.from({ length: size.width * size.height * 3 }, (_, i) => colour[i % 3]!),
  });
  if (name === "turning") return drawHeads(turningHead, size);
  return repeat(name === "card" ? await drawCard() : plain([120, 120, 120]));
};

/** Flags of Chromium for a camera that shows this video. */
export const cameraFlags =
  (name: VideoName) =>
  (folder: string): Promise<readonly string[]> =>
    cameraWith(folder, name, () => framesOf(name), name !== "grey");
