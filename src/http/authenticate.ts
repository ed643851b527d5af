import { timingSafeEqual } from "node:crypto";
import { hashApiKey, mayBeApiKey } from "#contract/api-key";
import type { Caller, Scope } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { makeAddressLimit } from "./address-limit.ts";
import type { KeyRecord, KeySource, ServerLimits } from "./options.ts";

type Cached = { readonly record: Promise<KeyRecord | undefined>; readonly untilMs: number };

export type Authenticate = (attempt: {
  readonly key: string | undefined;
  readonly scope: Scope;
  readonly remoteAddress: string;
}) => Promise<Caller>;

/** Most keys in the cache: tenants have a few each. */
const cachedMax = 10_000;

/**
 * Finds the caller of a key. Fails with unauthorized (missing, wrong, expired or revoked key: never revealed
 * which), scope_missing, or rate_limited where a neighbourhood has sent too many wrong keys. A valid key
 * always passes: only wrong keys use the budget, or a caller behind the same proxy as a guesser could be
 * locked out. The cost is one indexed read per guess. Texts that can be no key, such as a mistyped Idem key with a wrong
 * checksum, never reach the store; an imported key has no checksum.
 */
export const makeAuthenticate = (
  keys: Pick<KeySource, "find">,
  limits: Pick<ServerLimits, "keyCacheMs" | "wrongKeys">,
  clock: () => Date,
): Authenticate => {
  const cache = makeKeyCache(keys, limits.keyCacheMs);
  const wrongKeys = makeAddressLimit(limits.wrongKeys, clock);
  return async ({ key, scope, remoteAddress }) => {
    if (key === undefined || key === "") throw new Failure("unauthorized");
    const now = clock();
    const refuseKey = (): Failure => {
      wrongKeys.take(remoteAddress);
      return new Failure("unauthorized");
    };
    if (!mayBeApiKey(key)) throw refuseKey();
    const hash = hashApiKey(key);
    const record = await cache.find(hash, now.getTime());
    if (record === undefined || !isValid(record, hash, now)) throw refuseKey();
    if (!record.scopes.includes(scope)) throw new Failure("scope_missing", { scope });
    return { tenantId: record.tenantId, keyId: record.id, environment: record.environment };
  };
};

/**
 * The store searches by hash; comparing again in constant time makes a store with loose matching harmless.
 */
const isValid = (record: KeyRecord, hash: string, now: Date): boolean => {
  const [found, asked] = [Buffer.from(record.hash), Buffer.from(hash)];
  const isSame = found.length === asked.length && timingSafeEqual(found, asked);
  const isLive = record.expiresAt === undefined || record.expiresAt > now;
  return isSame && isLive && record.revokedAt === undefined;
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
