import type { RateKey, RateLimit } from "./options.ts";

type Bucket = { level: number; at: number };

export type TokenBuckets = {
  /** Takes `cost` from the bucket of `name`; returns the seconds to wait where it is too empty, else 0. */
  readonly take: (name: string, cost: number, nowMs: number) => number;
  /** Gives `cost` back to the bucket of `name`, which holds no more than its burst. */
  readonly give: (name: string, cost: number, nowMs: number) => void;
};

/**
 * The most names in memory. The oldest name is forgotten first, which leaves its caller with a full bucket.
 */
const namesMax = 20_000;

/** Token buckets by name: initially full, refilled steadily. A call above the whole burst takes all of it. */
export const makeTokenBuckets = ({ perSecond, burst }: RateLimit): TokenBuckets => {
  const buckets = new Map<string, Bucket>();
  const refilled = (name: string, nowMs: number): Bucket => {
    const bucket = buckets.get(name);
    if (bucket === undefined) return { level: burst, at: nowMs };
    const gained = (Math.max(0, nowMs - bucket.at) / 1000) * perSecond;
    return { level: Math.min(burst, bucket.level + gained), at: nowMs };
  };
  const lacking = (bucket: Bucket, cost: number): number =>
    Math.max(0, Math.ceil((Math.min(cost, burst) - bucket.level) / perSecond));
  return {
    take: (name, cost, nowMs) => {
      const bucket = refilled(name, nowMs);
      const wait = lacking(bucket, cost);
      if (wait === 0) bucket.level -= Math.min(cost, burst);
      buckets.delete(name);
      buckets.set(name, bucket);
      if (buckets.size > namesMax) buckets.delete(buckets.keys().next().value ?? "");
      return wait;
    },
    give: (name, cost, nowMs) => {
      // A bucket that was forgotten is full.
      if (!buckets.has(name)) return;
      const { level, at } = refilled(name, nowMs);
      buckets.set(name, { level: Math.min(burst, level + cost), at });
    },
  };
};

/** The rate limit of API keys. Made by {@link makeOwnRate} and by `makeSharedRate`, shared-rate.ts. */
export type KeyRate = {
  /** Takes `cost` from the key's bucket; returns the seconds to wait where it is too empty, else 0. */
  readonly take: (key: RateKey, cost: number, nowMs: number) => number | Promise<number>;
};

/** The rate limit of a deployment with one process: its buckets are in memory. */
export const makeOwnRate = (limit: RateLimit): KeyRate => {
  const buckets = makeTokenBuckets(limit);
  return { take: ({ keyId }, cost, nowMs) => buckets.take(keyId, cost, nowMs) };
};
