import type { RowOf, TablesOf } from "#machine/storage/table";
import { countsOf } from "#record/jobs/store/job-lease";
import type { transferTable } from "./clearing-tables.ts";
import type { Transfer } from "./transfer.ts";

export type TransferColumns = RowOf<typeof transferTable>;

export type TransferTables = TablesOf<readonly [typeof transferTable]>;

/** A row in the form that the module uses. */
export const transferOf = (row: TransferColumns): Transfer => ({
  tenantId: row.tenantId,
  id: row.id,
  environment: row.environment,
  transactionId: row.transactionId,
  state: row.state,
  ...(row.reason !== null && { reason: row.reason }),
  revision: row.revision,
  createdAt: new Date(row.createdAt),
  changedAt: new Date(row.changedAt),
  waitsSince: new Date(row.waitsSince),
  sealed: new Uint8Array(row.sealed),
  dataKeyId: row.dataKeyId,
  ...countsOf(row),
});
