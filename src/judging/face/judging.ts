import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { TokenUse } from "#record/transactions/record";
import type { OpenedToken } from "#trust/tokens/token";
import { faceOf } from "./face-token.ts";
import { judgeBestImage } from "./liveness/judge-best-image.ts";
import { isJudged, type LivenessJudgement, withOrigin } from "./liveness/judge-liveness.ts";
import { requireLevel } from "./liveness/level.ts";
import { isSameImage } from "./liveness/resubmission.ts";
import {
  type FaceSide,
  type FacialJudgement,
  judgeAlone,
  judgeComparison,
} from "./matching/judge-comparison.ts";
import { isSameTemplate, mapTemplate, recogniserOfTemplate } from "./matching/template.ts";
import type { FaceMeasurement, Wanted } from "./measurement.ts";
import { detailsOfFaces, hasFace } from "./operation-details.ts";
import { comparisonOf, hashOfImage, livenessOf, measurementsOf } from "./record.ts";
import { type FaceDeps, measureOrBroken } from "./service.ts";
import { type JudgingCall, usesOf } from "./use-best-image.ts";

/**
 * The functions that a module needs to recognise faces and keep their templates. Made by
 * {@link makeFaceJudging}.
 */
export type FaceJudging = {
  /** Fails with engine_failed if the engine broke, and reports the cause to the operator. */
  readonly measure: (bytes: Uint8Array, wanted: Wanted, signal: AbortSignal) => Promise<FaceMeasurement>;
  /** `reference` may be a document, which shows its holder twice. */
  readonly compare: (reference: FaceSide, probe: FaceSide) => FacialJudgement;
  /** Judges a face without a second one. */
  readonly judgeAlone: (side: FaceSide) => FacialJudgement["result"];
  /** Compares a template with the portrait of a document, at the rate for documents. */
  readonly comparePortrait: (template: FaceSide, portrait: FaceSide) => FacialJudgement;
  /** `isCopy`: the best image is the same image as the one compared with it. */
  readonly judgeBestImage: (best: FaceMeasurement, isCopy: boolean) => LivenessJudgement;
  /** True if the best image contributed to the answer, and so is used up. */
  readonly isJudged: typeof isJudged;
  readonly isSameImage: typeof isSameImage;
  readonly isSameTemplate: typeof isSameTemplate;
  readonly withOrigin: typeof withOrigin;
  /** Fails with liveness_level_too_low where a claimant's token lacks the least level of assurance. */
  readonly requireLevel: (token: OpenedToken) => void;
  readonly mapTemplate: typeof mapTemplate;
  /** Names the recogniser of a packed template; undefined for bytes in another format. */
  readonly recogniserOf: typeof recogniserOfTemplate;
  /** Names the active recogniser. */
  readonly recogniser: string;
  /** The marks of a judged best image as used; empty if the rules allow any use. */
  readonly usesOf: (
    token: OpenedToken,
    call: Parameters<typeof usesOf>[2],
    kind: JudgingCall,
  ) => readonly TokenUse[];
  /** The inputs of a decision, for its record. */
  readonly describe: {
    readonly measurement: (measured: FaceMeasurement) => Json;
    readonly comparison: (judgement: FacialJudgement) => Json;
    readonly liveness: (judgement: LivenessJudgement) => Json;
    /** SHA-256 (hex) of an open image. */
    readonly image: typeof hashOfImage;
  };
  /** What the call of a judgement states for its operation. */
  readonly operationDetails: {
    readonly of: typeof detailsOfFaces;
    readonly hasFace: typeof hasFace;
    /** The encoded image of a token, of several frames the first. */
    readonly imageOf: typeof faceOf;
  };
  readonly policyVersion: string;
};

export const makeFaceJudging = (service: FaceDeps, recogniser: string): FaceJudging => {
  const { policy } = service;
  const { referenceCrowdShareMin, crowdShareMin } = policy.comparison;
  return {
    measure: async (bytes, wanted, signal) => {
      const measured = await measureOrBroken(service, bytes, wanted, signal);
      if (measured.kind === "broken") {
        throw new Failure("engine_failed");
      }
      return measured;
    },
    compare: (reference, probe) =>
      judgeComparison(reference, probe, policy.comparison, {
        use: "selfie",
        sizeRatios: [referenceCrowdShareMin, crowdShareMin],
      }),
    judgeAlone: (side) => judgeAlone(side, policy.comparison),
    comparePortrait: (template, portrait) =>
      judgeComparison(template, portrait, policy.comparison, {
        use: "document",
        sizeRatios: [crowdShareMin, referenceCrowdShareMin],
      }),
    judgeBestImage: (best, isCopy) => judgeBestImage(best, isCopy, policy.liveness),
    isJudged,
    isSameImage,
    isSameTemplate,
    withOrigin,
    requireLevel: (token) => requireLevel(service.bestImages.levelMin?.authenticateUser, token),
    mapTemplate,
    recogniserOf: recogniserOfTemplate,
    recogniser,
    usesOf: (token, call, kind) => usesOf(service.bestImages, token, call, kind),
    describe: {
      measurement: measurementsOf,
      comparison: comparisonOf,
      liveness: livenessOf,
      image: hashOfImage,
    },
    operationDetails: { of: detailsOfFaces, hasFace, imageOf: faceOf },
    policyVersion: policy.version,
  };
};
