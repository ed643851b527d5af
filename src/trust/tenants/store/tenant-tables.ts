import { bytes, defineTable, environment, int, orNull, type TablesOf, text } from "#machine/storage/table";
import type { StepTables } from "#record/transactions/store/step-store";

export const apiKeyTable = defineTable(
  "apiKeys",
  {
    tenantId: text(),
    id: text(),
    hash: text(),
    name: text(),
    environment: environment(),
    scopes: text(),
    createdAt: int(),
    expiresAt: orNull(int()),
    revokedAt: orNull(int()),
    lastUsedAt: orNull(int()),
    lineage: orNull(text()),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "id"],
    erase: { kept: "keys of the tenant's programs: they stay valid" },
    keep: { until: "for ever: a revoked key keeps its row" },
    rights: "seal",
  },
);

/**
 * `fullAt`: when the bucket of the key is full again, in microseconds since 1970 by the clock of the store.
 * After a crash of the database server every bucket is full again.
 */
export const rateTable = defineTable(
  "rateBuckets",
  { tenantId: text(), keyId: text(), fullAt: int() },
  {
    key: ["tenantId", "keyId"],
    erase: { kept: "ids of API keys with a time" },
    keep: { until: "for ever: one row for each key" },
    rights: { record: "a limit of load, which every restart of the database empties" },
  },
);

export type TenantTables = Pick<StepTables, "tenants"> & TablesOf<readonly [typeof apiKeyTable]>;

/** The tables of the module. */
export const tenantTables = [apiKeyTable, rateTable] as const;
