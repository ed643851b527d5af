import { containerMagic as magic } from "../challenge/container.ts";

/**
 * Several frames of one capture in one token: `IDMF`, version 1, the number of frames, then each frame with
 * its length in four bytes, big end first. The first is the best image. docs/formats/frames.md describes the
 * same for systems that seal.
 */
const version = 1;
const headLength = 6;
export const framesMax = 8;

/**
 * The encoded images of a payload: a single one for any payload without the container. A damaged container
 * gives a single frame too, its unchanged bytes, which do not decode as an image.
 */
export const unpackFrames = (bytes: Uint8Array): readonly [Uint8Array, ...Uint8Array[]] => {
  const count = bytes[5] ?? 0;
  const isContainer = magic.every((byte, i) => bytes[i] === byte) && bytes[4] === version;
  if (!isContainer || count < 1 || count > framesMax) return [bytes];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  let at = headLength;
  for (let i = 0; i < count && at + 4 <= bytes.length; i++) {
    const end = at + 4 + view.getUint32(at);
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at + 4, end));
    at = end;
  }
  const [first, ...others] = frames;
  return first === undefined || frames.length !== count || at !== bytes.length ? [bytes] : [first, ...others];
};

/** The container of these images, best image first. Throws RangeError for none or too many. */
export const packFrames = (frames: readonly Uint8Array[]): Uint8Array => {
  if (frames.length < 1 || frames.length > framesMax) {
    throw new RangeError(`A capture has 1 to ${framesMax} frames, not ${frames.length}.`);
  }
  const bytes = new Uint8Array(frames.reduce((sum, { length }) => sum + 4 + length, headLength));
  bytes.set([...magic, version, frames.length]);
  const view = new DataView(bytes.buffer);
  let at = headLength;
  for (const frame of frames) {
    view.setUint32(at, frame.length);
    bytes.set(frame, at + 4);
    at += 4 + frame.length;
  }
  return bytes;
};
