import { decodeBase64 } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { identityRoute } from "#contract/face.routes";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import type { VerifyIdentity } from "../verify-identity.ts";

/** Another person or an attack is an answer (HTTP 200, serviceResultCode 0), not an error. */
export const identityEndpoint = (verifyIdentity: VerifyIdentity, imageBytesMax: number): Endpoint =>
  implement(identityRoute, async (call) => {
    const { token1, bestImageToken, method } = call.request;
    const reference =
      method === "3"
        ? { picture: decodeBase64("token1", token1, { bytesMax: imageBytesMax }) }
        : { faceImageToken: token1 };
    const { facial, liveness } = await verifyIdentity(call, reference, bestImageToken);
    const numbers = {
      facial: facialAuthenticationNumber[facial.result],
      liveness: livenessNumber[liveness.result],
    };
    return {
      ...envelope(call, serviceRan("identity")),
      facialAuthenticationResult: numbers.facial,
      facialAuthenticationLog: facial.result,
      facialAuthenticationSimilarity: facial.comparison?.similarity ?? null,
      passiveLivenessResult: numbers.liveness,
      passiveLivenessLog: liveness.result,
      outcome: outcomeOf(numbers),
    };
  });
