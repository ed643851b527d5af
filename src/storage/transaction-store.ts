import { Failure } from "#contract/failure";
import type { Session, Tables } from "./database.ts";
import { writeStep } from "./step-store.ts";
import type { Store, TokenUse, TransactionRecord } from "./store.ts";

type TransactionCommands = Pick<
  Store,
  "recordTransaction" | "purgeTokenUses" | "findTransaction" | "listTransactions"
>;

/** Longest list that one purge deletes, so that other commands wait milliseconds for it. */
const purgeRowsMax = 1000;

/** Longest page of calls: a record has a few kilobytes, and other commands wait for the page. */
const pageRowsMax = 500;

/** Answered calls and the tokens that they used up. */
export const makeTransactionCommands = (session: Session): TransactionCommands => ({
  recordTransaction: async (record, uses, step) => {
    await useTokens(session, record.tenantId, uses);
    await insertTransaction(session, record);
    await writeStep(session, record.tenantId, step);
  },

  purgeTokenUses: async (before) => {
    // Index token_uses_expiry finds the oldest, the primary key deletes them.
    const { numDeletedRows } = await session.db
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
  },

  findTransaction: async (tenantId, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("transactions")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && transactionOf(row);
  },

  listTransactions: async (tenantId, since, after = "") => {
    // Primary key in its order, so that no index of times is kept for a report that is read now and then.
    const rows = await session.db
      .selectFrom("transactions")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", ">", after)
      .where("at", ">=", since.getTime())
      .orderBy("id")
      .limit(pageRowsMax)
      .execute();
    return rows.map(transactionOf);
  },
});

/** Marks tokens as used, as part of a command; fails with token_replayed. In the order of hashes, so that two calls with the same tokens cannot wait for each other. */
export const useTokens = async (
  { db }: Session,
  tenantId: string,
  uses: readonly TokenUse[],
): Promise<void> => {
  for (const { hash, expiresAt } of [...uses].sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    // Primary key (tenant_id, hash): of two calls at the same moment the second waits here, then inserts nothing.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("tokenUses")
      .values({ tenantId, hash, expiresAt: expiresAt.getTime() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) {
      throw new Failure("token_replayed");
    }
  }
};

/** The row alone; also part of the validation and people commands. */
export const insertTransaction = async ({ db }: Session, record: TransactionRecord): Promise<void> => {
  // Primary key: a call is recorded once.
  await db.insertInto("transactions").values(transactionRow(record)).execute();
};

const transactionRow = (record: TransactionRecord): Tables["transactions"] => ({
  tenantId: record.tenantId,
  id: record.id,
  keyId: record.keyId,
  world: record.world,
  endpoint: record.endpoint,
  at: record.at.getTime(),
  result: JSON.stringify(record.result),
  measurements: JSON.stringify(record.measurements),
  policyVersion: record.policyVersion,
  models: JSON.stringify(record.models),
  tokenHashes: JSON.stringify(record.tokenHashes),
});

const transactionOf = (row: Tables["transactions"]): TransactionRecord => ({
  id: row.id,
  tenantId: row.tenantId,
  keyId: row.keyId,
  world: row.world,
  endpoint: row.endpoint,
  at: new Date(row.at),
  result: JSON.parse(row.result),
  measurements: JSON.parse(row.measurements),
  policyVersion: row.policyVersion,
  models: JSON.parse(row.models),
  tokenHashes: JSON.parse(row.tokenHashes),
});
