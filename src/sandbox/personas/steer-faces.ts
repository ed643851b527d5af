import { Failure } from "#contract/failure";
import type { FaceEngine, FaceMeasurement, Wanted } from "#judging/face/measurement";
import { type FindImage, type MetImage, refuseMark } from "./find-image.ts";
import type { MapVectors } from "./persona.ts";

type UnpackFrames = (payload: Uint8Array) => readonly Uint8Array[];

/** Resolves after the pause; rejects when `signal` aborts. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export type SteerFacesDeps = {
  readonly findImage: FindImage;
  readonly unpackFrames: UnpackFrames;
  readonly mapVectors: MapVectors;
  readonly pause: Pause;
};

const imagesIn = (
  unpackFrames: UnpackFrames,
  bytes: Uint8Array,
  { frames }: Wanted,
): readonly Uint8Array[] => (frames === true ? unpackFrames(bytes) : [bytes]);

/** The steered measurement, which names its persona. An image without a face has no fact to change. */
const steered = (measured: FaceMeasurement, { steering, persona }: MetImage, mapVectors: MapVectors) => {
  if (steering === undefined || measured.kind !== "measured") return measured;
  const changed = steering.kind === "face" ? steering.change(measured, mapVectors) : measured;
  return { ...changed, persona };
};

/**
 * The engine of test keys: it measures every image, and changes the measurement of an image whose mark steers. Of several
 * frames the first decides.
 */
export const steerFaces = (engine: FaceEngine, deps: SteerFacesDeps): FaceEngine => ({
  measure: async (bytes, wanted, signal) => {
    const [first = bytes] = imagesIn(deps.unpackFrames, bytes, wanted);
    const met = deps.findImage(first);
    if (met === undefined) return await engine.measure(bytes, wanted, signal);
    const { steering, persona } = met;
    if (steering?.kind === "failure") throw new Failure(steering.code, { persona });
    if (steering?.kind === "delay") await deps.pause(steering.ms, signal);
    return steered(await engine.measure(bytes, wanted, signal), met, deps.mapVectors);
  },
});

/** The engine of live keys: it refuses every marked image. */
export const refuseMarkedFaces = (engine: FaceEngine, unpackFrames: UnpackFrames): FaceEngine => ({
  measure: async (bytes, wanted, signal) => {
    imagesIn(unpackFrames, bytes, wanted).forEach(refuseMark);
    return await engine.measure(bytes, wanted, signal);
  },
});
