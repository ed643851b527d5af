import { classifyFailure } from "#record/jobs/classify-failure";
import type { JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import type { LoggedOutcome } from "../delivery/delivery.ts";
import { judgeOneShot } from "../delivery/judge-attempt.ts";
import type { Destination } from "../destinations/destination.ts";
import { isInterrupted } from "../send/egress-failure.ts";
import type { Message, Send, SendResult } from "../send/send.ts";
import type { OneShotCommands } from "../store/one-shot-store.ts";
import type { OneShot, OneShotAttempt, OneShotChange } from "./one-shot.ts";

export const oneShotLoopOptions = {
  /** For one-shots of other processes, and for the next attempts. A call in this process wakes the loop. */
  pollMs: 5_000,
  /** Longer than an attempt with its renewals. */
  leaseMs: 45_000,
  attemptsMax: 3,
  deathsMax: 3,
  /** The work is to wait for receivers. */
  concurrency: 16,
} as const satisfies LeaseLoopOptions;

/**
 * One-shots of one tenant that a process has in flight: receivers of one that hang do not stop the others.
 */
export const perTenantMax = oneShotLoopOptions.concurrency / 2;

/** A one-shot as it is sent at one time, and the status that its message states. */
export type WrittenOneShot = {
  readonly destination: Destination;
  readonly message: Message;
  readonly reportedStatus: number;
};

/** Opens a one-shot and writes its message for this time. Fails as the opening of sealed data does. */
export type WriteOneShot = (oneShot: OneShot, at: Date) => Promise<WrittenOneShot>;

export type OneShotJobsDeps = {
  readonly store: Pick<
    OneShotCommands,
    "leaseOneShots" | "renewOneShot" | "retryOneShot" | "endOneShotAttempt"
  >;
  readonly write: WriteOneShot;
  readonly send: Send;
  /** Lease holder. Unique to this run of this process. */
  readonly holder: string;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly onAttempt: (outcome: LoggedOutcome) => void;
};

/** One-shots as jobs: each run is one attempt of the ladder of deliveries. */
export const makeOneShotJobs = (deps: OneShotJobsDeps): JobDefinition<OneShot, OneShotChange> => {
  const { store, holder: worker, clock } = deps;
  const heldBy = ({ tenantId, id }: OneShot) => ({ tenantId, id, worker });
  const inFlight = makeCounts();
  const unsent = (oneShot: OneShot): OneShotChange =>
    changeOf(deps, oneShot, {
      at: clock(),
      result: { outcome: "unreadable", reason: "This service failed to send it", timings: { totalMs: 0 } },
    });
  return {
    lease: (request) => store.leaseOneShots({ ...request, worker }),
    renew: (oneShot, until) => store.renewOneShot(heldBy(oneShot), until),
    retry: (oneShot, until, isCounted) => store.retryOneShot(heldBy(oneShot), until, isCounted),
    finish: async (oneShot, change) =>
      (await store.endOneShotAttempt(heldBy(oneShot), change)) ? "finished" : "lost",
    run: async (oneShot, signal) => {
      const { tenantId } = oneShot;
      if (inFlight.of(tenantId) >= perTenantMax) return { waitingSince: clock() };
      inFlight.add(tenantId, 1);
      try {
        return { outcome: await attempt(deps, oneShot, signal) };
      } finally {
        inFlight.add(tenantId, -1);
      }
    },
    fail: async (oneShot) => unsent(oneShot),
    minimalFailure: unsent,
    classify: (error) => (isInterrupted(error) ? "transient" : classifyFailure(error)),
    waitingSince: ({ createdAt }) => createdAt,
  };
};

const makeCounts = () => {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add: (name: string, change: 1 | -1): void => {
      const now = of(name) + change;
      if (now === 0) counts.delete(name);
      else counts.set(name, now);
    },
  };
};

const attempt = async (
  deps: OneShotJobsDeps,
  oneShot: OneShot,
  signal: AbortSignal,
): Promise<OneShotChange> => {
  const at = deps.clock();
  const { destination, message, reportedStatus } = await deps.write(oneShot, at);
  const { answer: _, ...result } = await deps.send(destination, message, signal);
  deps.onAttempt(result.outcome);
  return changeOf(deps, oneShot, { at, result, reportedStatus });
};

type Attempted = Pick<OneShotAttempt, "reportedStatus"> & {
  readonly at: Date;
  readonly result: Omit<SendResult, "outcome" | "answer"> & { readonly outcome: LoggedOutcome };
};

/** What follows an attempt, with its entry of the log. */
const changeOf = (
  { clock, random }: Pick<OneShotJobsDeps, "clock" | "random">,
  { tenantId, id, failures: former, log }: OneShot,
  { at, result, reportedStatus }: Attempted,
): OneShotChange => {
  const { outcome, status, retryAfterMs, address, timings, reason } = result;
  const now = clock();
  const { decision, state, failures, nextAt } = judgeOneShot(
    former,
    { outcome, status, retryAfterMs, at: now },
    random(),
  );
  const entry: OneShotAttempt = {
    at: at.toISOString(),
    ...(reportedStatus !== undefined && { reportedStatus }),
    outcome,
    ...(status !== undefined && { status }),
    decision,
    ...(nextAt && { nextAt: nextAt.toISOString() }),
    ...(address !== undefined && { address }),
    totalMs: timings.totalMs,
    ...(reason !== undefined && { reason }),
  };
  return { tenantId, id, state, failures, log: [...log, entry], at: now, ...(nextAt && { nextAt }) };
};
