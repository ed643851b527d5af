/** Composition of the measuring of a recogniser that the operator would like to add. */
import { calibrateCosine, type Strangers } from "./face/matching/calibrate-cosine.ts";
import { type Comparison, cosinesOf } from "./face/matching/comparison.ts";
import type { Template } from "./face/matching/template-kinds.ts";
import type { Manifest } from "./models/manifest.ts";
import { ModelRefused } from "./models/refusal.ts";
import type { Calibration } from "./models/shelf.ts";
import { addedRecogniser } from "./open-recogniser.ts";

/** Operating points whose threshold a manifest may name, the strictest that is common first. */
const thresholdRates = ["1e-4", "1e-3", "1e-2"] as const;

/**
 * Stands in for the product's comparison: the cosine is the score. A manifest without thresholds measures at 1, which no
 * two pictures reach.
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

/** What was counted among strangers, as the record of a recogniser keeps it. Throws ModelRefused where it is too little. */
export const calibrationOf = (manifest: Manifest, strangers: Strangers, at: Date): Calibration => {
  const points = calibrateCosine(strangers);
  if (typeof points === "string") throw new ModelRefused(`${manifest.name} was not calibrated: ${points}`);
  const within = [...strangers.within].map(([name, { length }]) => [name, length] as const);
  return {
    recogniser: addedRecogniser(manifest),
    at: at.toISOString(),
    pairs: { all: strangers.all.length, within: Object.fromEntries(within) },
    points: points.map(({ falseMatchRate, value }) => ({ falseMatchRate, cosine: value })),
  };
};
