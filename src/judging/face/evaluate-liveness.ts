import { asInput } from "#contract/input";
import { livenessNumber } from "#contract/liveness";
import type { OpenedToken } from "#trust/tokens/token";
import { faceOf } from "./face-token.ts";
import {
  isJudged,
  judgeLiveness,
  type LivenessJudgement,
  livenessUnknown,
  withOrigin,
} from "./liveness/judge-liveness.ts";
import { requireLevel } from "./liveness/level.ts";
import { detailsOfFaces, hasFace } from "./operation-details.ts";
import { livenessOf, measurementsOf, recordFaceCall } from "./record.ts";
import { type FaceCall, type FaceService, measureOrBroken } from "./service.ts";

/** The input to judge: an open image, or a sealed best-image token. */
export type LivenessInput = { readonly image: Uint8Array } | { readonly bestImageToken: Uint8Array };

export type EvaluateLiveness = (call: FaceCall, input: LivenessInput) => Promise<LivenessJudgement>;

/** Passive liveness of one image. An image that cannot be decoded is an answer (ImageDataError). */
export const makeEvaluateLiveness =
  (service: FaceService): EvaluateLiveness =>
  async (call, input) => {
    const token: OpenedToken | undefined =
      "bestImageToken" in input
        ? await asInput("bestImage", () => service.openToken(input.bestImageToken, "best-image", call))
        : undefined;
    requireLevel(service.bestImages.levelMin?.liveness, token);
    const image = "image" in input ? input.image : token?.payload;
    if (image === undefined) {
      throw new Error("A token was not opened before it was measured");
    }
    const measured = await measureOrBroken(
      service,
      image,
      { liveness: true, frames: token !== undefined },
      call.signal,
    );
    const judgement = withOrigin(
      measured.kind === "broken" ? livenessUnknown : judgeLiveness(measured, service.policy.liveness),
      token,
    );
    await recordFaceCall(service, call, {
      endpoint: token ? "evaluatePassiveLivenessToken" : "evaluatePassiveLiveness",
      result: { liveness: livenessNumber[judgement.result] },
      measurements: { picture: measurementsOf(measured), liveness: livenessOf(judgement) },
      measured: [measured],
      tokens: token ? [token] : [],
      judged: token && isJudged(judgement) ? { token, call: "liveness" } : undefined,
      operationDetails: detailsOfFaces(
        { selfie: hasFace(measured) ? (token === undefined ? image : faceOf(token)) : undefined },
        { liveness: judgement },
      ),
    });
    return judgement;
  };
