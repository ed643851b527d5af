/**
 * The breaker of one registry: it pauses questions to a registry that fails, and one probe ends the pause.
 */

/** When a registry is paused. Our choice after the breakers of other services (Nygard, 'Release It!'). */
export type BreakerPolicy = {
  /** Failures in a row that open it. */
  readonly failuresMax: number;
  /** Questions of a period from which the share of failures counts, and that share. */
  readonly questionsMin: number;
  readonly failureShare: number;
  readonly periodMs: number;
  /** Until the probe. */
  readonly pauseMs: number;
};

export const breakerPolicy: BreakerPolicy = {
  failuresMax: 5,
  questionsMin: 10,
  failureShare: 0.5,
  periodMs: 60_000,
  pauseMs: 15_000,
};

/** How a question ended. `left`: its caller gave up, so it states nothing about the registry. */
export type QuestionEnd = "answered" | "failed" | "left";

/** The right to ask once; its end is reported exactly once. */
export type Permit = { readonly end: (how: QuestionEnd) => void };

export type Breaker = {
  readonly enter: () => Permit | { readonly pausedMs: number };
  /** From its opening until a probe is answered. */
  readonly isOpen: () => boolean;
};

/** Ended questions of one second. */
type Span = { readonly fromMs: number; readonly questions: number; readonly failures: number };

const spanMs = 1_000;

/** What other callers wait for while a probe is on its way. */
const probeMs = 1_000;

const isTooMuch = (spans: readonly Span[], inARow: number, policy: BreakerPolicy): boolean => {
  const questions = spans.reduce((sum, span) => sum + span.questions, 0);
  const failures = spans.reduce((sum, span) => sum + span.failures, 0);
  return (
    inARow >= policy.failuresMax ||
    (questions >= policy.questionsMin && failures >= policy.failureShare * questions)
  );
};

/** A closed breaker. `nowMs` never goes back. */
export const makeBreaker = (nowMs: () => number, policy: BreakerPolicy = breakerPolicy): Breaker => {
  let spans: readonly Span[] = [];
  let inARow = 0;
  let openUntilMs: number | undefined;
  let isProbing = false;

  const note = (hasFailed: boolean): void => {
    const now = nowMs();
    const fromMs = Math.floor(now / spanMs) * spanMs;
    const kept = spans.filter((span) => span.fromMs > now - policy.periodMs);
    const span = kept.find((one) => one.fromMs === fromMs) ?? { fromMs, questions: 0, failures: 0 };
    const grown = { fromMs, questions: span.questions + 1, failures: span.failures + (hasFailed ? 1 : 0) };
    spans = [...kept.filter((one) => one !== span), grown];
    inARow = hasFailed ? inARow + 1 : 0;
  };
  const endProbe = (how: QuestionEnd): void => {
    isProbing = false;
    if (how === "failed") openUntilMs = nowMs() + policy.pauseMs;
    if (how === "answered") [openUntilMs, spans, inARow] = [undefined, [], 0];
  };
  const endUsual = (how: QuestionEnd): void => {
    // A question from before the pause: the probe alone decides now.
    if (how === "left" || openUntilMs !== undefined) return;
    note(how === "failed");
    if (isTooMuch(spans, inARow, policy)) openUntilMs = nowMs() + policy.pauseMs;
  };
  return {
    enter: () => {
      if (openUntilMs === undefined) return { end: endUsual };
      const pausedMs = openUntilMs - nowMs();
      if (pausedMs > 0) return { pausedMs };
      if (isProbing) return { pausedMs: probeMs };
      isProbing = true;
      return { end: endProbe };
    },
    isOpen: () => openUntilMs !== undefined,
  };
};
