import type { DestinationHealth, LoggedOutcome } from "./delivery.ts";

const hourMs = 3_600_000;

/** The time of nothing but failures after which a destination is disabled. */
export const disabledAfterMs = 120 * hourMs;

/**
 * The time between two answers 410 without a success after which a destination is disabled. One alone can
 * come from a wrong release or a proxy: an hour is longer than the restart of either, and shorter than the
 * ladder of one delivery. Our choice.
 */
export const goneAfterMs = hourMs;

/** Shares of the time of failures, in percent, at which the operator is warned. */
export const warnings = [50, 90] as const;

/**
 * A success is stored at most once in this time, so that a busy destination's row is not written at each
 * delivery.
 */
const successNotedEveryMs = 60_000;

/** What one attempt changes in its destination. Undefined: nothing. */
export type HealthChange =
  | { readonly kind: "succeeded" }
  | { readonly kind: "failing" }
  | { readonly kind: "warned"; readonly percent: (typeof warnings)[number] }
  | { readonly kind: "disabled"; readonly reason: "failures" | "gone" };

/** Status with which a receiver says that it is gone for ever (RFC 9110, 15.5.11). */
const goneStatus = 410;

export type HealthOutcome = {
  readonly outcome: LoggedOutcome;
  readonly status?: number | undefined;
  readonly at: Date;
};

/** Whether the receiver itself says so: a token server with this status speaks for itself alone. */
export const isGone = ({ outcome, status }: Pick<HealthOutcome, "outcome" | "status">): boolean =>
  outcome === "refused" && status === goneStatus;

/** Judges the health of a destination after an attempt. */
export const judgeHealth = (
  { failingSince, goneSince, lastSuccessAt, warned, isProbe }: DestinationHealth,
  { outcome, status, at }: HealthOutcome,
): HealthChange | undefined => {
  const now = at.getTime();
  if (outcome === "delivered") {
    const isRecent = lastSuccessAt !== undefined && now - lastSuccessAt.getTime() < successNotedEveryMs;
    return isRecent && failingSince === undefined && !isProbe ? undefined : { kind: "succeeded" };
  }
  const hasBeenGone = goneSince !== undefined && now - goneSince.getTime() >= goneAfterMs;
  if (hasBeenGone && isGone({ outcome, status })) return { kind: "disabled", reason: "gone" };
  if (failingSince === undefined) return { kind: "failing" };
  const share = ((now - failingSince.getTime()) * 100) / disabledAfterMs;
  if (share >= 100) return { kind: "disabled", reason: "failures" };
  const percent = warnings.findLast((one) => share >= one && warned < one);
  return percent === undefined ? undefined : { kind: "warned", percent };
};
