import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Scope } from "#contract/scope";
import { type KeyAdmin, stateOf } from "./key-admin.ts";
import { type MadeKey, type MakeKeyDeps, makeKey, type Renewal, renewKey } from "./make-key.ts";
import type { ApiKey } from "./store/tenant.ts";

/** What an operator asks of a new key. */
export type WantedKey = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
};

/** The place of a key in the list, the newest first. */
export type KeyPlace = { readonly at: Date; readonly id: string };

/**
 * API keys for an operator, within the tenant and environment of the calling key. A key makes, renews and
 * revokes only keys whose scopes it holds itself. Each fails with not_found for a key that tenant and
 * environment do not have. Made by {@link makeKeys}.
 */
export type Keys = {
  readonly list: (
    caller: Caller,
    after?: KeyPlace,
  ) => Promise<{ readonly keys: readonly ApiKey[]; readonly isLast: boolean }>;
  /** Fails with key_scope_refused where the caller lacks one of the scopes. */
  readonly requireGrant: (caller: Caller, scopes: readonly Scope[]) => Promise<void>;
  /** Fails with key_scope_refused where the caller lacks one of the scopes of the key. */
  readonly requireRule: (caller: Caller, id: string) => Promise<ApiKey>;
  /** Fails with key_scope_refused and key_limit. */
  readonly create: (caller: Caller, wanted: WantedKey) => Promise<MadeKey>;
  /** Fails with key_ended, key_scope_refused and key_limit. */
  readonly renew: (
    caller: Caller,
    id: string,
    renewal: Pick<Renewal, "expiresAt" | "overlapMs">,
  ) => Promise<MadeKey & { readonly former: ApiKey }>;
  /** A key that was revoked before stays as it is. Fails with key_scope_refused. */
  readonly revoke: (caller: Caller, id: string) => Promise<ApiKey>;
};

const pageMax = 100;

export const makeKeys = (deps: MakeKeyDeps & { readonly admin: KeyAdmin }): Keys => {
  const { admin, clock } = deps;
  const owned = async ({ tenantId, environment }: Caller): Promise<readonly ApiKey[]> =>
    (await admin.listApiKeys(tenantId)).filter(
      // A key that was changed past the service does not count: it opens nothing, and it grants nothing.
      (key) => key.environment === environment && key.isForged !== true,
    );
  const find = async (caller: Caller, id: string): Promise<ApiKey> => {
    const found = (await owned(caller)).find((key) => key.id === id);
    if (found === undefined) throw new Failure("not_found");
    return found;
  };
  const requireGrant = async (caller: Caller, scopes: readonly Scope[]): Promise<void> => {
    const held = (await owned(caller)).find(({ id }) => id === caller.keyId)?.scopes ?? [];
    const refused = scopes.filter((scope) => !held.includes(scope));
    if (refused.length > 0) throw new Failure("key_scope_refused", { scopes: refused.join(",") });
  };
  const requireRule = async (caller: Caller, id: string): Promise<ApiKey> => {
    const found = await find(caller, id);
    await requireGrant(caller, found.scopes);
    return found;
  };
  return {
    requireGrant,
    requireRule,
    list: async (caller, after) => {
      const keys = (await owned(caller)).toReversed();
      const rest = after === undefined ? keys : keys.filter((key) => comesAfter(key, after));
      return { keys: rest.slice(0, pageMax), isLast: rest.length <= pageMax };
    },
    create: async (caller, wanted) => {
      await requireGrant(caller, wanted.scopes);
      const { tenantId, environment } = caller;
      return await makeKey(deps, { ...wanted, tenantId, environment }, caller);
    },
    renew: async (caller, id, renewal) => {
      const former = await requireRule(caller, id);
      const state = stateOf(former, clock());
      if (state !== "active") throw new Failure("key_ended", { state });
      const made = await renewKey(deps, { ...renewal, former }, caller);
      return { ...made, former: await find(caller, id) };
    },
    revoke: async (caller, id) => {
      await requireRule(caller, id);
      await admin.revokeApiKey(caller.tenantId, id, clock(), caller);
      return await find(caller, id);
    },
  };
};

const comesAfter = ({ createdAt, id }: ApiKey, place: KeyPlace): boolean => {
  const ms = createdAt.getTime() - place.at.getTime();
  return ms < 0 || (ms === 0 && id < place.id);
};
