import { hashApiKey, makeApiKey } from "#contract/api-key";
import { dayMs, type KeyAdmin, type KeyManager, type NewKey } from "./key-admin.ts";
import { keyDaysDefault } from "./key-days.ts";
import type { ApiKey } from "./store/tenant.ts";

export type MakeKeyDeps = {
  readonly admin: Pick<KeyAdmin, "listApiKeys" | "createApiKey" | "endApiKey">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A stored key, with its text, which is shown once. */
export type MadeKey = { readonly apiKey: ApiKey; readonly key: string };

/** Makes a key and stores its hash. */
export const makeKey = async (
  { admin, clock, newId }: MakeKeyDeps,
  wanted: NewKey,
  by?: KeyManager,
  renews?: string,
): Promise<MadeKey> => {
  const key = makeApiKey(wanted.environment);
  const apiKey = { ...wanted, id: newId(), hash: hashApiKey(key), createdAt: clock() };
  await admin.createApiKey(apiKey, renews, by);
  return { apiKey, key };
};

/** Overlaps are whole multiples: a command takes hours with three decimals. */
const overlapStepMs = 3_600;

/**
 * Whether a renewal made `other` in place of `key`. The renewal moved the end of `key` to the creation of
 * `other` and an overlap.
 */
const replaces = (other: ApiKey, key: ApiKey): boolean => {
  const overlapMs = (key.expiresAt?.getTime() ?? Number.NaN) - other.createdAt.getTime();
  return (
    other.createdAt > key.createdAt &&
    other.environment === key.environment &&
    other.name === key.name &&
    String(other.scopes) === String(key.scopes) &&
    overlapMs >= 0 &&
    overlapMs % overlapStepMs === 0
  );
};

/**
 * The validity with which a key was made; of a key without an end, the standard. A key in its overlap ends
 * early: it has the validity of the key that replaces it.
 */
const validityMsOf = (key: ApiKey, keys: readonly ApiKey[]): number => {
  const next = keys.find((other) => replaces(other, key));
  if (next !== undefined) return validityMsOf(next, keys);
  const { createdAt, expiresAt } = key;
  return expiresAt === undefined ? keyDaysDefault * dayMs : expiresAt.getTime() - createdAt.getTime();
};

export type Renewal = {
  readonly former: ApiKey;
  /** If absent, the new key has the validity of the former one, from now on. */
  readonly expiresAt?: Date | undefined;
  /** A multiple of 3.6 seconds, from the creation of the new key on. */
  readonly overlapMs: number;
  /** Gets the new key before the former one ends: who is cut off between the two has both. */
  readonly onMade?: (made: MadeKey) => void;
};

/**
 * Makes a key with the name, environment and scopes of another, which ends after the overlap, unless it ends
 * earlier.
 */
export const renewKey = async (
  deps: MakeKeyDeps,
  { former, expiresAt, overlapMs, onMade }: Renewal,
  by?: KeyManager,
): Promise<MadeKey> => {
  const { tenantId, name, environment, scopes, id, lineage = id } = former;
  const ofFormer = async () => validityMsOf(former, await deps.admin.listApiKeys(tenantId));
  const end = expiresAt ?? new Date((await ofFormer()) + deps.clock().getTime());
  const made = await makeKey(deps, { tenantId, name, environment, scopes, expiresAt: end, lineage }, by, id);
  onMade?.(made);
  await deps.admin.endApiKey(tenantId, id, new Date(made.apiKey.createdAt.getTime() + overlapMs), by);
  return made;
};
