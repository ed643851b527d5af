/** Composition of the measuring of a recogniser that the operator would like to add. */
import { compareEmbeddings, unpackEmbedding } from "./face/added-recogniser.ts";
import type { Comparison } from "./face/comparison.ts";
import type { Template } from "./face/template.ts";
import type { Manifest } from "./models/manifest.ts";

/** Operating points whose threshold a manifest may name, the strictest that is common first. */
const thresholdRates = ["1e-4", "1e-3", "1e-2"] as const;

/**
 * Stands in for the product's templates and comparison: one vector, which takes both places, and its cosine as the score.
 * A manifest without thresholds measures at 1, which no two pictures reach.
 */
export const candidateTools = ({ thresholds = {} }: Manifest) => {
  const rate = thresholdRates.find((name) => thresholds[name] !== undefined);
  return {
    unpackTemplate: (bytes: Uint8Array): Template | undefined => {
      const embedding = unpackEmbedding(bytes);
      if (embedding === undefined) return undefined;
      const { recogniser, vector } = embedding;
      return { recogniser, dlib: vector, faceres: vector, commonness: 0 };
    },
    compare: (a: Template, b: Template): Comparison | undefined => {
      const score = compareEmbeddings(
        { recogniser: a.recogniser, vector: a.dlib },
        { recogniser: b.recogniser, vector: b.dlib },
      );
      return score === undefined
        ? undefined
        : { score, similarity: score, falseMatchRate: 1, dlibCosine: score, faceresCosine: score };
    },
    similarityOf: (score: number): number => score,
    threshold: rate === undefined ? 1 : (thresholds[rate] ?? 1),
    meaning: `cosine of two embeddings; the threshold is the manifest's${rate === undefined ? ", which names none" : ` for FMR ${rate}`}`,
  };
};
