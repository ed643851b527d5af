import { Failure } from "#contract/failure";
import { unpackFrames } from "#judging/face/engine/frames";
import type { FaceEngine, FaceMeasurement, Wanted } from "#judging/face/measurement";
import { type FindImage, type MetImage, refuseMark } from "./find-image.ts";

/** Resolves after the pause; rejects when `signal` aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

const imagesIn = (bytes: Uint8Array, { frames }: Wanted): readonly Uint8Array[] =>
  frames === true ? unpackFrames(bytes) : [bytes];

/** The steered measurement, which names its persona. An image without a face has no fact to change. */
const steered = (measured: FaceMeasurement, { steering, persona }: MetImage) => {
  if (steering === undefined || measured.kind !== "measured") return measured;
  const changed = steering.kind === "face" ? steering.change(measured) : measured;
  return { ...changed, persona };
};

/**
 * The engine of test keys: it measures every image, and changes the measurement of an image whose mark
 * steers. Of several frames the first decides.
 */
export const steerFaces = (engine: FaceEngine, findImage: FindImage, pause: Pause): FaceEngine => ({
  measure: async (bytes, wanted, signal) => {
    const [first = bytes] = imagesIn(bytes, wanted);
    const met = findImage(first);
    if (met === undefined) return await engine.measure(bytes, wanted, signal);
    const { steering, persona } = met;
    if (steering?.kind === "failure") throw new Failure(steering.code, { persona });
    if (steering?.kind === "delay") await pause(steering.ms, signal);
    return steered(await engine.measure(bytes, wanted, signal), met);
  },
});

/** The engine of live keys: it refuses every marked image. */
export const refuseMarkedFaces = (engine: FaceEngine): FaceEngine => ({
  measure: async (bytes, wanted, signal) => {
    imagesIn(bytes, wanted).forEach(refuseMark);
    return await engine.measure(bytes, wanted, signal);
  },
});
