import { decodeBase64 } from "#contract/base64";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { envelope } from "#contract/envelope";
import { evaluatePassiveLivenessRoute, evaluatePassiveLivenessTokenRoute } from "#contract/face.routes";
import { namingFields } from "#contract/input";
import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import type { EvaluateLiveness } from "../evaluate-liveness.ts";
import type { LivenessJudgement } from "../liveness/judge-liveness.ts";

const answer = (call: Call<unknown>, { result }: LivenessJudgement) => ({
  ...envelope(call, result),
  serviceLivenessResult: livenessNumber[result],
  outcome: outcomeOf({ liveness: livenessNumber[result] }),
});

/** An attack, and a picture that cannot be decoded, are answers (HTTP 200, serviceResultCode 0), not errors. */
export const evaluatePassiveLivenessEndpoint = (
  evaluateLiveness: EvaluateLiveness,
  imageBytesMax: number,
): Endpoint =>
  implement(evaluatePassiveLivenessRoute, async (call) => {
    const picture = decodeBase64("imageBuffer", call.request.imageBuffer, { bytesMax: imageBytesMax });
    return answer(call, await evaluateLiveness(call, { picture }));
  });

/** The same for a tokenized best image, which is used up by the answer. */
export const evaluatePassiveLivenessTokenEndpoint = (evaluateLiveness: EvaluateLiveness): Endpoint =>
  implement(evaluatePassiveLivenessTokenRoute, async (call) => {
    const bestImageToken = decodeBase64("imageBuffer", call.request.imageBuffer);
    return await namingFields({ bestImage: "imageBuffer" }, async () =>
      answer(call, await evaluateLiveness(call, { bestImageToken })),
    );
  });
