import { countsOf } from "#record/jobs/store/job-lease";
import type { TransferState } from "../transfers/transfer-state.ts";
import type { ClearingOwner } from "./clearing-token.ts";
import type { Transfer, TransferReason } from "./transfer.ts";

export type TransferColumns = {
  tenantId: string;
  id: string;
  environment: ClearingOwner["environment"];
  transactionId: string;
  /** The transaction until the transfer is abandoned: null afterwards. */
  currentOf: string | null;
  state: TransferState;
  reason: TransferReason | null;
  revision: number;
  createdAt: number;
  changedAt: number;
  settledAt: number | null;
  waitsSince: number;
  sealed: Uint8Array;
  dataKeyId: string;
  attempts: number;
  leasedBy: string | null;
  leasedUntil: number | null;
  loneDeaths: number | null;
};

export type TransferTables = { clearingTransfers: TransferColumns };

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
