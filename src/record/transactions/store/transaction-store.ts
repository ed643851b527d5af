import { Failure } from "#contract/failure";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import {
  firstUse,
  judgeTokenUse,
  refusalTexts,
  type TokenUseRefusal,
  type UsedToken,
} from "../judge-token-use.ts";
import type { SealedTransaction, Step, StoredTransaction, TokenUse, TransactionRecord } from "../record.ts";
import { type StepSession, writeStep } from "./step-store.ts";
import type { tokenUseTable, transactionTable } from "./transaction-tables.ts";

export type TransactionTables = TablesOf<readonly [typeof transactionTable, typeof tokenUseTable]>;

/**
 * Commands for answered calls and their used tokens; implemented by {@link makeTransactionCommands}, with
 * sealed records.
 */
export type TransactionCommands<Recorded = TransactionRecord, Found = TransactionRecord> = {
  /**
   * Fails with `token_replayed`, and writes nothing, when an earlier use in this tenant refuses one of
   * `uses`.
   */
  readonly recordTransaction: (record: Recorded, uses: readonly TokenUse[], step: Step) => Promise<void>;
  /** Deletes up to 1000 uses that expired before `before`; returns how many, so the caller can continue. */
  readonly purgeTokenUses: (before: Date) => Promise<number>;
  readonly findTransaction: (tenantId: string, id: string) => Promise<Found | undefined>;
  /** Up to 500 answered calls from `since` on, the oldest first, after the last call of the previous page. */
  readonly listTransactions: (tenantId: string, since: Date, after?: Placed) => Promise<readonly Found[]>;
};

/** The place of a call in the order of time. */
export type Placed = Pick<TransactionRecord, "at" | "id">;

/** Longest list that one purge deletes, so other commands wait only milliseconds for it. */
const purgeRowsMax = 1000;

/** Longest page of calls: a record has a few kilobytes, and other commands wait for the page. */
const pageRowsMax = 500;

/** Answered calls and their used tokens. */
export const makeTransactionCommands = (
  session: StepSession<TransactionTables>,
): TransactionCommands<SealedTransaction, StoredTransaction> => ({
  recordTransaction: async (record, uses, step) => {
    await useTokens(session, record.tenantId, uses);
    await insertTransaction(session, record);
    await writeStep(session, record.tenantId, step);
  },

  purgeTokenUses: (before) => purgeUses(session, before),

  findTransaction: async (tenantId, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("transactions")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && recordOfRow(row);
  },

  listTransactions: async (tenantId, since, after) => {
    const from = after?.at.getTime() ?? since.getTime();
    // Index transactions_age, a range of it, from the end of the previous page.
    const rows = await session.db
      .selectFrom("transactions")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("at", ">=", from)
      .where((row) => row.or([row("at", ">", from), row("id", ">", after?.id ?? "")]))
      .orderBy("at")
      .orderBy("id")
      .limit(pageRowsMax)
      .execute();
    return rows.map(recordOfRow);
  },
});

const purgeUses = async ({ db }: Session<TransactionTables>, before: Date): Promise<number> => {
  // Index token_uses_expiry finds the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("tokenUses")
    .where((row) =>
      row(
        row.refTuple("tenantId", "hash"),
        "in",
        row
          .selectFrom("tokenUses")
          .select(["tenantId", "hash"])
          .where("expiresAt", "<", before.getTime())
          .orderBy("expiresAt")
          .limit(purgeRowsMax)
          .$asTuple("tenantId", "hash"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** A row can vanish between two statements only by the purge of expired uses. */
const triesMax = 4;

/**
 * Marks tokens as used, in the commit of the call that uses them. Fails with token_replayed.
 *
 * Malware on a telephone copies the token of a genuine selfie on its way to the integrator's server. An hour
 * later the attacker sends the copy with a new call. The image is real and alive, so every judge would
 * approve it. The row that the first call left refuses the second one. Were the use written before or after
 * the call's commit, a crash in between would burn the token of an honest caller, or leave an approved call
 * whose token still opens the next one. Tokens are marked in order of hash, so that two calls with the same
 * tokens cannot deadlock.
 */
export const useTokens = async (
  session: Session<TransactionTables>,
  tenantId: string,
  uses: readonly TokenUse[],
): Promise<void> => {
  for (const use of [...uses].sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    const refused = await useToken(session, tenantId, use);
    if (refused !== undefined) throw new Failure("token_replayed", { reason: refusalTexts[refused] });
  }
};

/** Why earlier uses of the token refuse this one; undefined where they do not. */
const useToken = async (
  session: Session<TransactionTables>,
  tenantId: string,
  use: TokenUse,
): Promise<TokenUseRefusal | undefined> => {
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await insertUse(session, tenantId, use)) return undefined;
    const used = await lockUse(session, tenantId, use);
    if (used === undefined) continue;
    const judged = judgeTokenUse(used, use);
    if ("refused" in judged) return judged.refused;
    await addUse(session, tenantId, use, judged.used);
    return undefined;
  }
  return "too-late";
};

const insertUse = async (
  { db }: Session<TransactionTables>,
  tenantId: string,
  use: TokenUse,
): Promise<boolean> => {
  const { hash, expiresAt } = use;
  // Primary key (tenant_id, hash): of two simultaneous calls the second waits here, then inserts nothing.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("tokenUses")
    .values({ tenantId, hash, expiresAt: expiresAt.getTime(), ...columnsOf(firstUse(use)) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/**
 * Primary key, one row, locked until commit: of two simultaneous calls the second sees the first one's use.
 */
const lockUse = async (
  { db, locksRows }: Session<TransactionTables>,
  tenantId: string,
  { hash }: TokenUse,
): Promise<UsedToken | undefined> => {
  const row = await db
    .selectFrom("tokenUses")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("hash", "=", hash)
    .$if(locksRows, (query) => query.forUpdate())
    .executeTakeFirst();
  return (
    row && {
      calls: row.calls === "" ? [] : row.calls.split(","),
      openUntil: new Date(row.openUntil ?? 0),
      ...(row.environment !== null && { environment: row.environment }),
      ...(row.operation !== null && { operation: row.operation }),
    }
  );
};

const addUse = async (
  { db }: Session<TransactionTables>,
  tenantId: string,
  { hash }: TokenUse,
  used: UsedToken,
): Promise<void> => {
  // Primary key, one row, locked by `lockUse`.
  await db
    .updateTable("tokenUses")
    .set(columnsOf(used))
    .where("tenantId", "=", tenantId)
    .where("hash", "=", hash)
    .execute();
};

const columnsOf = ({ calls, environment, operation, openUntil }: UsedToken) => ({
  calls: calls.join(","),
  environment: environment ?? null,
  operation: operation ?? null,
  openUntil: openUntil.getTime(),
});

/** Inserts the row alone; also part of the validation and user commands. */
export const insertTransaction = async (
  session: Session<TransactionTables>,
  record: SealedTransaction,
): Promise<void> => {
  await requireLiveKeys(session, record.tenantId, record.sealedMeasurements);
  // Primary key: a call is recorded once.
  await session.db.insertInto("transactions").values(transactionRow(record)).execute();
};

/**
 * Inserts the row unless the id is taken, as part of a command; false if it is. Waits for a transaction that
 * is writing the same id: afterwards exactly one of the two has it.
 */
export const takeTransactionId = async (
  { db }: Session<TransactionTables>,
  record: SealedTransaction,
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("transactions")
    .values(transactionRow(record))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

const transactionRow = (record: SealedTransaction): TransactionTables["transactions"] => ({
  tenantId: record.tenantId,
  id: record.id,
  keyId: record.keyId,
  environment: record.environment,
  endpoint: record.endpoint,
  at: record.at.getTime(),
  result: JSON.stringify(record.result),
  measurements: "null",
  sealedMeasurements: record.sealedMeasurements,
  policyVersion: record.policyVersion,
  models: JSON.stringify(record.models),
  tokenHashes: JSON.stringify(record.tokenHashes),
});

const recordOfRow = (row: TransactionTables["transactions"]): StoredTransaction => ({
  id: row.id,
  tenantId: row.tenantId,
  keyId: row.keyId,
  environment: row.environment,
  endpoint: row.endpoint,
  at: new Date(row.at),
  result: JSON.parse(row.result),
  sealedMeasurements: new Uint8Array(row.sealedMeasurements ?? []),
  ...(row.sealedMeasurements === null && { plainMeasurements: JSON.parse(row.measurements) }),
  policyVersion: row.policyVersion,
  models: JSON.parse(row.models),
  tokenHashes: JSON.parse(row.tokenHashes),
});
