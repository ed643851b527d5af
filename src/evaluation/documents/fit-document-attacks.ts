import type { FittedFusion } from "#contract/presentation-attack/fusion";
import type { AttackPolicy } from "#judging/document/decision/attacks/attack-policy";
import type { DocumentCue, DocumentCueName } from "#judging/document/decision/attacks/cue";
import { documentBounds, hintMaxOf, isDecisive, joinCues } from "#judging/document/decision/attacks/fusion";
import {
  crossFitFusion,
  type FitRules,
  type FusionSample,
  fitFusion,
} from "../presentation-attack/fit-fusion.ts";

/** One labelled document with its cues. */
export type DocumentSample = Omit<FusionSample<DocumentCueName>, "evidence"> & {
  readonly cues: readonly DocumentCue[];
};

export type FittedDocumentFusion = FittedFusion<DocumentCueName>;

type Policy = Pick<AttackPolicy, "decision">;

/**
 * No sample has a face beside the document's own, so the scale of `other-face` follows the offset alone.
 * Numbers are rounded down to stay within their limits.
 */
const rulesOf = (policy: Policy): FitRules<DocumentCueName> => {
  const { offset, scaleMax, attackLogOdds } = documentBounds(policy);
  return {
    bounds: {
      offset,
      scaleMaxOf: (cue, at) =>
        isDecisive(cue) ? scaleMax : Math.min(scaleMax, (attackLogOdds - at - 0.01) / hintMaxOf(cue)),
    },
    fixedCues: ["other-face"],
    steps: 2000,
    round: (value) => Math.floor(1000 * value) / 1000,
  };
};

const sampleOf = ({ cues, isAttack, kind, group }: DocumentSample): FusionSample<DocumentCueName> => ({
  evidence: joinCues(cues),
  isAttack,
  kind,
  group,
});

/** The document fusion with the least loss within its limits. */
export const fitDocumentAttacks = (
  samples: readonly DocumentSample[],
  policy: Policy,
): FittedDocumentFusion => fitFusion(samples.map(sampleOf), rulesOf(policy));

/** For every sample a fit without the images of the same document. */
export const crossFitDocumentAttacks = (
  samples: readonly DocumentSample[],
  policy: Policy,
  folds: number,
): readonly FittedDocumentFusion[] => crossFitFusion(samples.map(sampleOf), rulesOf(policy), folds);
