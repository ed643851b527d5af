import { type Base64Text, decodeBase64Fields } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { authenticateFacialRoute } from "#contract/face.routes";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { outcomeOf } from "#contract/outcome";
import type { AuthenticateFacial, FaceInput } from "../authenticate-facial.ts";

/** The kinds of token1 and token2, by method. */
const fieldKinds = {
  "1": ["image", "image"],
  "2": ["template", "template"],
  "3": ["image", "template"],
  "4": ["face-image", "image"],
  "5": ["face-image", "template"],
} as const satisfies Record<string, readonly [FaceInput["kind"], FaceInput["kind"]]>;

const inputOf = (bytes: Uint8Array, kind: FaceInput["kind"]): FaceInput =>
  kind === "image" ? { kind, image: bytes } : { kind, token: bytes };

/** Compares two faces; liveness is not judged. */
export const authenticateFacialEndpoint = (
  authenticateFacial: AuthenticateFacial,
  imageBytesMax: number,
): Endpoint => {
  const fieldOf = (value: Base64Text, kind: FaceInput["kind"]) =>
    kind === "image" ? { value, bytesMax: imageBytesMax } : { value };
  return implement(authenticateFacialRoute, async (call) => {
    const { token1, token2, method } = call.request;
    const [firstKind, secondKind] = fieldKinds[method];
    const bytes = decodeBase64Fields({
      token1: fieldOf(token1, firstKind),
      token2: fieldOf(token2, secondKind),
    });
    const { judgement, hash } = await authenticateFacial(
      call,
      inputOf(bytes.token1, firstKind),
      inputOf(bytes.token2, secondKind),
    );
    const facial = facialAuthenticationNumber[judgement.result];
    return {
      ...envelope(call, serviceRan("authenticateFacial")),
      serviceFacialAuthenticationResult: facial,
      serviceFacialAuthenticationLog: judgement.result,
      serviceFacialSimilarityResult: judgement.comparison?.similarity ?? 0,
      fmrAtScore: judgement.comparison?.falseMatchRate ?? null,
      outcome: outcomeOf({ facial }),
      ...(hash !== undefined && { facialAuthenticationHash: hash }),
    };
  });
};
