/** Videos for Chromium's fake camera (`--use-file-for-fake-video-capture`), from frames that the caller draws. */
import sharp from "sharp";

/** RGB by row. */
export type Frame = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** Noise in a few pixels: no two frames of a camera are the same bytes. */
const addNoise = (pixels: Uint8Array, seed: number): Uint8Array => {
  const noisy = pixels.slice();
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  for (let i = 0; i < pixels.length / 100; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state % pixels.length;
    noisy[at] = Math.max(0, Math.min(255, pixels[at]! + 12));
  }
  return noisy;
};

const toJpeg = ({ width, height }: Frame, pixels: Uint8Array): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();

/** Motion JPEG of these frames. Chromium plays it at 30 frames a second, again and again. */
export const writeVideo = async (frames: readonly Frame[], isNoisy = true): Promise<Uint8Array> => {
  const images: Buffer[] = [];
  for (const [at, frame] of frames.entries()) {
    images.push(await toJpeg(frame, isNoisy ? addNoise(frame.data, at) : frame.data));
  }
  return Buffer.concat(images);
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
