import { callbackStatuses } from "#contract/clearing.routes";
import { Failure, type FailureCode } from "#contract/failure";
import type { ErrorKind, JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import type { LoggedOutcome } from "#record/webhooks/delivery/delivery";
import type { judgeAttempt } from "#record/webhooks/delivery/judge-attempt";
import type { Send, SendResult } from "#record/webhooks/send/send";
import type { Callback, CallbackChange, LoggedCall } from "../store/callback.ts";
import type { CallbackCommands } from "../store/callback-store.ts";
import type { CallbackSealing } from "./sealed-callback.ts";
import { judgeStatus, receiverOf, writeCallback } from "./write-callback.ts";

export const callbackLoopOptions = {
  /** For callbacks of other processes, and for the next attempts. A call in this process wakes the loop. */
  pollMs: 5_000,
  /** Longer than an attempt with its renewals. */
  leaseMs: 45_000,
  attemptsMax: 3,
  deathsMax: 3,
  /** The work is to wait for receivers. */
  concurrency: 16,
} as const satisfies LeaseLoopOptions;

/** Callbacks of one tenant that a process has in flight: receivers of one that hang do not stop the others. */
export const perTenantMax = callbackLoopOptions.concurrency / 2;

export type CallbackJobsDeps = {
  readonly store: Pick<
    CallbackCommands,
    "leaseCallbacks" | "renewCallback" | "retryCallback" | "endCallbackAttempt"
  >;
  readonly sealing: Pick<CallbackSealing, "open">;
  readonly send: Send;
  /** As `judgeAttempt` (record/webhooks/delivery/judge-attempt.ts): the ladder of deliveries. */
  readonly judgeAttempt: typeof judgeAttempt;
  /** As `isInterrupted` (record/webhooks/send/egress-failure.ts): this service itself broke the call off. */
  readonly isInterrupted: (error: unknown) => boolean;
  /** Lease holder. Unique to this run of this process. */
  readonly holder: string;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly onAttempt: (outcome: LoggedOutcome) => void;
};

/** Callbacks as jobs. The row of a callback is its job; each run is one attempt of the ladder. */
export const makeCallbackJobs = (deps: CallbackJobsDeps): JobDefinition<Callback, CallbackChange> => {
  const { store, holder: worker, clock } = deps;
  const heldBy = ({ tenantId, id }: Pick<Callback, "tenantId" | "id">) => ({ tenantId, id, worker });
  const inFlight = new Map<string, number>();
  const count = (tenantId: string, change: 1 | -1): void => {
    const now = (inFlight.get(tenantId) ?? 0) + change;
    if (now === 0) inFlight.delete(tenantId);
    else inFlight.set(tenantId, now);
  };
  const unsent = (callback: Callback): CallbackChange =>
    changeOf(deps, callback, {
      at: clock(),
      result: { outcome: "unreadable", reason: "This service failed to send it", timings: { totalMs: 0 } },
    });
  return {
    lease: (request) => store.leaseCallbacks({ ...request, worker }),
    renew: (callback, until) => store.renewCallback(heldBy(callback), until),
    retry: (callback, until, isCounted) => store.retryCallback(heldBy(callback), until, isCounted),
    finish: async (callback, change) =>
      (await store.endCallbackAttempt(heldBy(callback), change)) ? "finished" : "lost",
    run: async (callback, signal) => {
      const { tenantId } = callback;
      if ((inFlight.get(tenantId) ?? 0) >= perTenantMax) return { waitingSince: clock() };
      count(tenantId, 1);
      try {
        return { outcome: await attempt(deps, callback, signal) };
      } finally {
        count(tenantId, -1);
      }
    },
    fail: async (callback) => unsent(callback),
    minimalFailure: unsent,
    classify: (error) => (deps.isInterrupted(error) ? "transient" : classify(error)),
    waitingSince: ({ createdAt }) => createdAt,
  };
};

const attempt = async (
  deps: CallbackJobsDeps,
  callback: Callback,
  signal: AbortSignal,
): Promise<CallbackChange> => {
  const content = await deps.sealing.open(callback);
  const at = deps.clock();
  const status = judgeStatus(content, at);
  const { answer: _, ...result } = await deps.send(
    receiverOf(callback, content),
    writeCallback(callback, status, at),
    signal,
  );
  deps.onAttempt(result.outcome);
  return changeOf(deps, callback, { at, result, said: callbackStatuses[status] });
};

type Attempted = Pick<LoggedCall, "said"> & {
  readonly at: Date;
  readonly result: Omit<SendResult, "outcome" | "answer"> & { readonly outcome: LoggedOutcome };
};

/**
 * A receiver of one callback has no health of its own: it is neither warned of nor disabled, and its 410
 * counts at once, as if it had said so before.
 */
const health = { warned: 0, isProbe: false, goneSince: new Date(0) } as const;

/** What follows an attempt. A receiver that is gone (410) gets no other: nothing can be held for it. */
const changeOf = (
  { judgeAttempt: judge, clock, random }: CallbackJobsDeps,
  callback: Callback,
  { at, result, said }: Attempted,
): CallbackChange => {
  const { tenantId, id } = callback;
  const { outcome, status, retryAfterMs, address, timings, reason } = result;
  const now = clock();
  const of = { failures: callback.failures, destination: { tenantId, id, health } };
  const judged = judge(of, { outcome, status, retryAfterMs, at: now }, random());
  const entry: LoggedCall = {
    at: at.toISOString(),
    ...(said !== undefined && { said }),
    outcome,
    ...(status !== undefined && { status }),
    decision: judged.decision,
    ...(judged.nextAt && { nextAt: judged.nextAt.toISOString() }),
    ...(address !== undefined && { address }),
    totalMs: timings.totalMs,
    ...(reason !== undefined && { reason }),
  };
  return {
    tenantId,
    id,
    state: judged.state === "held" ? "failed" : judged.state,
    failures: judged.failures,
    log: [...callback.log, entry],
    at: now,
    ...(judged.nextAt && { nextAt: judged.nextAt }),
  };
};

/** Store or master key are not available, a newer process must send it, or this one ends. */
const transient: readonly FailureCode[] = ["store_unavailable", "stored_newer", "shutting_down"];

/** The tenant was erased, or the row is damaged. */
const permanent: readonly FailureCode[] = ["not_found", "stored_damaged"];

const classify = (error: unknown): ErrorKind => {
  if (!(error instanceof Failure)) return "unknown";
  if (transient.includes(error.code)) return "transient";
  return permanent.includes(error.code) ? "permanent" : "unknown";
};
