import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { asInput } from "#contract/input";
import { livenessNumber } from "#contract/liveness";
import type { Quad } from "#machine/imaging/image";
import type { OpenedToken } from "#trust/tokens/token";
import { besideLiveness } from "./capture-fault.ts";
import { faceKinds, faceOf } from "./face-token.ts";
import { judgeBestImage } from "./liveness/judge-best-image.ts";
import { isJudged, type LivenessJudgement, livenessUnknown, withOrigin } from "./liveness/judge-liveness.ts";
import { requireLevel } from "./liveness/level.ts";
import { isSameImage } from "./liveness/resubmission.ts";
import { type FacialJudgement, judgeComparison } from "./matching/judge-comparison.ts";
import type { Wanted } from "./measurement.ts";
import { detailsOfFaces, hasFace } from "./operation-details.ts";
import type { FacePolicy } from "./policy.ts";
import { comparisonOf, livenessOf, measurementsOf, recordFaceCall } from "./record.ts";
import { type FaceCall, type FaceService, type Measured, measureOrBroken, requireImage } from "./service.ts";

/** The reference side: an open image or a part of it, or a token of a face image. A best image is one too. */
export type Reference =
  /** `area`: the portrait of a judged document. Other faces of its image are no reference. */
  { readonly image: Uint8Array; readonly area?: Quad } | { readonly faceImageToken: Uint8Array };

export type Identity = { readonly facial: FacialJudgement; readonly liveness: LivenessJudgement };

/** The judgements, with the authentication hash where both are positive. */
export type VerifiedIdentity = Identity & { readonly hash: string | undefined };

export type VerifyIdentity = (
  call: FaceCall,
  reference: Reference,
  bestImageToken: Uint8Array,
) => Promise<VerifiedIdentity>;

/**
 * Judges the liveness of the best image and compares it with a reference. Both images are measured at once.
 * Fails with an image failure for an unusable reference, with a token failure (inputs `reference` and
 * `bestImage`), or with token_replayed.
 */
export const makeVerifyIdentity =
  (service: FaceService): VerifyIdentity =>
  async (call, reference, bestImageToken) => {
    const bestImage = await asInput("bestImage", () => service.openToken(bestImageToken, "best-image", call));
    requireLevel(service.bestImages.levelMin?.identity, bestImage);
    const opened = await openReference(service, call, reference);
    const [first, best] = await Promise.all([
      measureOrBroken(service, opened.image, { template: true, ...opened.part }, call.signal),
      measureOrBroken(
        service,
        bestImage.payload,
        { template: true, liveness: true, frames: true },
        call.signal,
      ),
    ]);
    requireImage("reference", first);
    const judged = judgeIdentity(service.policy, first, best);
    const identity = { ...judged, liveness: withOrigin(judged.liveness, bestImage) };
    const hash = await recordFaceCall(service, call, {
      endpoint: "identity",
      result: {
        facial: facialAuthenticationNumber[identity.facial.result],
        liveness: livenessNumber[identity.liveness.result],
      },
      measurements: {
        reference: measurementsOf(first),
        bestImage: measurementsOf(best),
        comparison: comparisonOf(identity.facial),
        liveness: livenessOf(identity.liveness),
      },
      measured: [first, best],
      images: "image" in reference ? [reference.image] : [],
      tokens: [bestImage, ...opened.tokens],
      judged: isJudged(identity.liveness) ? { token: bestImage, call: "identity" } : undefined,
      operationDetails: detailsOfFaces(
        { selfie: hasFace(best) ? faceOf(bestImage) : undefined, portrait: opened.image },
        identity,
      ),
    });
    return { ...identity, hash };
  };

type OpenedReference = {
  readonly image: Uint8Array;
  readonly part?: Pick<Wanted, "area">;
  readonly tokens: readonly OpenedToken[];
};

const openReference = async (
  { openToken }: FaceService,
  call: FaceCall,
  reference: Reference,
): Promise<OpenedReference> => {
  if ("image" in reference) {
    const { image, ...part } = reference;
    return { image, part, tokens: [] };
  }
  const { faceImageToken } = reference;
  const reader = { ...call, isReference: true };
  const token = await asInput("reference", () => openToken(faceImageToken, faceKinds, reader));
  return { image: faceOf(token), tokens: [token] };
};

/**
 * Judges the liveness of a best image and its comparison with a reference: pure. Its origin is not
 * considered.
 */
export const judgeIdentity = (policy: FacePolicy, first: Measured, best: Measured): Identity => {
  const liveness = judgeBest(policy, first, best);
  return { facial: besideLiveness(judgeFaces(policy, first, best), liveness), liveness };
};

const judgeFaces = (policy: FacePolicy, first: Measured, best: Measured): FacialJudgement =>
  first.kind === "broken" || best.kind === "broken"
    ? { result: "None" }
    : judgeComparison(first, best, policy.comparison, {
        use: "document",
        sizeRatios: [policy.comparison.referenceCrowdShareMin, policy.comparison.crowdShareMin],
      });

const judgeBest = (policy: FacePolicy, first: Measured, best: Measured): LivenessJudgement =>
  best.kind === "broken"
    ? livenessUnknown
    : judgeBestImage(best, first.kind !== "broken" && isSameImage(first, best), policy.liveness);
