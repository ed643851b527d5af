import type { Quad } from "#imaging/image";
import { type Evidence, evidenceIn } from "./evidence.ts";
import { into, type Look, outOf } from "./propose-quads.ts";

/** The values that the certainty adds up: evidence of the closer look, and of the whole image. */
export const cuesOf = (whole: Evidence, near: Evidence) => ({
  agreement: near.agreement,
  border: near.border,
  borderMin: near.borderMin,
  edgesMin: near.edgesMin,
  shape: -near.shape,
  wholeAgreement: whole.agreement,
});

export type Cues = ReturnType<typeof cuesOf>;

/**
 * Log odds that the IoU with the true card is over .9, per unit of each cue: logistic regression on drawn
 * photographs (`training/corners/fit-certainty.ts`; docs/measurements/documents.md, Card corners).
 */
const weights: Cues = {
  agreement: 1.69,
  border: 3.32,
  borderMin: 4.35,
  edgesMin: 0.56,
  shape: 3.13,
  wholeAgreement: 2.45,
};
const offset = -7.08;

/** Log odds that a quadrilateral is the card. */
export const oddsOf = (cues: Cues): number => {
  let odds = offset;
  for (const name of cueNames) odds += weights[name] * cues[name];
  return odds;
};

/** The probability with these log odds, 0…1. */
export const probabilityOf = (odds: number): number => 1 / (1 + Math.exp(-odds));

export const cueNames: readonly (keyof Cues)[] = [
  "agreement",
  "border",
  "borderMin",
  "edgesMin",
  "shape",
  "wholeAgreement",
];

/** The cues of quadrilaterals in pixels of the closer look. */
export const cuesIn = (whole: Look, near: Look): ((quad: Quad) => Cues) => {
  const inWhole = evidenceIn(whole);
  if (near === whole) {
    return (quad) => {
      const evidence = inWhole(quad);
      return cuesOf(evidence, evidence);
    };
  }
  const inNear = evidenceIn(near);
  return (quad) => cuesOf(inWhole(into(whole, outOf(near, quad))), inNear(quad));
};
