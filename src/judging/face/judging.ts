import { Failure } from "#contract/failure";
import type { TokenUse } from "#record/transactions/record";
import type { OpenedToken } from "#trust/tokens/token";
import { judgeBestImage } from "./liveness/judge-best-image.ts";
import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import { requireLevel } from "./liveness/level.ts";
import {
  type FaceSide,
  type FacialJudgement,
  judgeAlone,
  judgeComparison,
} from "./matching/judge-comparison.ts";
import type { FaceMeasurement, Wanted } from "./measurement.ts";
import { type FaceDeps, measureOrBroken } from "./service.ts";
import { type JudgingCall, usesOf } from "./use-best-image.ts";

/** Measuring and judging faces under one policy, for other modules. Made by {@link makeFaceJudging}. */
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
  /** Fails with liveness_level_too_low where a claimant's token lacks the least level of assurance. */
  readonly requireLevel: (token: OpenedToken) => void;
  /** Names the active recogniser. */
  readonly recogniser: string;
  /** The marks of a judged best image as used; empty if the rules allow any use. */
  readonly usesOf: (
    token: OpenedToken,
    call: Parameters<typeof usesOf>[2],
    kind: JudgingCall,
  ) => readonly TokenUse[];
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
    requireLevel: (token) => requireLevel(service.bestImages.levelMin?.authenticateUser, token),
    recogniser,
    usesOf: (token, call, kind) => usesOf(service.bestImages, token, call, kind),
    policyVersion: policy.version,
  };
};
