import { decodeBase64Fields } from "#contract/base64";
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
    const { method, token1, bestImageToken } = call.request;
    const isImage = method === "3";
    const bytes = decodeBase64Fields({
      token1: { value: token1, ...(isImage && { bytesMax: imageBytesMax }) },
      bestImageToken: { value: bestImageToken },
    });
    const reference = isImage ? { image: bytes.token1 } : { faceImageToken: bytes.token1 };
    const { facial, liveness, hash } = await verifyIdentity(call, reference, bytes.bestImageToken);
    const numbers = {
      facial: facialAuthenticationNumber[facial.result],
      liveness: livenessNumber[liveness.result],
    };
    return {
      ...envelope(call, serviceRan("identity")),
      facialAuthenticationResult: numbers.facial,
      facialAuthenticationLog: facial.result,
      facialAuthenticationSimilarity: facial.comparison?.similarity ?? 0,
      fmrAtScore: facial.comparison?.falseMatchRate ?? null,
      passiveLivenessResult: numbers.liveness,
      passiveLivenessLog: liveness.result,
      outcome: outcomeOf(numbers),
      ...(hash !== undefined && { facialAuthenticationHash: hash }),
    };
  });
