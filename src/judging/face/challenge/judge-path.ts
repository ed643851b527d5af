import type { TurnDirection } from "#contract/capture";
import type { ChallengeVerdict } from "./challenge.ts";
import type { PairMotion, StepMeasurement } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";
import { rotationOf } from "./step-rotation.ts";
import { again, fail } from "./verdict.ts";

type Asked = {
  readonly asked: TurnDirection;
  /** Milliseconds of each frame by the page's clock. */
  readonly times?: readonly number[] | undefined;
};

/**
 * Judges what lies between the first frame of a step and its last: the frames lie in their order on one way,
 * no jump is in it, and the head is no faster than a head at the stated times. One pair that goes back may be
 * a person who hesitates; several are frames in another order.
 */
export const judgePath = (
  step: StepMeasurement,
  { asked, times }: Asked,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined => {
  const pairs = step.motion?.pairs ?? [];
  if (pairs.filter(({ along }) => (along ?? 0) < -policy.backMax).length >= policy.backPairsMin) {
    return fail("cut");
  }
  if (pairs.length === 0 || !pairs.every((pair) => liesOnWay(pair, policy))) {
    return again("moved_unevenly", "move_slower");
  }
  const { degrees } = rotationOf(step, asked, policy);
  return times === undefined || pairs.every((pair) => isSlow(pair, degrees, times, policy))
    ? undefined
    : again("moved_too_fast", "move_slower");
};

const liesOnWay = (
  { along = Number.NaN, aside = Number.NaN }: PairMotion,
  { backMax, alongMax, asideMax }: ChallengePolicy,
): boolean => along >= -backMax && along <= alongMax && aside <= asideMax;

const isSlow = (
  { frames: [from, to], along = Number.NaN }: PairMotion,
  degrees: number,
  times: readonly number[],
  { degreesPerSecondMax }: ChallengePolicy,
): boolean => {
  const seconds = (times[to]! - times[from]!) / 1000;
  return Math.abs(along) * degrees <= degreesPerSecondMax * seconds;
};
