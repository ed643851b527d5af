import type { AttemptDecision, DeliveryState, LeasedDelivery, LoggedOutcome } from "./delivery.ts";
import { type HealthChange, isGone, judgeHealth } from "./judge-health.ts";
import { judgeRetry } from "./retry-ladder.ts";

/** How one attempt ended. */
export type Attempted = {
  readonly outcome: LoggedOutcome;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly at: Date;
};

/** What follows an attempt, for the message. */
type Followed = {
  readonly decision: AttemptDecision;
  readonly state: Exclude<DeliveryState, "held">;
  readonly failures: number;
  readonly nextAt?: Date;
};

/** What follows an attempt, for its delivery and for its destination. */
export type JudgedAttempt = Omit<Followed, "state"> & {
  readonly state: DeliveryState;
  readonly health?: HealthChange;
  /** The first 410 of the receiver since its last success. */
  readonly isFirstGone?: true;
};

/** Outcomes that no further attempt can change. */
const finalOutcomes: ReadonlySet<LoggedOutcome> = new Set([
  "destination_removed",
  "event_erased",
  "unreadable",
  "forged",
]);

/**
 * Whether the attempt reached its receiver or failed to: what this service could not send says nothing about
 * it.
 */
export const isOfReceiver = (outcome: LoggedOutcome): boolean =>
  !finalOutcomes.has(outcome) && outcome !== "internal";

/**
 * Judges an attempt. A delivery of a destination that this attempt disables is held, so that nothing is lost.
 * `ladder` is that of the destination; `random` is between 0 and 1.
 */
export const judgeAttempt = (
  { failures: former, destination }: Pick<LeasedDelivery, "failures" | "destination">,
  attempted: Attempted,
  random: number,
  ladder?: readonly number[],
): JudgedAttempt => {
  const { outcome, status, at } = attempted;
  const hasFailed = outcome !== "delivered";
  const change = isOfReceiver(outcome) ? judgeHealth(destination.health, { outcome, status, at }) : undefined;
  const isFirstGone = isGone(attempted) && destination.health.goneSince === undefined;
  const health = { ...(change && { health: change }), ...(isFirstGone && { isFirstGone }) };
  if (!hasFailed) return { ...delivered, ...health };
  if (change?.kind === "disabled") {
    const decision = change.reason === "gone" ? "gone" : "disabled";
    return { decision, state: "held", failures: former + 1, health: change };
  }
  return { ...judgeFailed(former, attempted, random, ladder), ...health };
};

/** What follows an attempt to deliver a one-shot. Its receiver has no health, so one answer 410 ends it. */
export const judgeOneShot = (former: number, attempted: Attempted, random: number): Followed => {
  if (attempted.outcome === "delivered") return delivered;
  if (isGone(attempted)) return { decision: "gone", state: "failed", failures: former + 1 };
  return judgeFailed(former, attempted, random);
};

const delivered = { decision: "delivered", state: "delivered", failures: 0 } as const;

const judgeFailed = (
  former: number,
  { outcome, at, retryAfterMs }: Attempted,
  random: number,
  ladder?: readonly number[],
): Followed => {
  const failures = former + 1;
  if (finalOutcomes.has(outcome)) return { decision: "failed", state: "failed", failures };
  const nextAt = judgeRetry({ failures, at, retryAfterMs }, random, ladder);
  if (nextAt === undefined) return { decision: "failed", state: "failed", failures };
  return { decision: "retry", state: "due", failures, nextAt };
};
