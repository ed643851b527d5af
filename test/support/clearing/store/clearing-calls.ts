import type { ClearingCommands } from "#features/clearing/store/clearing-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes, transaction, until } from "#support/storage/sql-sample";

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

const newCallback = { ...owner, id: "id", createdAt: at, sealed: someBytes };

const credentials = { ...owner, user: "user", passwordHash: "hash", changedAt: at };

export const page = sqlPage<ClearingCommands<SealedTransaction>>("features/clearing/store/clearing-store", {
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
});
