import type { Json } from "#contract/json";
import { activeKeysMax } from "#contract/key-failure";
import type { Scope } from "#contract/scope";
import { stepOf } from "#record/transactions/record-call";
import type { ApiKey } from "./store/tenant.ts";
import type { TenantCommands } from "./store/tenant-store.ts";

/** Kinds of evidence about API keys. */
export const apiKeyEvidenceKinds = ["api_key_created", "api_key_ended", "api_key_revoked"] as const;

/** Who changes keys: the key of an operator. Absent for a command. */
export type KeyManager = { readonly keyId: string };

/**
 * The store's commands for API keys. Each change commits with its evidence, which names keys by their ids.
 * Commands, the local socket and the operator's endpoints change keys through these alone. Made by
 * {@link makeKeyAdmin}.
 */
export type KeyAdmin = Pick<TenantCommands, "listApiKeys" | "findApiKey"> & {
  /**
   * `renews`: the id of the key in whose place it is made. Fails with key_limit where a call (`by`) makes it;
   * commands have no limit.
   */
  readonly createApiKey: (key: ApiKey, renews?: string, by?: KeyManager) => Promise<void>;
  /**
   * Lets a key expire at `at`, or earlier where it does already. False when the tenant has no such active
   * key.
   */
  readonly endApiKey: (tenantId: string, keyId: string, at: Date, by?: KeyManager) => Promise<boolean>;
  /** False when the tenant has no such active key. */
  readonly revokeApiKey: (tenantId: string, keyId: string, at: Date, by?: KeyManager) => Promise<boolean>;
};

type KeyAdminDeps = {
  readonly store: Pick<
    TenantCommands,
    "listApiKeys" | "findApiKey" | "createApiKey" | "endApiKey" | "revokeApiKey"
  >;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export const dayMs = 86_400_000;

export const makeKeyAdmin = ({ store, clock, newId }: KeyAdminDeps): KeyAdmin => {
  const step = (
    kind: (typeof apiKeyEvidenceKinds)[number],
    by: KeyManager | undefined,
    body: Readonly<Record<string, Json>>,
  ) =>
    stepOf({
      evidence: [{ id: newId(), kind, at: clock(), body: { ...body, ...(by && { key: by.keyId }) } }],
    });
  return {
    listApiKeys: store.listApiKeys,
    findApiKey: store.findApiKey,
    createApiKey: async (key, renews, by) => {
      const { id, environment, scopes, expiresAt } = key;
      const facts = {
        apiKey: id,
        environment,
        scopes: [...scopes],
        expiresAt: expiresAt?.toISOString() ?? null,
      };
      const made = step("api_key_created", by, { ...facts, ...(renews && { renews }) });
      // With the keys of the last day no loop of creations and revocations fills the store.
      const since = new Date(key.createdAt.getTime() - dayMs);
      await store.createApiKey(key, made, by && { countMax: activeKeysMax, since });
    },
    endApiKey: async (tenantId, keyId, at, by) =>
      await store.endApiKey(
        tenantId,
        keyId,
        at,
        step("api_key_ended", by, { apiKey: keyId, endsAt: at.toISOString() }),
      ),
    revokeApiKey: async (tenantId, keyId, at, by) =>
      await store.revokeApiKey(tenantId, keyId, at, step("api_key_revoked", by, { apiKey: keyId })),
  };
};

/** A key to be made. */
export type NewKey = {
  readonly tenantId: string;
  readonly name: string;
  readonly environment: ApiKey["environment"];
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  /** The first key of the renewals that made this key. */
  readonly lineage?: string;
};

/** The state of a key at a time. */
export const keyStates = ["active", "expired", "revoked"] as const;

export const stateOf = (
  { revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">,
  now: Date,
): (typeof keyStates)[number] => {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
};
