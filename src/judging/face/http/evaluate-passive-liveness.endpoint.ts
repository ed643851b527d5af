import { decodeBase64 } from "#contract/base64";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope } from "#contract/envelope";
import { evaluatePassiveLivenessRoute, evaluatePassiveLivenessTokenRoute } from "#contract/face.routes";
import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import type { EvaluateLiveness } from "../evaluate-liveness.ts";
import type { LivenessJudgement } from "../liveness/judge-liveness.ts";

const answer = (call: Call<unknown>, { result }: LivenessJudgement) => ({
  ...envelope(call, result),
  serviceLivenessResult: livenessNumber[result],
  outcome: outcomeOf({ liveness: livenessNumber[result] }),
});

/**
 * An attack, and an image that cannot be decoded, are answers (HTTP 200, serviceResultCode 0), not errors.
 */
export const evaluatePassiveLivenessEndpoint = (
  evaluateLiveness: EvaluateLiveness,
  imageBytesMax: number,
): Endpoint =>
  implement(evaluatePassiveLivenessRoute, async (call) => {
    const image = decodeBase64("imageBuffer", call.request.imageBuffer, { bytesMax: imageBytesMax });
    return answer(call, await evaluateLiveness(call, { image }));
  });

/** The same for a tokenized best image, which the answer uses up. */
export const evaluatePassiveLivenessTokenEndpoint = (evaluateLiveness: EvaluateLiveness): Endpoint =>
  implement(evaluatePassiveLivenessTokenRoute, async (call) => {
    const bestImageToken = decodeBase64("imageBuffer", call.request.imageBuffer);
    return answer(call, await evaluateLiveness(call, { bestImageToken }));
  });
