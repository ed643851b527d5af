/** Tables of pension clearing. Times are milliseconds since 1970. */
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  sealed,
  text,
  underTenant,
} from "#machine/storage/table";
import type { TransferState } from "../transfers/transfer-state.ts";
import type { SamePersonBy } from "./clearing-token.ts";
import type { TransferReason } from "./transfer.ts";

/** Verification tokens: `hash` is keyed, and the token itself is not stored. */
export const clearingTokenTable = defineTable(
  "clearingTokens",
  {
    tenantId: text(),
    hash: text(),
    environment: environment(),
    transactionId: text(),
    validationId: text(),
    issuedBy: text(),
    samePersonBy: text<SamePersonBy>(),
    createdAt: int(),
    expiresAt: int(),
    uses: int(),
    usesMax: int(),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "hash"],
    erase: { by: "eraseClearingTokens" },
    keep: { for: "now", ofAllBy: "purgeClearingTokens" },
    rights: "seal",
  },
);

/** `passwordHash` is salted (scrypt). */
export const clearingCredentialTable = defineTable(
  "clearingCredentials",
  {
    tenantId: text(),
    environment: environment(),
    userName: text(),
    passwordHash: text(),
    changedAt: int(),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "environment"],
    erase: { by: "eraseClearingCredentials" },
    keep: { until: "the operator removes them" },
    rights: "seal",
  },
);

/**
 * Transfers through the clearing entity. `settledAt` is null while the job of a transfer has work. `sealed`
 * holds the affiliate, the request and the answers. `currentOf` is the transaction until the transfer is
 * abandoned, so that a transaction has one transfer.
 */
export const transferTable = defineTable(
  "clearingTransfers",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    transactionId: text(),
    currentOf: orNull(text()),
    state: text<TransferState>(),
    reason: orNull(text<TransferReason>()),
    revision: int(),
    createdAt: int(),
    changedAt: int(),
    settledAt: orNull(int()),
    waitsSince: int(),
    sealed: sealed("transfers", "transfer {id}"),
    dataKeyId: text(),
    attempts: int(),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    loneDeaths: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseTransfers" },
    keep: { for: "transfersMs", by: "purgeTransfers" },
    rights: { sealed: underTenant },
  },
);

/** The tables of the module. */
export const clearingTables = [clearingTokenTable, clearingCredentialTable, transferTable] as const;
