import { type FacialAuthenticationNumber, facialAuthenticationNumber } from "./facial-authentication.ts";
import { type LivenessNumber, livenessNumber } from "./liveness.ts";

/** The integrator's next step: an additional field that saves each integrator this mapping. */
export const outcomes = ["approved", "rejected", "retry", "error"] as const;

export type Outcome = (typeof outcomes)[number];

const livenessRejected: readonly LivenessNumber[] = [livenessNumber.Spoof, livenessNumber.NoLive];
const livenessError: readonly LivenessNumber[] = [
  livenessNumber.NoneBecauseInternalError,
  livenessNumber.NoneBecauseLicenseError,
];

/**
 * One word for a pair of results; an absent half was not requested. A service error comes first, since it
 * allows no conclusion; then a finding against the person; approval needs every requested half.
 */
export const outcomeOf = (result: {
  readonly facial?: FacialAuthenticationNumber;
  readonly liveness?: LivenessNumber;
}): Outcome => {
  const { facial, liveness } = result;
  if (liveness !== undefined && livenessError.includes(liveness)) return "error";
  if (facial === facialAuthenticationNumber.Negative) return "rejected";
  if (liveness !== undefined && livenessRejected.includes(liveness)) return "rejected";
  const facialPasses = facial === undefined || facial === facialAuthenticationNumber.Positive;
  const livenessPasses = liveness === undefined || liveness === livenessNumber.Live;
  const wasAsked = facial !== undefined || liveness !== undefined;
  return wasAsked && facialPasses && livenessPasses ? "approved" : "retry";
};
