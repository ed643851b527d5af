import type { Lease } from "#judging/document/store/validation";

/** A request for everything that is due and need not run alone, by a worker that runs nothing else. */
export const aLease = (worker: string, now: Date, change: Partial<Lease> = {}): Lease => ({
  worker,
  now,
  leaseMs: 30_000,
  limit: 10,
  isAlone: false,
  running: [],
  endsLeases: true,
  deathsAllowed: 2,
  deathsMax: 3,
  ...change,
});
