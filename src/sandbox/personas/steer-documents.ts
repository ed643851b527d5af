import { Failure } from "#contract/failure";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { type FindImage, type MetImage, refuseMark } from "./find-image.ts";
import type { Steering } from "./persona.ts";
import type { Pause } from "./steer-faces.ts";

type Images = Parameters<DocumentEngine["read"]>[0];

const sidesOf = ({ front, back }: Images): readonly Uint8Array[] =>
  back === undefined ? [front] : [front, back];

/** Carries out an outage or a delay of this part of the work. */
const meetOutage = async (
  pause: Pause,
  met: MetImage | undefined,
  at: (Steering & { readonly kind: "failure" })["at"],
  signal: AbortSignal | undefined,
): Promise<void> => {
  const steering = met?.steering;
  if (steering?.kind === "failure" && steering.at === at) throw new Failure(steering.code);
  if (steering?.kind === "delay" && at === "measure") await pause(steering.ms, signal);
};

/**
 * The engine of test keys: it reads every image. The reading of an image whose mark steers names its persona.
 * Of two sides the first that steers decides.
 */
export const steerDocuments = (
  engine: DocumentEngine,
  findImage: FindImage,
  pause: Pause,
): DocumentEngine => ({
  ...engine,
  inspect: async (bytes, signal) => {
    await meetOutage(pause, findImage(bytes), "inspect", signal);
    return await engine.inspect(bytes, signal);
  },
  read: async (images, hints, signal) => {
    const met = sidesOf(images)
      .map(findImage)
      .find((one) => one?.steering !== undefined);
    await meetOutage(pause, met, "measure", signal);
    const reading = await engine.read(images, hints, signal);
    if (met?.steering === undefined) return reading;
    const changed = met.steering.kind === "reading" ? met.steering.change(reading) : reading;
    return { ...changed, persona: met.persona };
  },
});

/** The engine of live keys: it refuses every marked image. */
export const refuseMarkedDocuments = (engine: DocumentEngine): DocumentEngine => ({
  ...engine,
  inspect: async (bytes, signal) => {
    refuseMark(bytes);
    return await engine.inspect(bytes, signal);
  },
  read: async (images, hints, signal) => {
    sidesOf(images).forEach(refuseMark);
    return await engine.read(images, hints, signal);
  },
});
