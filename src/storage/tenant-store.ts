import type { Session, Tables } from "./database.ts";
import type { ApiKey, Store, Tenant } from "./store.ts";

type TenantCommands = Pick<
  Store,
  | "createTenant"
  | "listTenants"
  | "createApiKey"
  | "findApiKey"
  | "listApiKeys"
  | "revokeApiKey"
  | "touchApiKeys"
>;

/** Tenants and the keys that they call with. */
export const makeTenantCommands = ({ db }: Session): TenantCommands => ({
  createTenant: (tenant) => insertTenant(db, tenant),

  listTenants: async () => {
    // Whole table, which has one row a customer of the deployment.
    const rows = await db.selectFrom("tenants").selectAll().orderBy("createdAt").orderBy("id").execute();
    return rows.map(tenantOf);
  },

  createApiKey: async (key) => {
    // Unique index on hash: two keys can never share one.
    await db.insertInto("apiKeys").values(apiKeyRow(key)).execute();
  },

  findApiKey: async (hash) => {
    // Unique index api_keys_hash; the tenant is what this look-up finds out.
    const row = await db.selectFrom("apiKeys").selectAll().where("hash", "=", hash).executeTakeFirst();
    return row && apiKeyOf(row);
  },

  listApiKeys: async (tenantId) => {
    // Primary key (tenant_id, id), one tenant's range.
    const rows = await db
      .selectFrom("apiKeys")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
    return rows.map(apiKeyOf);
  },

  revokeApiKey: async (tenantId, keyId, at) => {
    // Primary key, one row; the condition makes the first revocation the one that counts.
    const { numUpdatedRows } = await db
      .updateTable("apiKeys")
      .set({ revokedAt: at.getTime() })
      .where("tenantId", "=", tenantId)
      .where("id", "=", keyId)
      .where("revokedAt", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  touchApiKeys: async (uses) => {
    // In the order of ids, so that two processes that report the same keys cannot wait for each other.
    for (const { keyId, at } of [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1))) {
      const time = at.getTime();
      // Unique index api_keys_id; never moves backwards when reports arrive out of order.
      await db
        .updateTable("apiKeys")
        .set({ lastUsedAt: time })
        .where("id", "=", keyId)
        .where((row) => row.or([row("lastUsedAt", "is", null), row("lastUsedAt", "<", time)]))
        .execute();
    }
  },
});

const insertTenant = async (db: Session["db"], { id, name, createdAt }: Tenant): Promise<Tenant> => {
  // Unique index tenants_name: of two processes at once one inserts and both answer its tenant. Another's id fails.
  await db
    .insertInto("tenants")
    .values({ id, name, createdAt: createdAt.getTime() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await db.selectFrom("tenants").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
  return tenantOf(row);
};

const tenantOf = ({ id, name, createdAt }: Tables["tenants"]): Tenant => ({
  id,
  name,
  createdAt: new Date(createdAt),
});

const apiKeyRow = (key: ApiKey): Tables["apiKeys"] => ({
  tenantId: key.tenantId,
  id: key.id,
  hash: key.hash,
  name: key.name,
  world: key.world,
  scopes: JSON.stringify(key.scopes),
  createdAt: key.createdAt.getTime(),
  expiresAt: key.expiresAt?.getTime() ?? null,
  revokedAt: key.revokedAt?.getTime() ?? null,
  lastUsedAt: key.lastUsedAt?.getTime() ?? null,
});

const apiKeyOf = (row: Tables["apiKeys"]): ApiKey => ({
  id: row.id,
  tenantId: row.tenantId,
  hash: row.hash,
  name: row.name,
  world: row.world,
  scopes: JSON.parse(row.scopes),
  createdAt: new Date(row.createdAt),
  ...(row.expiresAt === null ? {} : { expiresAt: new Date(row.expiresAt) }),
  ...(row.revokedAt === null ? {} : { revokedAt: new Date(row.revokedAt) }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: new Date(row.lastUsedAt) }),
});
