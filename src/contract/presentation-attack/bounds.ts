import type { FittedFusion } from "./fusion.ts";

/** The limits of a fusion. Neither a fit nor a file may exceed them. */
export type FusionBounds<Cue extends string> = {
  /** The cues that a fusion weighs. */
  readonly cues: readonly Cue[];
  readonly offset: readonly [min: number, max: number];
  readonly scaleMax: number;
  /** Log odds from which a sample is an attack. */
  readonly attackLogOdds: number;
  /** The most that cues which may not decide alone add to the offset. */
  readonly weakMaxOf: (scales: FittedFusion<Cue>["scales"]) => number;
};

/** Whether a fusion keeps the limits: every scale is in bounds, and weak cues alone never make an attack. */
export const isSafe = <Cue extends string>(
  { offset, scales }: FittedFusion<Cue>,
  { cues, offset: [min, max], scaleMax, attackLogOdds, weakMaxOf }: FusionBounds<Cue>,
): boolean =>
  offset >= min &&
  offset <= max &&
  offset + weakMaxOf(scales) < attackLogOdds &&
  cues.every((cue) => {
    const scale = scales[cue] ?? 1;
    return scale >= 0 && scale <= scaleMax;
  });
