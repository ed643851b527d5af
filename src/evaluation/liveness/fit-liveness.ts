import type { FittedFusion } from "#contract/presentation-attack/fusion";
import type { CueName } from "#judging/face/liveness/cues/cue";
import { livenessBounds, weakCues } from "#judging/face/liveness/fusion";
import {
  crossValidateFusion,
  type FitRules,
  type FusionSample,
  fitFusion,
} from "../presentation-attack/fit-fusion.ts";

export type LivenessSample = FusionSample<CueName>;

const rules: FitRules<CueName> = {
  bounds: { offset: [-6, -weakCues.max - 0.2], scaleMaxOf: () => livenessBounds.scaleMax },
  weakCues,
  steps: 3000,
  round: (value) => Math.round(1000 * value) / 1000,
};

/** The liveness fusion with the least loss; weak cues alone never reach even odds. */
export const fitLiveness = (samples: readonly LivenessSample[]): FittedFusion<CueName> =>
  fitFusion(samples, rules);

/** For every sample the log odds of an attack by a fit without the images of the same capture subject. */
export const crossValidateLiveness = (samples: readonly LivenessSample[], folds: number): readonly number[] =>
  crossValidateFusion(samples, rules, folds);
