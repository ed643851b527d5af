import { Failure } from "#contract/failure";
import type { AskRate, RateKey, RateLimit } from "./options.ts";
import type { KeyRate } from "./token-bucket.ts";

type Waiting = { readonly spanUs: number; readonly settle: (waitSeconds: number) => void };

/**
 * The knowledge of this process about one bucket of the store. Spans are times in which the key regains a
 * cost.
 */
type Held = {
  /** Taken from the store already, for the next calls. */
  spareUs: number;
  /**
   * The time at which the bucket is full again. It may be later, because other processes take from the bucket
   * too.
   */
  fullAtUs: number;
  waiting: Waiting[];
  queuedUs: number;
  isAsking: boolean;
};

type Deps = {
  readonly askRate: AskRate;
  readonly clock: () => Date;
  /** The store did not answer: this process counts alone for a second. */
  readonly onOutage: (error: unknown) => void;
};

/**
 * The part of a full bucket that a process may hold for its next calls. Two processes hold a twentieth at
 * most, and a limit can be exceeded by no more: docs/decisions/0036-rate-limits-across-processes.md.
 */
const sparePart = 1 / 40;

/**
 * A process counts alone if the store takes longer, and for the same time again: a call must not hang with
 * the store.
 */
const patienceMs = 1_000;

/**
 * Most keys in memory; the oldest is forgotten first. What it held of its bucket is lost until the bucket
 * refills.
 */
const keysMax = 20_000;

/**
 * One bucket for each key in the store, for all processes of a deployment. A process asks the store once for
 * all calls of a key that wait at the same moment, and takes a small part of the bucket in advance. A key
 * whose bucket must be empty is refused without a question. While the store does not answer, the process
 * counts by itself.
 */
export const makeSharedRate = (limit: RateLimit, deps: Deps): KeyRate => {
  const fullUs = spanOf(limit, limit.burst);
  const spareUsMax = spanOf(limit, Math.floor(limit.burst * sparePart));
  const buckets = new Map<string, Held>();
  let aloneUntilMs = 0;

  /** Asks for all calls that wait now, and settles them. */
  const askOnce = async (key: RateKey, bucket: Held): Promise<void> => {
    const batch = takeWaiting(bucket);
    const sentUs = deps.clock().getTime() * 1000;
    try {
      const spansUs = batch.map(({ spanUs }) => spanUs);
      const spareUs = Math.max(0, spareUsMax - bucket.spareUs);
      const { granted, ...rest } = await inTime(deps.askRate(key, { spansUs, spareUs, fullUs }));
      bucket.spareUs += rest.spareUs;
      // The answer was made after `sentUs`, so the bucket is never fuller than this.
      bucket.fullAtUs = sentUs + rest.missingUs;
      for (const [at, { spanUs, settle }] of batch.entries())
        settle(granted[at] === true ? 0 : secondsUntil(rest.missingUs + spanUs - fullUs));
    } catch (error) {
      const nowMs = deps.clock().getTime();
      aloneUntilMs = nowMs + patienceMs;
      deps.onOutage(error);
      for (const { spanUs, settle } of [...batch, ...takeWaiting(bucket)])
        settle(takeAlone(bucket, spanUs, fullUs, nowMs));
    }
  };

  const askUntilSettled = async (key: RateKey, bucket: Held): Promise<void> => {
    bucket.isAsking = true;
    while (bucket.waiting.length > 0) await askOnce(key, bucket);
    bucket.isAsking = false;
  };

  return {
    take: (key, cost, nowMs) => {
      const bucket = touch(buckets, key.keyId);
      const spanUs = spanOf(limit, Math.min(cost, limit.burst));
      if (spanUs <= bucket.spareUs) {
        bucket.spareUs -= spanUs;
        return 0;
      }
      if (nowMs < aloneUntilMs) return takeAlone(bucket, spanUs, fullUs, nowMs);
      const lackingUs = missingAt(bucket, nowMs) + bucket.queuedUs + spanUs - fullUs;
      if (lackingUs > 0) return secondsUntil(lackingUs);
      const settled = new Promise<number>((settle) => bucket.waiting.push({ spanUs, settle }));
      bucket.queuedUs += spanUs;
      if (!bucket.isAsking) void askUntilSettled(key, bucket);
      return settled;
    },
  };
};

const takeWaiting = (bucket: Held): readonly Waiting[] => {
  const { waiting } = bucket;
  bucket.waiting = [];
  bucket.queuedUs = 0;
  return waiting;
};

/** The span is rounded up, so that rounding never exceeds a limit. */
const spanOf = ({ perSecond }: RateLimit, cost: number): number => Math.ceil((cost / perSecond) * 1_000_000);

const secondsUntil = (us: number): number => Math.max(1, Math.ceil(us / 1_000_000));

const missingAt = ({ fullAtUs }: Held, nowMs: number): number => Math.max(0, fullAtUs - nowMs * 1000);

/** Counts on the last known state of the bucket. */
const takeAlone = (bucket: Held, spanUs: number, fullUs: number, nowMs: number): number => {
  const missingUs = Math.min(missingAt(bucket, nowMs), fullUs);
  const lackingUs = missingUs + spanUs - fullUs;
  if (lackingUs > 0) return secondsUntil(lackingUs);
  bucket.fullAtUs = nowMs * 1000 + missingUs + spanUs;
  return 0;
};

/** The bucket of a key, now the youngest. */
const touch = (buckets: Map<string, Held>, keyId: string): Held => {
  const fresh: Held = { spareUs: 0, fullAtUs: 0, waiting: [], queuedUs: 0, isAsking: false };
  const bucket = buckets.get(keyId) ?? fresh;
  buckets.delete(keyId);
  buckets.set(keyId, bucket);
  if (buckets.size > keysMax) buckets.delete(buckets.keys().next().value ?? "");
  return bucket;
};

const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const cause = new Error(`No answer within ${patienceMs} ms`);
    late.reject(new Failure("store_unavailable", {}, { cause }));
  }, patienceMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
