import type { Json } from "#contract/json";
import type { LivenessJudgement } from "../liveness/judge-liveness.ts";
import { livenessOf, measurementsOf, toJson } from "../record.ts";
import type { Challenge, ChallengeVerdict } from "./challenge.ts";
import type { SequenceMeasurement } from "./judge-sequence.ts";
import type { ChallengeMeasurement } from "./measurement.ts";

type Judged = {
  readonly measurement: ChallengeMeasurement;
  readonly challenge: Pick<Challenge, "steps"> | undefined;
  readonly times: readonly (readonly number[])[];
  readonly sequence: SequenceMeasurement;
  readonly verdict: ChallengeVerdict;
  readonly liveness: LivenessJudgement | undefined;
};

/**
 * What a judge needs to judge a capture again (replay-capture.ts): poses, counts, cosines and cues, which
 * identify no person. Template and images are left out.
 */
export const recordOfCapture = ({
  measurement,
  challenge,
  times,
  sequence,
  verdict,
  liveness,
}: Judged): Json => ({
  bestImage: measurementsOf(measurement.best),
  ...(liveness && { liveness: livenessOf(liveness) }),
  capture: toJson({
    asked: (challenge?.steps ?? []).map(({ turn }) => turn),
    sequence,
    times,
    steps: measurement.steps,
    result: verdict.result,
    reason: verdict.reason,
  }),
});
