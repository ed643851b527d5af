import { Failure } from "#contract/failure";
import type { Session } from "#machine/storage/database";
import { changeRow, endRow, isWhole, requireRow, sealRow } from "#machine/storage/rights/door";
import type { Step } from "#record/transactions/record";
import { lockChain, type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { ApiKey, Tenant } from "./tenant.ts";
import type { TenantTables } from "./tenant-tables.ts";

/**
 * Most keys of a tenant and environment: those that are active when a key is made, and those that were made
 * after `since`.
 */
export type KeyLimit = { readonly countMax: number; readonly since: Date };

/** Commands for tenants and their API keys; implemented by {@link makeTenantCommands}. */
export type TenantCommands = {
  /**
   * Names are unique: returns the tenant with the name, which is another tenant if the name was taken before.
   */
  readonly createTenant: (tenant: Tenant) => Promise<Tenant>;
  readonly listTenants: () => Promise<readonly Tenant[]>;
  /** Sets or, without a country, removes the default country. False when there is no such tenant. */
  readonly setDefaultCountry: (tenantId: string, country: string | undefined) => Promise<boolean>;
  readonly findDefaultCountry: (tenantId: string) => Promise<string | undefined>;

  /**
   * The step commits with the key. The first keys of a development start have none. Fails with key_limit, and
   * writes nothing, where the limit is reached; of simultaneous calls too, none passes it.
   */
  readonly createApiKey: (key: ApiKey, step?: Step, limit?: KeyLimit) => Promise<void>;
  readonly findApiKey: (hash: string) => Promise<ApiKey | undefined>;
  readonly listApiKeys: (tenantId: string) => Promise<readonly ApiKey[]>;
  /** False, and nothing written, when the tenant has no such active key. */
  readonly revokeApiKey: (tenantId: string, keyId: string, at: Date, step?: Step) => Promise<boolean>;
  /**
   * Lets a key expire at `at`, or earlier where it does already. False, and nothing written, when the tenant
   * has no such active key.
   */
  readonly endApiKey: (tenantId: string, keyId: string, at: Date, step?: Step) => Promise<boolean>;
  readonly touchApiKeys: (uses: readonly { readonly keyId: string; readonly at: Date }[]) => Promise<void>;
};

/** Tenants and their API keys. */
export const makeTenantCommands = (session: StepSession<TenantTables>): TenantCommands => ({
  ...makeKeyCommands(session),
  ...makeEndingCommands(session),
  ...makeCountryCommands(session),
  ...makeDirectoryCommands(session),
});

const makeDirectoryCommands = (
  session: Session<TenantTables>,
): Pick<TenantCommands, "createTenant" | "listTenants"> => ({
  createTenant: (tenant) => insertTenant(session, tenant),

  // Names alone: what a tenant is set to is read by `findDefaultCountry`, and its keys have their own seals.
  listTenants: async () => {
    // Full table scan: one row per customer of the deployment.
    const rows = await session.db
      .selectFrom("tenants")
      .selectAll()
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
    return rows.map(tenantOf);
  },
});

const makeKeyCommands = (
  session: StepSession<TenantTables>,
): Pick<TenantCommands, "createApiKey" | "findApiKey" | "listApiKeys" | "touchApiKeys"> => ({
  createApiKey: async (key, step, limit) => {
    if (limit !== undefined) await requireBelowLimit(session, key, limit);
    // Unique index on hash: two keys can never share a hash.
    const row = apiKeyRow(key);
    await session.db.insertInto("apiKeys").values(row).execute();
    await sealRow(session, "api_keys", [key.tenantId, key.id], row);
    if (step !== undefined) await writeStep(session, key.tenantId, step);
  },

  findApiKey: async (hash) => {
    // Unique index api_keys_hash; this look-up finds the tenant.
    const row = await session.db
      .selectFrom("apiKeys")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    requireRow(session, "api_keys", row);
    return apiKeyOf(row);
  },

  listApiKeys: async (tenantId) => {
    // Primary key (tenant_id, id), one tenant's range.
    const rows = await session.db
      .selectFrom("apiKeys")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
    return rows.map((row) => (isWhole(session, "api_keys", row) ? apiKeyOf(row) : forgedKeyOf(row)));
  },

  touchApiKeys: async (uses) => {
    // In order of id, so two processes that report the same keys cannot deadlock.
    for (const { keyId, at } of [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
      const time = at.getTime();
      // Unique index api_keys_id; never moves backwards when reports arrive out of order.
      await session.db
        .updateTable("apiKeys")
        .set({ lastUsedAt: time })
        .where("id", "=", keyId)
        .where((row) => row.or([row("lastUsedAt", "is", null), row("lastUsedAt", "<", time)]))
        .execute();
    }
  },
});

const requireBelowLimit = async (
  session: StepSession<TenantTables>,
  { tenantId, environment, createdAt }: ApiKey,
  { countMax, since }: KeyLimit,
): Promise<void> => {
  // The lock of the step that follows: of two calls at once the second one counts the key of the first.
  await lockChain(session, tenantId);
  const now = createdAt.getTime();
  // Primary key (tenant_id, id), one tenant's range.
  const { count } = await session.db
    .selectFrom("apiKeys")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where((row) =>
      row.or([
        row("createdAt", ">", since.getTime()),
        row.and([
          row("revokedAt", "is", null),
          row.or([row("expiresAt", "is", null), row("expiresAt", ">", now)]),
        ]),
      ]),
    )
    .executeTakeFirstOrThrow();
  if (Number(count) >= countMax) throw new Failure("key_limit", { countMax });
};

const makeEndingCommands = (
  session: StepSession<TenantTables>,
): Pick<TenantCommands, "revokeApiKey" | "endApiKey"> => ({
  revokeApiKey: async (tenantId, keyId, at, step) => {
    // A forged key too: a revoked key gives no right.
    const revokedAt = at.getTime();
    const isRevoked = await endRow(session, "api_keys", [tenantId, keyId], async () => {
      // Primary key, one row; the condition makes the first revocation count.
      const { numUpdatedRows } = await session.db
        .updateTable("apiKeys")
        .set({ revokedAt })
        .where("tenantId", "=", tenantId)
        .where("id", "=", keyId)
        .where("revokedAt", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n ? { revokedAt } : undefined;
    });
    return await endedWith(session, tenantId, isRevoked, step);
  },

  endApiKey: async (tenantId, keyId, at, step) => {
    const isEnded = await changeRow(session, "api_keys", [tenantId, keyId], async (key) => {
      // A key that ends earlier keeps its end.
      const expiresAt = Math.min(Number(key["expiresAt"] ?? Infinity), at.getTime());
      // Primary key, one row.
      const { numUpdatedRows } = await session.db
        .updateTable("apiKeys")
        .set({ expiresAt })
        .where("tenantId", "=", tenantId)
        .where("id", "=", keyId)
        .where("revokedAt", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n ? { expiresAt } : undefined;
    });
    return await endedWith(session, tenantId, isEnded, step);
  },
});

/** Whether the key ended; then its step is written. */
const endedWith = async (
  session: StepSession,
  tenantId: string,
  hasEnded: boolean,
  step: Step | undefined,
): Promise<boolean> => {
  if (!hasEnded) return false;
  if (step !== undefined) await writeStep(session, tenantId, step);
  return true;
};

const makeCountryCommands = (
  session: Session<TenantTables>,
): Pick<TenantCommands, "setDefaultCountry" | "findDefaultCountry"> => ({
  setDefaultCountry: (tenantId, country) =>
    changeRow(session, "tenants", [tenantId], async () => {
      const changed = { defaultCountry: country ?? null };
      // Primary key, one row.
      const { numUpdatedRows } = await session.db
        .updateTable("tenants")
        .set(changed)
        .where("id", "=", tenantId)
        .executeTakeFirst();
      return numUpdatedRows === 1n ? changed : undefined;
    }),

  findDefaultCountry: async (tenantId) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("tenants")
      .selectAll()
      .where("id", "=", tenantId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    requireRow(session, "tenants", row);
    return row.defaultCountry ?? undefined;
  },
});

const insertTenant = async (
  session: Session<TenantTables>,
  { id, name, createdAt, defaultCountry }: Tenant,
): Promise<Tenant> => {
  // Unique index tenants_name: of two processes at once one inserts and both return its tenant. A duplicate
  // id fails.
  const { db } = session;
  const inserted = { id, name, createdAt: createdAt.getTime(), defaultCountry: defaultCountry ?? null };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("tenants")
    .values(inserted)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) await sealRow(session, "tenants", [id], inserted);
  const row = await db.selectFrom("tenants").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
  return tenantOf(row);
};

const tenantOf = ({ id, name, createdAt, defaultCountry }: TenantTables["tenants"]): Tenant => ({
  id,
  name,
  createdAt: new Date(createdAt),
  ...(defaultCountry !== null && { defaultCountry }),
});

const apiKeyRow = (key: ApiKey): Omit<TenantTables["apiKeys"], "seal"> => ({
  tenantId: key.tenantId,
  id: key.id,
  hash: key.hash,
  name: key.name,
  environment: key.environment,
  scopes: JSON.stringify(key.scopes),
  createdAt: key.createdAt.getTime(),
  expiresAt: key.expiresAt?.getTime() ?? null,
  revokedAt: key.revokedAt?.getTime() ?? null,
  lastUsedAt: key.lastUsedAt?.getTime() ?? null,
  lineage: key.lineage ?? null,
});

/** A key that was changed past the service, for a list. Its scopes may be no list, and it has none. */
const forgedKeyOf = (row: TenantTables["apiKeys"]): ApiKey => ({
  ...apiKeyOf({ ...row, scopes: "[]" }),
  isForged: true,
});

const apiKeyOf = (row: TenantTables["apiKeys"]): ApiKey => ({
  id: row.id,
  tenantId: row.tenantId,
  hash: row.hash,
  name: row.name,
  environment: row.environment,
  scopes: JSON.parse(row.scopes),
  createdAt: new Date(row.createdAt),
  ...(row.expiresAt === null ? {} : { expiresAt: new Date(row.expiresAt) }),
  ...(row.revokedAt === null ? {} : { revokedAt: new Date(row.revokedAt) }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: new Date(row.lastUsedAt) }),
  ...(row.lineage === null ? {} : { lineage: row.lineage }),
});
