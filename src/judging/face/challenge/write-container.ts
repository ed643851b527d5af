/** The writer of containers of version 2. A browser imports it: it needs WebCrypto and nothing else. */
import {
  type ContainerHead,
  containerLimits,
  containerMagic,
  containerVersion,
  type FrameHead,
  type PageKey,
  prefixBytes,
  signatureBytes,
} from "./container.ts";
import { signContainer } from "./container-signature.ts";

/** A frame of a capture with its place. */
export type CapturedFrame = FrameHead & { readonly jpeg: Uint8Array };

type Capture = {
  /** The id of the challenge; empty without one. */
  readonly challenge: string;
  readonly key: { readonly publicKey: PageKey; readonly privateKey: CryptoKey };
  /** The best image first. */
  readonly frames: readonly CapturedFrame[];
};

/** The signed container of a capture. Throws RangeError for no frame or too many. */
export const writeContainer = async ({ challenge, key, frames }: Capture): Promise<Uint8Array> => {
  if (frames.length < 1 || frames.length > containerLimits.framesMax) {
    throw new RangeError(`A capture has 1 to ${containerLimits.framesMax} frames, not ${frames.length}.`);
  }
  const head: ContainerHead = {
    challenge,
    key: key.publicKey,
    frames: frames.map(placeOf),
  };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const images = frames.map(({ jpeg }) => jpeg);
  return joinContainer(headBytes, images, await signContainer(key.privateKey, headBytes, images));
};

/** A place without the image, in the order of its fields that docs/formats/frames.md shows. */
const placeOf = ({ step, index, capturedMs, paintedMs }: FrameHead): FrameHead =>
  paintedMs === undefined ? { step, index, capturedMs } : { step, index, capturedMs, paintedMs };

/** The bytes of a container from its parts. */
export const joinContainer = (
  headBytes: Uint8Array,
  frames: readonly Uint8Array[],
  signature: Uint8Array,
): Uint8Array => {
  const framesBytes = frames.reduce((sum, { length }) => sum + 4 + length, 0);
  const bytes = new Uint8Array(prefixBytes + headBytes.length + framesBytes + signatureBytes);
  const view = new DataView(bytes.buffer);
  bytes.set([...containerMagic, containerVersion, frames.length]);
  view.setUint32(6, headBytes.length);
  bytes.set(headBytes, prefixBytes);
  let at = prefixBytes + headBytes.length;
  for (const frame of frames) {
    view.setUint32(at, frame.length);
    bytes.set(frame, at + 4);
    at += 4 + frame.length;
  }
  bytes.set(signature, at);
  return bytes;
};
