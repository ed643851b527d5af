import type { TransferCommands } from "#features/clearing/store/transfer-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, jobLease, noStep, someBytes, until } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const transfer = {
  ...owner,
  id: "id",
  transactionId: "transaction",
  createdAt: at,
  sealed: someBytes,
  dataKeyId: "data key",
} as const;

const change = { ...transfer, revision: 1, state: "ticket-requested", at } as const;

const heldTransfer = { tenantId: "tenant", id: "id", worker: "worker" };

export const page = sqlPage<TransferCommands>("features/clearing/store/transfer-store", {
  createTransfer: [{ args: [transfer, noStep] }],
  findTransfer: [{ args: [owner, "id"] }],
  findTransferOf: [{ args: [owner, "transaction"] }],
  listTransfers: [
    { args: [owner, 51], when: "of a first page" },
    { args: [owner, 51, transfer], when: "of a later page" },
  ],
  moveTransfer: [{ args: [heldTransfer, change, noStep] }],
  decideTransfer: [{ args: [change, noStep] }],
  leaseTransfers: [
    { args: [{ ...jobLease, isAlone: true }], when: "alone" },
    { args: [jobLease], when: "beside others" },
  ],
  renewTransfer: [{ args: [heldTransfer, until] }],
  retryTransfer: [{ args: [heldTransfer, until, true] }],
  eraseTransfers: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
  purgeTransfers: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
});
