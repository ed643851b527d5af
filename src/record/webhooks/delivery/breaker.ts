/**
 * The breaker of a destination: it delays deliveries to a receiver that fails, and no attempt is spent
 * meanwhile.
 */

/**
 * Requests from which the share of failures means something, the share, its period, and the pause before a
 * probe.
 */
export const breakerPolicy = {
  // Our choice after the breakers of other services: ten requests, 70 % failures within five minutes.
  requestsMin: 10,
  failureShare: 0.7,
  periodMs: 5 * 60_000,
  probeAfterMs: 30_000,
} as const;

/** Requests of one short span of time. */
type Span = { readonly from: number; readonly requests: number; readonly failures: number };

/** The requests of the last period, in spans. */
export type BreakerWindow = readonly Span[];

const spanMs = 10_000;

/** The window with one more request, and without the requests that are older than the period. */
export const noteRequest = (window: BreakerWindow, hasFailed: boolean, at: Date): BreakerWindow => {
  const from = Math.floor(at.getTime() / spanMs) * spanMs;
  const kept = window.filter((span) => span.from > at.getTime() - breakerPolicy.periodMs);
  const span = kept.find((one) => one.from === from) ?? { from, requests: 0, failures: 0 };
  const grown = { from, requests: span.requests + 1, failures: span.failures + (hasFailed ? 1 : 0) };
  return [...kept.filter((one) => one !== span), grown];
};

/** Whether a destination with these requests must pause. */
export const judgeBreaker = (window: BreakerWindow): "open" | "closed" => {
  const requests = window.reduce((sum, span) => sum + span.requests, 0);
  const failures = window.reduce((sum, span) => sum + span.failures, 0);
  const { requestsMin, failureShare } = breakerPolicy;
  return requests >= requestsMin && failures >= failureShare * requests ? "open" : "closed";
};
