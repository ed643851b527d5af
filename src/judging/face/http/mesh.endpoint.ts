import { decodeBase64, largerThan } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { showMeshRoute } from "#contract/sandbox.routes";
import type { FaceEngine } from "../measurement.ts";
import { requireImage } from "../service.ts";

/** A tenth of a pixel: a drawing shows no more. */
const roundedTo = 10;

const rounded = (length: number): number => Math.round(length * roundedTo) / roundedTo;

/** The landmarks of a face for test keys. It stores nothing; to a live key there is no such endpoint. */
export const showMeshEndpoint = (engine: FaceEngine, imageBytesMax: number): Endpoint =>
  implement(showMeshRoute, async (call) => {
    if (call.caller.environment !== "test") throw new Failure("path_unknown");
    const bytes = decodeBase64("image", call.request.image);
    if (bytes.length > imageBytesMax) throw largerThan("image", imageBytesMax);
    const measured = await engine.measure(bytes, { mesh: true }, call.signal);
    requireImage("image", measured);
    if (measured.kind !== "measured") throw new Error(`A required image is ${measured.kind}`);
    const { width, height, face } = measured;
    const points = (face?.mesh ?? []).map(([x, y]) => [rounded(x), rounded(y)]);
    return { timestamp: answeredAt(call).toISOString(), width, height, points };
  });
