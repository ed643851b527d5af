import type { MeasuredPicture } from "../measurement.ts";
import type { CueEvidence, CueName } from "./cues/cue.ts";
import { isDecisive, weighCues } from "./cues/list.ts";

/** How the cues become one answer: a handful of parameters, fitted by `idem train liveness`. */
export type Fusion = {
  /** Names the fit in stored decisions: its file's hash, or the default's own name. */
  readonly name: string;
  /** Natural log odds of an attack before any cue was looked at. */
  readonly offset: number;
  /** What a cue's log-likelihood ratio is multiplied by, 0 and more; 1 where it is not named. */
  readonly scales: Readonly<Partial<Record<CueName, number>>>;
};

/**
 * Most that the weak cues together may say for or against. With an offset under its negative they never reach even
 * odds, so that a person is never refused for light, a lens or a file alone: `isSafe` holds every fusion to it.
 */
export const weakMax = 1.3;

/** Whether the hard rule holds: no sum of weak cues lifts the score to even odds. */
export const isSafe = ({ offset, scales }: Pick<Fusion, "offset" | "scales">): boolean =>
  offset + weakMax < 0 && Object.values(scales).every((scale) => scale >= 0 && scale <= scaleMax);

/** A fit may trust a cue this much more than its own judge does. */
export const scaleMax = 3;

/** Every cue that could be measured, with its calibrated weight. */
export const judgeCues = (picture: MeasuredPicture, { scales }: Fusion): readonly CueEvidence[] =>
  weighCues(picture).map(({ cue, weight }) => ({ cue, weight: weight * (scales[cue] ?? 1) }));

/** Log odds of an attack: what decides in full, the weak cues together within their bound. */
export const logOddsOf = (evidence: readonly CueEvidence[], offset: number): number => {
  let [decisive, weak] = [0, 0];
  for (const { cue, weight } of evidence) {
    if (isDecisive(cue)) decisive += weight;
    else weak += weight;
  }
  return offset + decisive + Math.min(weakMax, Math.max(-weakMax, weak));
};

/** Attack score, 0…1: the cues as independent evidence (naive Bayes with fitted weights). */
export const attackScoreOf = (evidence: readonly CueEvidence[], { offset }: Fusion): number =>
  1 / (1 + Math.exp(-logOddsOf(evidence, offset)));

/** Cues that look for an attack's own traces. With none of them measured, nothing can be said. */
const sufficient: ReadonlySet<CueName> = new Set(["frame-around-face", "moire", "network", "motion"]);

export const canJudge = (evidence: readonly CueEvidence[]): boolean =>
  evidence.some(({ cue }) => sufficient.has(cue));
