import { timingSafeEqual } from "node:crypto";
import { hashApiKey, mayBeApiKey } from "#contract/api-key";
import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Scope } from "#contract/scope";
import { makeAddressLimit } from "./address-limit.ts";
import type { KeyRecord, KeySource, ServerLimits } from "./options.ts";
import { makeTokenBuckets } from "./token-bucket.ts";

type Cached = { readonly record: Promise<KeyRecord | undefined>; readonly untilMs: number };

export type Authenticate = (attempt: {
  readonly key: string | undefined;
  readonly scope: Scope;
  readonly remoteAddress: string;
  /** Called with the owner of a known key that is refused: for the log alone. */
  readonly onRefused?: (owner: Omit<Caller, "environment">) => void;
}) => Promise<Admitted>;

/** The caller of a key, and the first key of the renewals that made it: itself where it renews none. */
export type Admitted = { readonly caller: Caller; readonly lineage: string };

/** Most keys in the cache: tenants have a few each. */
const cachedMax = 10_000;

/**
 * Finds the caller of a key. Fails with unauthorized (its reason: {@link keyFaults}), scope_missing, or
 * rate_limited where a neighbourhood has sent too many wrong keys. Only a wrong key takes from that budget,
 * once the store does not know it, so no right key is refused for what others behind its address sent
 * (decision 64). A key that ended is no guess, and has a budget of its own. Texts that can be no key, such as
 * a mistyped Idem key with a wrong checksum, never reach the store; an imported key has no checksum.
 */
export const makeAuthenticate = (
  keys: Pick<KeySource, "find">,
  limits: Pick<ServerLimits, "keyCacheMs" | "wrongKeys">,
  clock: () => Date,
): Authenticate => {
  const cache = makeKeyCache(keys, limits.keyCacheMs);
  const wrong = makeAddressLimit(limits.wrongKeys, clock);
  const ended = makeTokenBuckets(limits.wrongKeys);
  return async ({ key, scope, remoteAddress, onRefused }) => {
    if (key === undefined || key === "") throw refusalOf("no_key");
    const now = clock();
    const hash = hashApiKey(key);
    const record = mayBeApiKey(key) ? await cache.find(hash, now.getTime()) : undefined;
    const fault = faultOf(record, hash, now);
    if (record === undefined || fault === "unknown_key") {
      wrong.take(remoteAddress);
      throw refusalOf("unknown_key");
    }
    const owner = { tenantId: record.tenantId, keyId: record.id };
    if (fault !== undefined) {
      onRefused?.(owner);
      const wait = ended.take(hash, 1, now.getTime());
      throw wait > 0 ? new Failure("rate_limited", { retryAfterSeconds: wait }) : refusalOf(fault);
    }
    if (!record.scopes.includes(scope)) {
      onRefused?.(owner);
      throw new Failure("scope_missing", { scope });
    }
    return {
      caller: { ...owner, environment: record.environment },
      lineage: record.lineage ?? record.id,
    };
  };
};

/**
 * Why a key is refused. Only a caller who holds the whole key can learn that it expired or was revoked: a
 * guess is always unknown. `no_key` is a request without the header, or with two keys that differ.
 */
export const keyFaults = ["no_key", "unknown_key", "expired_key", "revoked_key"] as const;
export type KeyFault = (typeof keyFaults)[number];

const refusalOf = (reason: KeyFault): Failure => new Failure("unauthorized", { reason });

/**
 * The store searches by hash; comparing again in constant time makes a store with loose matching harmless.
 */
const faultOf = (record: KeyRecord | undefined, hash: string, now: Date): KeyFault | undefined => {
  if (record === undefined) return "unknown_key";
  const [found, asked] = [Buffer.from(record.hash), Buffer.from(hash)];
  if (found.length !== asked.length || !timingSafeEqual(found, asked)) return "unknown_key";
  if (record.revokedAt !== undefined) return "revoked_key";
  return record.expiresAt === undefined || record.expiresAt > now ? undefined : "expired_key";
};

const makeKeyCache = (keys: Pick<KeySource, "find">, lifeMs: number) => {
  const cache = new Map<string, Cached>();
  const fresh = (hash: string, nowMs: number): Cached | undefined => {
    const cached = cache.get(hash);
    return cached !== undefined && cached.untilMs > nowMs ? cached : undefined;
  };
  const look = (hash: string, nowMs: number): Promise<KeyRecord | undefined> => {
    const record = keys.find(hash);
    cache.delete(hash);
    cache.set(hash, { record, untilMs: nowMs + lifeMs });
    if (cache.size > cachedMax) cache.delete(cache.keys().next().value ?? "");
    void forgetUnlessFound(record, () => {
      if (cache.get(hash)?.record === record) cache.delete(hash);
    });
    return record;
  };
  return { find: (hash: string, nowMs: number) => fresh(hash, nowMs)?.record ?? look(hash, nowMs) };
};

/** An unknown key is not cached, so that a new key works at once; neither is a failure of the store. */
const forgetUnlessFound = async (
  record: Promise<KeyRecord | undefined>,
  forget: () => void,
): Promise<void> => {
  try {
    if ((await record) === undefined) forget();
  } catch {
    forget();
  }
};
