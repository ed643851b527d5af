import { Failure } from "#contract/failure";
import type { Json, TokenUse } from "#storage/store";
import type { OpenedToken } from "#tokens/token";
import { judgeBestImage } from "./liveness/judge-best-image.ts";
import { isJudged, type LivenessJudgement } from "./liveness/judge-liveness.ts";
import { isSamePicture } from "./liveness/resubmission.ts";
import {
  type FaceSide,
  type FacialJudgement,
  judgeAlone,
  judgeComparison,
} from "./matching/judge-comparison.ts";
import { isSameTemplate, mapTemplate, recogniserOfTemplate } from "./matching/template.ts";
import type { FaceMeasurement, Wanted } from "./measurement.ts";
import { comparisonOf, livenessOf, measurementsOf, usesOf } from "./record.ts";
import { type FaceService, measureOrBroken } from "./service.ts";

/** What this room lends to a room that knows faces again and keeps their templates. */
export type FaceJudging = {
  /** Fails with engine_failed where the engine broke; the operator is told why. */
  readonly measure: (bytes: Uint8Array, wanted: Wanted, signal: AbortSignal) => Promise<FaceMeasurement>;
  /** `reference` may be a document that shows its holder twice. */
  readonly compare: (reference: FaceSide, probe: FaceSide) => FacialJudgement;
  /** A face by itself, where there is nothing to compare it with. */
  readonly judgeAlone: (side: FaceSide) => FacialJudgement["result"];
  /** A template with the portrait of a document, at the rate for documents. */
  readonly comparePortrait: (template: FaceSide, portrait: FaceSide) => FacialJudgement;
  /** `isCopy`: the best image is the very picture that it is compared with. */
  readonly judgeBestImage: (best: FaceMeasurement, isCopy: boolean) => LivenessJudgement;
  /** Whether the best image had a part in the answer, and so is used up. */
  readonly isJudged: typeof isJudged;
  readonly isSamePicture: typeof isSamePicture;
  readonly isSameTemplate: typeof isSameTemplate;
  readonly mapTemplate: typeof mapTemplate;
  /** Names the recogniser of a packed template; undefined for bytes that are none. */
  readonly recogniserOf: typeof recogniserOfTemplate;
  /** Names the recogniser that measures now. */
  readonly recogniser: string;
  /** What marks a judged best-image token as used; empty where the policy lets it be used again. */
  readonly usesOf: (token: OpenedToken) => readonly TokenUse[];
  /** What a decision was made of, for its record. */
  readonly describe: {
    readonly measurement: (measured: FaceMeasurement) => Json;
    readonly comparison: (judgement: FacialJudgement) => Json;
    readonly liveness: (judgement: LivenessJudgement) => Json;
  };
  readonly policyVersion: string;
};

export const makeFaceJudging = (service: FaceService, recogniser: string): FaceJudging => {
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
        crowdShares: [referenceCrowdShareMin, crowdShareMin],
      }),
    judgeAlone: (side) => judgeAlone(side, policy.comparison),
    comparePortrait: (template, portrait) =>
      judgeComparison(template, portrait, policy.comparison, {
        use: "document",
        crowdShares: [crowdShareMin, referenceCrowdShareMin],
      }),
    judgeBestImage: (best, isCopy) => judgeBestImage(best, isCopy, policy.liveness),
    isJudged,
    isSamePicture,
    isSameTemplate,
    mapTemplate,
    recogniserOf: recogniserOfTemplate,
    recogniser,
    usesOf: (token) => usesOf(service, token),
    describe: { measurement: measurementsOf, comparison: comparisonOf, liveness: livenessOf },
    policyVersion: policy.version,
  };
};
