import { type Endpoint, implement } from "#contract/endpoint";
import { transactionEnvelope } from "#contract/envelope";
import { detokenizeRoute } from "#contract/face.routes";
import type { Detokenize } from "../detokenize.ts";

export const detokenizeEndpoint = (detokenize: Detokenize): Endpoint =>
  implement(detokenizeRoute, async (call) => {
    const picture = await detokenize(call, call.request.bestImageToken, call.request.transactionId);
    return { ...transactionEnvelope(call), imageBuffer: Buffer.from(picture).toString("base64") };
  });
