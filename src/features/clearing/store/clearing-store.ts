import { changeRow, requireRow, sealRow } from "#machine/storage/rights/door";
import type { TablesOf } from "#machine/storage/table";
import type { OperationTables } from "#record/operations/store/write-operation";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type { NewOneShot } from "#record/webhooks/one-shot/one-shot";
import { insertOneShot, type OneShotTables } from "#record/webhooks/store/one-shot-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import type { clearingCredentialTable, clearingTokenTable } from "./clearing-tables.ts";
import type { ClearingCredentials, ClearingOwner, ClearingToken } from "./clearing-token.ts";

export type ClearingTables = TablesOf<readonly [typeof clearingTokenTable, typeof clearingCredentialTable]>;

/** Commands for verification tokens and credentials; implemented by {@link makeClearingCommands}. */
export type ClearingCommands<Recorded = TransactionRecord> = {
  /**
   * Writes the token with the record of the call that issued it, its step and its callback, in one commit.
   * Fails with store_unavailable when the data key of the callback was destroyed meanwhile.
   */
  readonly recordClearingToken: (
    token: ClearingToken,
    record: Recorded,
    step: Step,
    callback: NewOneShot | undefined,
  ) => Promise<void>;
  /**
   * The token that this hash opens at `now`; undefined where it is unknown, expired, used up or of another
   * owner.
   */
  readonly findClearingToken: (
    of: ClearingOwner,
    hash: string,
    now: Date,
  ) => Promise<ClearingToken | undefined>;
  /**
   * Counts a use and writes its step in one commit. False, and nothing written, where the token opens nothing
   * at `now`: of two uses at once only as many pass as the token has left.
   */
  readonly useClearingToken: (of: ClearingOwner, hash: string, now: Date, step: Step) => Promise<boolean>;
  /** Deletes up to 1000 tokens that expired before `before`; returns how many. */
  readonly purgeClearingTokens: (before: Date) => Promise<number>;
  /** Deletes up to 1000 tokens of the tenant from before `before`; returns how many. */
  readonly eraseClearingTokens: (tenantId: string, before: Date) => Promise<number>;
  /** The operation of an answered call; undefined where the call is a step of none. */
  readonly findOperationOf: (of: ClearingOwner, transactionId: string) => Promise<string | undefined>;
  readonly findClearingCredentials: (of: ClearingOwner) => Promise<ClearingCredentials | undefined>;
  /** Sets or replaces the credentials, with the step, in one commit. */
  readonly setClearingCredentials: (credentials: ClearingCredentials, step: Step) => Promise<void>;
  /** False, and nothing written, where there are none. */
  readonly removeClearingCredentials: (of: ClearingOwner, step: Step) => Promise<boolean>;
  /**
   * Deletes the credentials of the tenant that were set before `before`, of each environment; returns how
   * many.
   */
  readonly eraseClearingCredentials: (tenantId: string, before: Date) => Promise<number>;
};

type ClearingSession = StepSession<
  ClearingTables & OneShotTables & KeyTables & TransactionTables & Pick<OperationTables, "operationSteps">
>;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const deletedMax = 1000;

/** Tokens by hash and by expiry, credentials by owner. */
export const makeClearingCommands = (session: ClearingSession): ClearingCommands<SealedTransaction> => ({
  recordClearingToken: async (token, record, step, callback) => {
    const row = { ...token, createdAt: token.createdAt.getTime(), expiresAt: token.expiresAt.getTime() };
    // Primary key: a token is issued once.
    await session.db.insertInto("clearingTokens").values(row).execute();
    await sealRow(session, "clearing_tokens", [row.tenantId, row.hash], row);
    if (callback !== undefined) await insertOneShot(session, callback);
    await insertTransaction(session, record);
    await writeStep(session, record.tenantId, step);
  },

  findClearingToken: (of, hash, now) => find(session, of, hash, now),

  useClearingToken: (of, hash, now, step) => use(session, of, hash, now, step),

  purgeClearingTokens: (before) => purge(session, before),

  eraseClearingTokens: (tenantId, before) => erase(session, tenantId, before),

  findOperationOf: async ({ tenantId, environment }, transactionId) => {
    // Index operation_steps_transaction, one row: a call is a step of one operation.
    const row = await session.db
      .selectFrom("operationSteps")
      .select("operationId")
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .where("transactionId", "=", transactionId)
      .executeTakeFirst();
    return row?.operationId;
  },

  ...makeCredentialCommands(session),
});

type CredentialCommands = Pick<
  ClearingCommands,
  | "findClearingCredentials"
  | "setClearingCredentials"
  | "removeClearingCredentials"
  | "eraseClearingCredentials"
>;

const makeCredentialCommands = (session: ClearingSession): CredentialCommands => ({
  findClearingCredentials: async ({ tenantId, environment }) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("clearingCredentials")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    requireRow(session, "clearing_credentials", row);
    const { userName: user, passwordHash, changedAt } = row;
    return { tenantId, environment, user, passwordHash, changedAt: new Date(changedAt) };
  },

  setClearingCredentials: async ({ user: userName, changedAt, ...credentials }, step) => {
    const changed = { userName, passwordHash: credentials.passwordHash, changedAt: changedAt.getTime() };
    // Primary key.
    await session.db
      .insertInto("clearingCredentials")
      .values({ ...credentials, ...changed })
      .onConflict((conflict) => conflict.columns(["tenantId", "environment"]).doUpdateSet(changed))
      .execute();
    // All that the seal covers was written anew.
    await sealRow(session, "clearing_credentials", [credentials.tenantId, credentials.environment], {
      ...credentials,
      ...changed,
    });
    await writeStep(session, credentials.tenantId, step);
  },

  removeClearingCredentials: async ({ tenantId, environment }, step) => {
    // Primary key, one row.
    const { numDeletedRows } = await session.db
      .deleteFrom("clearingCredentials")
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return false;
    await writeStep(session, tenantId, step);
    return true;
  },

  eraseClearingCredentials: async (tenantId, before) => {
    // Primary key, the rows of one tenant: two at most.
    const { numDeletedRows } = await session.db
      .deleteFrom("clearingCredentials")
      .where("tenantId", "=", tenantId)
      .where("changedAt", "<", before.getTime())
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});

const find = async (
  session: ClearingSession,
  { tenantId, environment }: ClearingOwner,
  hash: string,
  now: Date,
): Promise<ClearingToken | undefined> => {
  // Primary key, one row.
  const row = await session.db
    .selectFrom("clearingTokens")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("hash", "=", hash)
    .where("environment", "=", environment)
    .where("expiresAt", ">", now.getTime())
    .whereRef("uses", "<", "usesMax")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  requireRow(session, "clearing_tokens", row);
  return tokenOf(row);
};

const tokenOf = (row: ClearingTables["clearingTokens"]): ClearingToken => ({
  tenantId: row.tenantId,
  environment: row.environment,
  hash: row.hash,
  transactionId: row.transactionId,
  validationId: row.validationId,
  issuedBy: row.issuedBy,
  samePersonBy: row.samePersonBy,
  createdAt: new Date(row.createdAt),
  expiresAt: new Date(row.expiresAt),
  uses: row.uses,
  usesMax: row.usesMax,
});

const use = async (
  session: ClearingSession,
  { tenantId, environment }: ClearingOwner,
  hash: string,
  now: Date,
  step: Step,
): Promise<boolean> => {
  const isUsed = await changeRow(session, "clearing_tokens", [tenantId, hash], async (row) => {
    const changed = { uses: Number(row["uses"]) + 1 };
    // Primary key, one row: a second use at the same time waits for the first, and then judges the new count.
    const { numUpdatedRows } = await session.db
      .updateTable("clearingTokens")
      .set(changed)
      .where("tenantId", "=", tenantId)
      .where("hash", "=", hash)
      .where("environment", "=", environment)
      .where("expiresAt", ">", now.getTime())
      .whereRef("uses", "<", "usesMax")
      .executeTakeFirst();
    return numUpdatedRows === 1n ? changed : undefined;
  });
  if (!isUsed) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const purge = async ({ db }: ClearingSession, before: Date): Promise<number> => {
  // Index clearing_tokens_expiry finds the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("clearingTokens")
    .where((row) =>
      row(
        row.refTuple("tenantId", "hash"),
        "in",
        row
          .selectFrom("clearingTokens")
          .select(["tenantId", "hash"])
          .where("expiresAt", "<", before.getTime())
          .orderBy("expiresAt")
          .limit(deletedMax)
          .$asTuple("tenantId", "hash"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const erase = async ({ db }: ClearingSession, tenantId: string, before: Date): Promise<number> => {
  // Primary key, the tokens of one tenant: those of some hours.
  const { numDeletedRows } = await db
    .deleteFrom("clearingTokens")
    .where("tenantId", "=", tenantId)
    .where("hash", "in", (row) =>
      row
        .selectFrom("clearingTokens")
        .select("hash")
        .where("tenantId", "=", tenantId)
        .where("createdAt", "<", before.getTime())
        .limit(deletedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
