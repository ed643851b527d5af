import { type FacialAuthenticationNumber, facialAuthenticationNumber } from "./facial-authentication.ts";
import { type LivenessNumber, livenessNumber } from "./liveness.ts";

/** What an integrator does next: an additional field, so that no one has to write this mapping again. */
export const outcomes = ["approved", "rejected", "retry", "error"] as const;

export type Outcome = (typeof outcomes)[number];

const livenessRejected: readonly LivenessNumber[] = [livenessNumber.Spoof, livenessNumber.NoLive];
const livenessError: readonly LivenessNumber[] = [
  livenessNumber.NoneBecauseInternalError,
  livenessNumber.NoneBecauseLicenseError,
];

/**
 * One word for a pair of results; an absent half was not asked for. An error of the service comes first, since
 * nothing can be concluded from it; then what was found against the person; approval needs every asked half.
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
