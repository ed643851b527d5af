import type { TurnDirection } from "#contract/capture";
import { upperMedian } from "#statistics/quantile";
import type { ChallengeVerdict } from "./challenge.ts";
import type { PairMotion, StepMeasurement } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";
import { posesOf, rotationOf, senses } from "./step-rotation.ts";
import { again, fail } from "./verdict.ts";

type Asked = {
  readonly asked: TurnDirection;
  /** Milliseconds of each frame by the page's clock. */
  readonly times?: readonly number[] | undefined;
};

/**
 * Judges what lies between the first frame of a step and its last: the frames lie in their order on one way, no jump is in it, and the head is
 * no faster than a head at the stated times. One pair that goes back may be a person who hesitates; several are frames in another order.
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
  const isEven = pairs.length > 0 && pairs.every((pair) => liesOnWay(pair, policy));
  if (!isEven || !(jumpOf(step, asked, policy) <= policy.jumpDegreesMax)) {
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

/**
 * The greatest jump of the head across the asked turn and of its roll, in degrees, between neighbours that show one face. The median of the
 * step is taken off: a head may lean while it turns, as long as it does so evenly. Two takes have their faces at other angles.
 */
const jumpOf = (step: StepMeasurement, asked: TurnDirection, policy: ChallengePolicy): number => {
  const poses = posesOf(step, policy);
  const across = senses[asked].angle === "yawDegrees" ? "pitchDegrees" : "yawDegrees";
  const steps = poses.slice(1).map((pose, i) => ({
    across: pose[across] - poses[i]![across],
    roll: pose.rollDegrees - poses[i]!.rollDegrees,
  }));
  if (steps.length === 0) return Number.NaN;
  const usual = {
    across: upperMedian(steps.map((one) => one.across)),
    roll: upperMedian(steps.map((one) => one.roll)),
  };
  return Math.max(...steps.map((one) => Math.hypot(one.across - usual.across, one.roll - usual.roll)));
};
