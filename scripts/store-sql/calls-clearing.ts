// Calls of the commands of pension clearing.
import type { ClearingCommands } from "#clearing/store/clearing-store";
import type { SealedTransaction } from "#transactions/record";
import type { Calls } from "./record.ts";
import { at, noStep, transaction, until } from "./sample.ts";

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
const credentials = { ...owner, user: "user", passwordHash: "hash", changedAt: at };

export const clearingCalls: Calls<ClearingCommands<SealedTransaction>> = {
  recordClearingToken: [{ args: [token, transaction, noStep] }],
  findClearingToken: [{ args: [owner, "hash", at] }],
  useClearingToken: [{ args: [owner, "hash", at, noStep] }],
  purgeClearingTokens: [{ args: [at] }],
  eraseClearingTokens: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  findOperationOf: [{ args: [owner, "id"] }],
  findClearingCredentials: [{ args: [owner] }],
  setClearingCredentials: [{ args: [credentials, noStep] }],
  removeClearingCredentials: [{ args: [owner, noStep] }],
};
