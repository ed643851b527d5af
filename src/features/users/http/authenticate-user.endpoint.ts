import { type Base64Text, decodeBase64Fields } from "#contract/base64";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { transactionEnvelope } from "#contract/envelope";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { type Outcome, outcomeOf } from "#contract/outcome";
import { isGiven } from "#contract/request-rule";
import { authenticateUserResult } from "#contract/result-code";
import { authenticateUserRoute, authenticateUserV2Route } from "#contract/user.routes";
import type { Authentication } from "../attempt.ts";
import type { AuthenticateUser, ProbeInput } from "../authenticate-user.ts";
import type { ReferenceInput } from "../open-faces.ts";

type Request = {
  readonly userId: string;
  readonly registeredTemplateRaw?: Base64Text;
  readonly image?: Base64Text;
  readonly bestImageToken?: Base64Text;
  readonly template?: Base64Text;
  readonly merchantReferenceId: string;
};

/** Makes a token of a template for the caller's tenant, in Base64. */
export type SealTemplate = (
  template: Uint8Array,
  call: Pick<Call<unknown>, "caller" | "receivedAt">,
) => Promise<string>;

type Deps = {
  readonly authenticateUser: AuthenticateUser;
  readonly sealTemplate: SealTemplate;
  readonly imageBytesMax: number;
};

/**
 * The registered template and the best image have priority. The two other inputs count only if these are
 * absent.
 */
const inputsOf = (
  request: Request,
  imageBytesMax: number,
): { readonly reference: ReferenceInput; readonly probe: ProbeInput } => {
  const { registeredTemplateRaw, image = "", bestImageToken, template = "" } = request;
  const hasTemplate = isGiven(registeredTemplateRaw);
  const hasBestImage = isGiven(bestImageToken);
  const fields: Readonly<Record<string, { readonly value: Base64Text; readonly bytesMax?: number }>> = {
    ...(hasTemplate
      ? { registeredTemplateRaw: { value: registeredTemplateRaw ?? "" } }
      : { image: { value: image, bytesMax: imageBytesMax } }),
    ...(hasBestImage
      ? { bestImageToken: { value: bestImageToken ?? "" } }
      : { template: { value: template } }),
  };
  const bytes = decodeBase64Fields(fields);
  const bytesOf = (name: string): Buffer => bytes[name] ?? Buffer.alloc(0);
  return {
    reference: hasTemplate
      ? { kind: "token", token: bytesOf("registeredTemplateRaw") }
      : { kind: "image", image: bytesOf("image") },
    probe: hasBestImage
      ? { kind: "best-image", token: bytesOf("bestImageToken") }
      : { kind: "template", token: bytesOf("template") },
  };
};

const authenticate = async (
  call: Call<Request>,
  endpoint: "authenticateUser" | "authenticateUserV2",
  { authenticateUser, imageBytesMax }: Deps,
): Promise<Authentication> => {
  const { userId } = call.request;
  const inputs = inputsOf(call.request, imageBytesMax);
  return await authenticateUser(call, { endpoint, userId, ...inputs });
};

const answerOf = async (
  call: Call<Request>,
  { verdict, facial, refusal, template, hash }: Authentication,
  { sealTemplate }: Deps,
) => {
  const { code, log } = authenticateUserResult[verdict];
  return {
    ...transactionEnvelope(call),
    serviceResultCode: code,
    serviceResultLog: log,
    serviceFacialSimilarityResult: facial.comparison?.similarity ?? 0,
    fmrAtScore: facial.comparison?.falseMatchRate ?? null,
    merchantReferenceId: call.request.merchantReferenceId,
    ...(refusal && { enrolmentRefusal: refusal }),
    ...(hash !== undefined && { facialAuthenticationHash: hash }),
    ...(template && { registeredTemplateRaw: await sealTemplate(template, call) }),
  };
};

/** A claimant who does not match or is not live is an answer (HTTP 200), not an error. */
export const authenticateUserEndpoint = (deps: Deps): Endpoint =>
  implement(authenticateUserRoute, async (call) => {
    const found = await authenticate(call, "authenticateUser", deps);
    return await answerOf(call, found, deps);
  });

/** The same, with both results. */
export const authenticateUserV2Endpoint = (deps: Deps): Endpoint =>
  implement(authenticateUserV2Route, async (call) => {
    const found = await authenticate(call, "authenticateUserV2", deps);
    const { facial, liveness } = found;
    return {
      ...(await answerOf(call, found, deps)),
      serviceFacialAuthenticationResult: facialAuthenticationNumber[facial.result],
      serviceFacialAuthenticationLog: facial.result,
      serviceLivenessResult: livenessNumber[liveness.result],
      serviceLivenessLog: liveness.result,
      outcome: outcomeOfAttempt(found),
    };
  });

/** A template of another user is rejected although no face was seen; only the verdict can state that. */
const outcomeOfAttempt = ({ verdict, isAgainst, facial, liveness }: Authentication): Outcome => {
  if (verdict === "authenticated") return "approved";
  if (isAgainst) return "rejected";
  return outcomeOf({
    facial: facialAuthenticationNumber[facial.result],
    liveness: livenessNumber[liveness.result],
  });
};
