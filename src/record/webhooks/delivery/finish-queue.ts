import { sleep } from "#record/jobs/sleep";
import type { DeliveryCommands } from "../store/delivery-store.ts";
import type { DestinationChange, FinishedBatch } from "../store/finish-deliveries.ts";
import type { FinishedAttempt, RetriedDelivery } from "./delivery.ts";

/** The end of one leased delivery. */
export type FinishedDelivery = {
  readonly end: FinishedAttempt | RetriedDelivery;
  readonly change?: DestinationChange;
  /** The lease ends then: after it another worker sends the delivery, and its end is not stored. */
  readonly leasedUntil: Date;
  readonly onStored: () => void;
};

export type FinishQueueDeps = {
  readonly store: Pick<DeliveryCommands, "finishDeliveries">;
  readonly worker: string;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  readonly onLost: (count: number) => void;
};

export type FinishQueue = {
  readonly add: (finished: FinishedDelivery) => void;
  /** Resolves when everything added so far is stored, or given up. */
  readonly untilIdle: () => Promise<void>;
};

/** One command takes up to this number, and what ends during the wait before it. */
const batchMax = 128;
const gatherMs = 4;
/** Pause after a command that failed. The store can be away for a minute. */
const retryMs = 500;

/**
 * Stores the ends of deliveries in batches, one after the other: the log of many attempts costs one commit.
 * What cannot be stored is tried again until its lease ends.
 */
export const makeFinishQueue = (deps: FinishQueueDeps): FinishQueue => {
  const waiting: FinishedDelivery[] = [];
  let running: Promise<void> | undefined;

  const storeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < batchMax) await sleep(gatherMs);
      const taken = waiting.splice(0, batchMax);
      const batch = stillHeld(taken, deps.clock());
      if (batch.length < taken.length) deps.onLost(taken.length - batch.length);
      if (batch.length === 0) continue;
      try {
        const lost = await deps.store.finishDeliveries(batchOf(deps, batch));
        if (lost.length > 0) deps.onLost(lost.length);
        for (const { onStored } of batch) onStored();
      } catch (error) {
        deps.onError(error);
        waiting.unshift(...batch);
        await sleep(retryMs);
      }
    }
  };
  const start = (): void => {
    running ??= storeAll().finally(() => {
      running = undefined;
      if (waiting.length > 0) start();
    });
  };

  const untilIdle = async (): Promise<void> => {
    if (running === undefined) return;
    await running;
    await untilIdle();
  };

  return {
    add: (finished) => {
      waiting.push(finished);
      start();
    },
    untilIdle,
  };
};

/** Those whose lease has not ended. The slots of the others are free: another worker has them. */
const stillHeld = (batch: readonly FinishedDelivery[], now: Date): readonly FinishedDelivery[] =>
  batch.filter((finished) => {
    const isHeld = finished.leasedUntil > now;
    if (!isHeld) finished.onStored();
    return isHeld;
  });

const batchOf = ({ worker, clock }: FinishQueueDeps, batch: readonly FinishedDelivery[]): FinishedBatch => ({
  worker,
  at: clock(),
  attempts: batch.flatMap(({ end }) => ("outcome" in end ? [end] : [])),
  retries: batch.flatMap(({ end }) => ("outcome" in end ? [] : [end])),
  destinations: joinChanges(batch.flatMap(({ change }) => change ?? [])),
});

/**
 * One change for each destination: its last disabling, success or failure, its first 410 unless it had a
 * success, and its breaker.
 */
export const joinChanges = (changes: readonly DestinationChange[]): readonly DestinationChange[] =>
  [...Map.groupBy(changes, ({ tenantId, destinationId }) => `${tenantId} ${destinationId}`).values()].map(
    (ofOne) => ofOne.reduce(join),
  );

const ranks = { disabled: 3, succeeded: 2, warned: 1, failing: 0 } as const;

const rankOf = ({ health }: DestinationChange): number => (health === undefined ? -1 : ranks[health.kind]);

/** Among equals the first, which began it. */
const join = (first: DestinationChange, second: DestinationChange): DestinationChange => {
  const {
    blockedUntil: _until,
    isFirstGone: _gone,
    ...weightier
  } = rankOf(second) > rankOf(first) ? second : first;
  const isFirstGone =
    weightier.health?.kind !== "succeeded" && (first.isFirstGone === true || second.isFirstGone === true);
  const blockedUntil = second.blockedUntil ?? first.blockedUntil;
  return { ...weightier, ...(isFirstGone && { isFirstGone }), ...(blockedUntil && { blockedUntil }) };
};
