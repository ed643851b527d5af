// Calls of the commands of pension clearing.
import type { ClearingCommands } from "#features/clearing/store/clearing-store";
import type { TransferCommands } from "#features/clearing/store/transfer-store";
import type { SealedTransaction } from "#record/transactions/record";
import type { Calls } from "./record.ts";
import { at, jobLease, noStep, someBytes, transaction, until } from "./sample.ts";

const owner = { tenantId: "tenant", environment: "test" } as const;
const token = {
  ...owner,
  hash: "hash",
  transactionId: "id",
  validationId: "id",
  issuedBy: "id",
  samePersonBy: "image",
  createdAt: at,
  expiresAt: until,
  uses: 0,
  usesMax: 10,
} as const;
const newCallback = { ...owner, id: "id", createdAt: at, sealed: someBytes, dataKeyId: "data key" };
const credentials = { ...owner, user: "user", passwordHash: "hash", changedAt: at };

export const clearingCalls: Calls<ClearingCommands<SealedTransaction>> = {
  recordClearingToken: [
    { args: [token, transaction, noStep, undefined], when: "without a callback" },
    { args: [token, transaction, noStep, newCallback], when: "with a callback" },
  ],
  findClearingToken: [{ args: [owner, "hash", at] }],
  useClearingToken: [{ args: [owner, "hash", at, noStep] }],
  purgeClearingTokens: [{ args: [at] }],
  eraseClearingTokens: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  findOperationOf: [{ args: [owner, "id"] }],
  findClearingCredentials: [{ args: [owner] }],
  setClearingCredentials: [{ args: [credentials, noStep] }],
  removeClearingCredentials: [{ args: [owner, noStep] }],
  eraseClearingCredentials: [{ args: ["tenant", at] }],
};

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

export const transferCalls: Calls<TransferCommands> = {
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
};
