/** Composition of the measurement of a recogniser that the operator may add. */
import { calibrateCosine, type Impostors } from "#evaluation/faces/calibrate-cosine";
import { type Comparison, cosinesOf } from "#judging/face/matching/comparison";
import type { Template } from "#judging/face/matching/template-kinds";
import type { Manifest } from "#machine/models/manifest";
import type { Calibration } from "#machine/models/model-store";
import { ModelRefused } from "#machine/models/refusal";
import { addedRecogniser } from "./recogniser.ts";

/** Operating points whose threshold a manifest may name, the strictest first. */
const thresholdRates = ["1e-4", "1e-3", "1e-2"] as const;

/**
 * Replaces the product's comparison for a candidate: the cosine is the score. Without thresholds in the
 * manifest the threshold is 1, which no two images reach.
 */
export const candidateTools = ({ thresholds = {} }: Manifest) => {
  const rate = thresholdRates.find((name) => thresholds[name] !== undefined);
  return {
    compare: (a: Template, b: Template): Comparison | undefined => {
      const cosines = cosinesOf(a, b);
      const [score] = cosines ?? [];
      return cosines === undefined || score === undefined
        ? undefined
        : { score, similarity: score, falseMatchRate: 1, cosines };
    },
    similarityOf: (score: number): number => score,
    threshold: rate === undefined ? 1 : (thresholds[rate] ?? 1),
    meaning: `cosine of two embeddings; the threshold is the manifest's${rate === undefined ? ", which names none" : ` for FMR ${rate}`}`,
  };
};

/**
 * The calibration from impostor cosines, as the record of a recogniser keeps it. Throws ModelRefused for too
 * few pairs.
 */
export const calibrationOf = (manifest: Manifest, impostors: Impostors, at: Date): Calibration => {
  const points = calibrateCosine(impostors);
  if (typeof points === "string") throw new ModelRefused(`${manifest.name} was not calibrated: ${points}`);
  const within = [...impostors.within].map(([name, { length }]) => [name, length] as const);
  return {
    recogniser: addedRecogniser(manifest),
    at: at.toISOString(),
    pairs: { all: impostors.all.length, within: Object.fromEntries(within) },
    points: points.map(({ falseMatchRate, value }) => ({ falseMatchRate, cosine: value })),
  };
};
