import { pollPauseMs } from "#record/jobs/lease-times";
import { makeSearchLoop, type SearchLoop } from "#record/jobs/search-loop";
import { sleep } from "#record/jobs/sleep";
import type { WakeUpSignal } from "#record/jobs/wake-up-signal";
import type { DeliveryCommands } from "../store/delivery-store.ts";
import type { LeasedDelivery } from "./delivery.ts";
import { type EndDeps, makeEnds } from "./end-attempt.ts";
import { makeFinishQueue } from "./finish-queue.ts";
import type { RunAttempt } from "./run-attempt.ts";
import type { DeliveryTally } from "./tally.ts";

export type DeliveryOptions = {
  /** Names this process in leases. */
  readonly worker: string;
  /** Deliveries in flight in this process: at most this number is sent twice after its death. */
  readonly slots: number;
  /** Deliveries in flight for one destination without a limit of its own, over all processes. */
  readonly inFlightMax: number;
  readonly leaseMs: number;
  /** Pause between two searches of an idle process. */
  readonly pollMs: number;
  /** The same while this process had work lately: other processes commit events too. */
  readonly busyPollMs: number;
  /** Longest wait for running attempts at the end. The others are due again, and no attempt is spent. */
  readonly drainMs: number;
};

export type DeliveryLoopDeps = Omit<EndDeps, "queue"> & {
  readonly store: DeliveryCommands;
  readonly runAttempt: RunAttempt;
  readonly options: DeliveryOptions;
  readonly wakeUp: WakeUpSignal;
  readonly tally: Pick<DeliveryTally, "attempted" | "expired" | "lost">;
  readonly onError: (note: string, error: unknown, subject?: string) => void;
};

/**
 * Leases due deliveries, sends them and stores their ends. After the death of a process its leases end, and
 * another process sends its deliveries. An outage of the store is waited out.
 */
export type DeliveryLoop = SearchLoop & { readonly inFlight: () => number };

/** One command leases up to this number. */
const leaseMax = 64;
/**
 * A search for a few slots costs as much as one for many. Few enough that hung receivers leave slots in use.
 */
const freeMin = 8;
/** Shortest time between two searches, so that a burst of commits shares one. */
const gatherMs = 5;
/** Work is lately for this time. */
const busyMs = 10_000;

export const makeDeliveryLoop = (deps: DeliveryLoopDeps): DeliveryLoop => {
  const { options, wakeUp, random, clock, onError } = deps;
  const work = makeWork(deps);
  let lastWorkAt = 0;
  const loop = makeSearchLoop({
    search: async () => {
      const next = await work.leaseSome();
      if (next === "wait") return next;
      lastWorkAt = clock().getTime();
      await sleep(gatherMs * (1 + random()));
      return next;
    },
    pauseMs: () => {
      const isBusy = clock().getTime() - lastWorkAt < busyMs;
      return pollPauseMs({ pollMs: isBusy ? options.busyPollMs : options.pollMs }, random);
    },
    wakeUp,
    onError: (error) => onError("Deliveries could not be leased. The next search comes soon", error),
    end: work.end,
  });
  return { ...loop, inFlight: work.inFlight };
};

/** The deliveries that this process holds. */
const makeWork = (deps: DeliveryLoopDeps) => {
  const { store, options, clock, tally } = deps;
  const stopping = new AbortController();
  const held = new Set<LeasedDelivery>();
  const running = new Set<Promise<void>>();
  const { run, untilStored } = makeRun(deps, { held, stopping: stopping.signal });
  let after = "";

  return {
    inFlight: () => held.size,
    /** When to search again. */
    leaseSome: async (): Promise<"again" | "wait"> => {
      const free = options.slots - held.size;
      if (free < Math.min(options.slots / 4, freeMin)) return "wait";
      const now = clock();
      const { deliveries, expired, isContended, last } = await store.leaseDeliveries({
        worker: options.worker,
        now,
        leaseMs: options.leaseMs,
        limit: Math.min(free, leaseMax),
        inFlightMax: options.inFlightMax,
        after,
      });
      tally.expired(expired);
      after = last ?? after;
      const leasedUntil = new Date(now.getTime() + options.leaseMs);
      for (const delivery of deliveries) {
        held.add(delivery);
        const end = run(delivery, leasedUntil).finally(() => running.delete(end));
        running.add(end);
      }
      return deliveries.length > 0 || isContended ? "again" : "wait";
    },
    /** Waits for the running attempts, then makes the others due again. */
    end: async (): Promise<void> => {
      const timer = setTimeout(() => stopping.abort(), options.drainMs);
      await Promise.all(running);
      clearTimeout(timer);
      await untilStored();
    },
  };
};

/** The row, for the log and for `idem rights verify`: ids alone. */
const placeOf = ({ tenantId, destinationId, eventId }: LeasedDelivery): string =>
  `deliveries ${tenantId} ${destinationId} ${eventId}`;

type Held = {
  readonly held: Set<LeasedDelivery>;
  readonly stopping: AbortSignal;
};

/** One leased delivery from its attempt to its stored end. */
const makeRun = (deps: DeliveryLoopDeps, { held, stopping }: Held) => {
  const { store, options, clock, tally, wakeUp, onError } = deps;
  const queue = makeFinishQueue({
    store,
    worker: options.worker,
    clock,
    onError: (error) => onError("The end of deliveries could not be stored. It is tried again", error),
    onLost: tally.lost,
  });
  const endAttempt = makeEnds({ ...deps, queue });
  const run = async (delivery: LeasedDelivery, leasedUntil: Date): Promise<void> => {
    const ended = await deps.runAttempt(delivery, stopping);
    if (ended.kind === "attempted") {
      const { outcome, reason } = ended.result;
      tally.attempted(outcome);
      if (outcome === "forged") onError("A delivery was not sent", new Error(reason), placeOf(delivery));
    } else if (!stopping.aborted) {
      onError("A delivery could not be attempted. It is due again", ended.cause, delivery.eventId);
    }
    endAttempt(delivery, ended, leasedUntil, () => {
      held.delete(delivery);
      wakeUp.send();
    });
  };
  return { run, untilStored: queue.untilIdle };
};
