import { unitVector } from "../engine/recognition.ts";
import type { Cohort } from "./cohort.ts";
import { cohortScoreOf } from "./cohort-score.ts";
import { mapTemplate, unpackTemplate } from "./template.ts";
import { vectorsOf } from "./template-kinds.ts";

/**
 * One template of several images of one person: the mean of their vectors, normalised, with its own cohort
 * score. Undefined without templates, or where they are of different recognisers or another form. `cohort` is
 * the shipped one.
 */
export const blendTemplates = (
  templates: readonly Uint8Array[],
  cohort: Pick<Cohort, "faces">,
): Uint8Array | undefined => {
  const opened = templates.map(unpackTemplate).filter((one) => one !== undefined);
  const [first] = opened;
  if (first === undefined || opened.length !== templates.length) return undefined;
  if (opened.some(({ recogniser }) => recogniser !== first.recogniser)) return undefined;
  const means = vectorsOf(first).map((_, n) => meanOf(opened.map((one) => vectorsOf(one)[n]!)));
  return mapTemplate(templates[0]!, {
    // The two vectors of the bundled pair differ in length.
    vector: ({ length }) => means.find((mean) => mean.length === length)!,
    cohortScore: () => cohortScoreOf(cohort.faces, { dlib: means[0]!, faceres: means[1]! }, "shipped"),
  });
};

const meanOf = (vectors: readonly Float32Array[]): Float32Array =>
  unitVector(vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0)));
