/**
 * Every table of the store, in the order in which an erasure removes rows. Migrations, erasure, tidying and
 * the checks of the store fold this list. The SQLite thread loads this file, so it imports no database
 * driver.
 */
import { captureTables } from "#features/capture/store/capture-tables";
import { clearingTables } from "#features/clearing/store/clearing-tables";
import { registryTables } from "#features/registry/store/registry-person-tables";
import { signingTables } from "#features/signing/store/signed-document-table";
import { userTables } from "#features/users/store/user-tables";
import { verificationTables } from "#features/verification/store/verification-table";
import { documentTables } from "#judging/document/store/document-tables";
import { joinMigrations } from "#machine/storage/create-table";
import { type Migration, writtenMigrations } from "#machine/storage/migrations";
import { scrubTables } from "#machine/storage/scrub-tables";
import { storageTables } from "#machine/storage/storage-tables";
import type { TablesOf } from "#machine/storage/table";
import { idempotencyTables } from "#record/idempotency/store/idempotency-tables";
import { operationTables } from "#record/operations/store/operation-tables";
import { transactionTables } from "#record/transactions/store/transaction-tables";
import { webhookTables } from "#record/webhooks/store/webhook-tables";
import { keyTables } from "#trust/key-ring/key-tables";
import { tenantTables } from "#trust/tenants/store/tenant-tables";

export const tables = [
  ...storageTables,
  ...scrubTables,
  ...keyTables,
  ...tenantTables,
  ...transactionTables,
  ...idempotencyTables,
  ...userTables,
  ...operationTables,
  ...webhookTables,
  ...signingTables,
  ...registryTables,
  ...documentTables,
  ...clearingTables,
  ...captureTables,
  ...verificationTables,
] as const;

/** Every table of the database, as its commands see it. */
export type Tables = TablesOf<typeof tables>;

/** What brings a store of any earlier release to this one, in its order. */
export const migrations: readonly Migration[] = joinMigrations(writtenMigrations, tables);
