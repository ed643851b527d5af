import type { Objects } from "./objects.ts";
import { sweepBlobs } from "./sealed-blobs.ts";
import type { Store } from "./store.ts";

export type TidyingDeps = {
  readonly objects: Objects;
  readonly store: Pick<
    Store,
    | "forgetBlobs"
    | "purgeClaims"
    | "knownBlobIds"
    | "listTenants"
    | "purgeBlocked"
    | "purgePeople"
    | "purgeTokenUses"
    | "purgeSightings"
  >;
  /** How long the pictures of a decided validation are kept. */
  readonly picturesKeptMs: number;
  /** How long it is known whose a document's number is. */
  readonly numbersKeptMs: number;
  /** How long it is counted how often a document comes. */
  readonly sightingsKeptMs: number;
  /** What other rooms do in each round. */
  readonly further: readonly ((signal: AbortSignal) => Promise<unknown>)[];
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
};

/** A call writes its row within its own time limit; an hour is far beyond it. */
const orphanAgeMs = 3_600_000;
const tidyEveryMs = 3_600_000;

/**
 * Removes now and once an hour what nothing needs any more: pictures, claims of numbers and sightings that were kept long
 * enough, blobs that no row names, used tokens that have expired, people and blocked faces that were erased with their
 * tenant. The answer ends it, and resolves when what was under way has ended too: only
 * then may the store be closed.
 */
export const startTidying = (deps: TidyingDeps): (() => Promise<void>) => {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const run = (): void => {
    // A round that takes longer than an hour delays the next one; work that fails keeps no other from being done.
    for (const work of [...deps.further, ...ownWork(deps)]) {
      running = running.then(async () => void (await work(stopping.signal))).catch(deps.onError);
    }
  };
  run();
  const timer = setInterval(run, tidyEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
};

const ownWork = ({
  objects,
  store,
  picturesKeptMs,
  numbersKeptMs,
  sightingsKeptMs,
  clock,
}: TidyingDeps): TidyingDeps["further"] => {
  const before = (ageMs: number): Date => new Date(clock().getTime() - ageMs);
  // The moment is one for the whole work: what grows old meanwhile is the next round's.
  const until =
    (remove: (before: Date) => Promise<number>, ageMs = 0) =>
    (signal: AbortSignal): Promise<void> => {
      const moment = before(ageMs);
      return untilNone(() => remove(moment), signal);
    };
  return [
    until(store.forgetBlobs, picturesKeptMs),
    async (signal) => {
      if (!signal.aborted) await sweepBlobs(stoppable(objects, signal), store, before(orphanAgeMs));
    },
    until(store.purgeTokenUses),
    until(store.purgePeople),
    until(store.purgeClaims, numbersKeptMs),
    until(store.purgeBlocked),
    until(store.purgeSightings, sightingsKeptMs),
  ];
};

/** One command of the store removes a bounded number; there may be more until it removes none. */
const untilNone = async (remove: () => Promise<number>, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted && (await remove()) > 0);
};

/** The same objects, of which the list ends early when the signal says so. */
const stoppable = (objects: Objects, signal: AbortSignal): Objects => ({
  ...objects,
  list: async function* () {
    for await (const object of objects.list()) {
      if (signal.aborted) return;
      yield object;
    }
  },
});
