/**
 * Videos for Chromium's fake camera (`--use-file-for-fake-video-capture`), from frames that the caller draws.
 */
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** RGB by row; sides are even. */
export type Frame = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/**
 * Of the videos. Half of what cameras give: a page that shows, measures and grabs every frame of a drawn
 * camera leaves a small machine with no time for anything else, and then the camera stands still. The service
 * wants a frame each 400 ms.
 */
export const framesPerSecond = 15;

/** Luma and colour of ITU-R BT.601, the colour of each four pixels taken from one of them. */
const toPlanes = ({ width, height, data }: Frame): Uint8Array => {
  const planes = new Uint8Array((width * height * 3) / 2);
  let colour = width * height;
  const half = (width * height) / 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const [red, green, blue] = [data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!];
      planes[pixel] = 16.5 + 0.257 * red + 0.504 * green + 0.098 * blue;
      if (y % 2 === 1 || x % 2 === 1) continue;
      planes[colour] = 128.5 - 0.148 * red - 0.291 * green + 0.439 * blue;
      planes[colour + half] = 128.5 + 0.439 * red - 0.368 * green - 0.071 * blue;
      colour += 1;
    }
  }
  return planes;
};

/** Noise in the luma of a few pixels: no two frames of a camera are the same bytes. */
const addNoise = (planes: Uint8Array, seed: number): Uint8Array => {
  const noisy = planes.slice();
  const pixels = (planes.length * 2) / 3;
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  for (let i = 0; i < pixels / 30; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state % pixels;
    noisy[at] = Math.min(235, planes[at]! + 10);
  }
  return noisy;
};

/**
 * Uncompressed video (YUV4MPEG2) of these frames, of which several may be one. Chromium plays it again and
 * again.
 */
const writeVideo = (frames: readonly Frame[], isNoisy: boolean): Uint8Array => {
  const planesOf = new Map([...new Set(frames)].map((frame) => [frame, toPlanes(frame)]));
  const [{ width, height }] = [frames[0]!];
  const parts: Uint8Array[] = [
    Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420\n`),
  ];
  for (const [at, frame] of frames.entries()) {
    const planes = planesOf.get(frame)!;
    parts.push(Buffer.from("FRAME\n"), isNoisy ? addNoise(planes, at) : planes);
  }
  return Buffer.concat(parts);
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Flags of Chromium for a camera that shows this video, whose question for permission is answered with yes.
 * The video is drawn into the folder where it is not there yet.
 */
export const cameraWith = async (
  folder: string,
  name: string,
  draw: () => Promise<readonly Frame[]> | readonly Frame[],
  isNoisy = true,
): Promise<readonly string[]> => {
  const path = join(folder, `${name}.y4m`);
  if (!(await isThere(path))) await writeFile(path, writeVideo(await draw(), isNoisy));
  return [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${path}`,
  ];
};

/** A head of the video: angles in degrees, yaw to the person's left, pitch downwards. */
export type Pose = { readonly yaw: number; readonly pitch: number };

/** From one pose to the next in so many frames each; the first pose stands at the start. */
export const posesBetween = (parts: readonly (Pose & { readonly frames: number })[]): readonly Pose[] => {
  let from: Pose = parts[0] ?? { yaw: 0, pitch: 0 };
  return parts.flatMap(({ frames, ...to }) => {
    const start = from;
    from = to;
    return Array.from({ length: frames }, (_, i) => {
      const share = (i + 1) / frames;
      return {
        yaw: start.yaw + share * (to.yaw - start.yaw),
        pitch: start.pitch + share * (to.pitch - start.pitch),
      };
    });
  });
};
