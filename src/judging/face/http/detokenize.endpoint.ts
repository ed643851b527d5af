import { decodeBase64 } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { transactionEnvelope } from "#contract/envelope";
import { detokenizeRoute } from "#contract/face.routes";
import type { Detokenize } from "../detokenize.ts";

export const detokenizeEndpoint = (detokenize: Detokenize): Endpoint =>
  implement(detokenizeRoute, async (call) => {
    const bestImageToken = decodeBase64("bestImageToken", call.request.bestImageToken);
    const image = await detokenize(call, bestImageToken, call.request.transactionId);
    return { ...transactionEnvelope(call), imageBuffer: Buffer.from(image).toString("base64") };
  });
