import type { Steering } from "../persona.ts";

/** The template of another person: its vectors point the other way, so that their cosine with every match is negative. */
export const asAnotherPerson: Steering = {
  kind: "face",
  change: ({ template, ...measured }, mapVectors) => {
    const other = template && mapVectors(template, (vector) => vector.map((value) => -value));
    return { ...measured, ...(other && { template: other }) };
  },
};

/** No cue that searches for an attack was measured: neither a living person nor an attack is certain. */
export const withoutCues: Steering = {
  kind: "face",
  change: ({ cues, ...measured }) => ({ ...measured, ...(cues && { cues: { light: cues.light } }) }),
};
