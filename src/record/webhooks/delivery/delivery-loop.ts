import type { LeaseLoop } from "#record/jobs/lease-loop";
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
 * Leases due deliveries, sends them and stores their ends. After the death of a process its leases end, and another
 * process sends its deliveries. An outage of the store is waited out.
 */
export type DeliveryLoop = LeaseLoop & { readonly inFlight: () => number };

/** One command leases up to this number. */
const leaseMax = 64;
/** A search for a few slots costs as much as one for many. Few enough that hung receivers leave slots in use. */
const freeMin = 8;
/** Shortest time between two searches, so that a burst of commits shares one. */
const gatherMs = 5;
/** Work is lately for this time. */
const busyMs = 10_000;
/** The pause varies by this share, so that many processes do not search at the same moment. */
const jitter = 0.2;

export const makeDeliveryLoop = (deps: DeliveryLoopDeps): DeliveryLoop => {
  const { options, wakeUp, random, clock, onError } = deps;
  const ending = new AbortController();
  const work = makeWork(deps);
  let loop: Promise<void> | undefined;
  let lastWorkAt = 0;

  const pauseMs = (): number => {
    const isBusy = clock().getTime() - lastWorkAt < busyMs;
    return (isBusy ? options.busyPollMs : options.pollMs) * (1 - jitter + 2 * jitter * random());
  };
  const repeat = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const next = await work.leaseSome().catch((error: unknown) => {
        onError("Deliveries could not be leased. The next search comes soon", error);
        return "wait" as const;
      });
      if (next === "soon") lastWorkAt = clock().getTime();
      if (ending.signal.aborted) break;
      await (next === "wait" ? wakeUp.wait(pauseMs()) : sleep(gatherMs * (1 + random())));
    }
    await work.end();
  };

  return {
    start: () => {
      loop ??= repeat();
    },
    wake: wakeUp.send,
    stop: async () => {
      ending.abort();
      wakeUp.send();
      await loop;
    },
    inFlight: work.inFlight,
  };
};

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

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
    leaseSome: async (): Promise<"soon" | "wait"> => {
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
      return deliveries.length > 0 || isContended ? "soon" : "wait";
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
