import { hashApiKey, makeApiKey } from "#contract/api-key";
import type { KeyAdmin, KeyManager, NewKey } from "./key-admin.ts";
import type { ApiKey } from "./store/tenant.ts";

export type MakeKeyDeps = {
  readonly admin: Pick<KeyAdmin, "createApiKey" | "endApiKey">;
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

/** The life of a key that nobody chose: a forgotten key must expire. */
export const keyDaysDefault = 365;

const dayMs = 86_400_000;

/** How long a key was made to live; of a key without an end, the standard. */
const lifeMsOf = ({ createdAt, expiresAt }: ApiKey): number =>
  expiresAt === undefined ? keyDaysDefault * dayMs : expiresAt.getTime() - createdAt.getTime();

export type Renewal = {
  readonly former: ApiKey;
  /** Absent: the new key lives as long as the former one was made to live, from now on. */
  readonly expiresAt?: Date | undefined;
  readonly overlapMs: number;
  /** Gets the new key before the former one ends: who is cut off between the two has both. */
  readonly onMade?: (made: MadeKey) => void;
};

/** Makes a key with the name, environment and scopes of another, which ends after the overlap, unless it ends earlier. */
export const renewKey = async (
  deps: MakeKeyDeps,
  { former, expiresAt, overlapMs, onMade }: Renewal,
  by?: KeyManager,
): Promise<MadeKey> => {
  const { tenantId, name, environment, scopes, id } = former;
  const end = expiresAt ?? new Date(deps.clock().getTime() + lifeMsOf(former));
  const made = await makeKey(deps, { tenantId, name, environment, scopes, expiresAt: end }, by, id);
  onMade?.(made);
  await deps.admin.endApiKey(tenantId, id, new Date(deps.clock().getTime() + overlapMs), by);
  return made;
};
