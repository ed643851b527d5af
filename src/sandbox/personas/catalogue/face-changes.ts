import { mapTemplate } from "#judging/face/matching/template";
import type { Steering } from "../persona.ts";

const mirrored = {
  vector: (vector: Float32Array) => vector.map((value) => -value),
  cohortScore: (score: number) => score,
};

/**
 * The template of another person: its vectors point the other way, so that their cosine with every match is
 * negative.
 */
export const asAnotherPerson: Steering = {
  kind: "face",
  change: ({ template, ...measured }) => {
    const other = template && mapTemplate(template, mirrored);
    return { ...measured, ...(other && { template: other }) };
  },
};

/** No cue that searches for an attack was measured: neither a living person nor an attack is certain. */
export const withoutCues: Steering = {
  kind: "face",
  change: ({ cues, ...measured }) => ({ ...measured, ...(cues && { cues: { light: cues.light } }) }),
};
