import type { Session } from "#machine/storage/database";
import type { TimeRange, TransactionRecord } from "../record.ts";
import type { Placed, TransactionTables } from "./transaction-store.ts";

/**
 * The part of an answered call that is stored unsealed: random ids and result numbers, without measurements.
 */
export type AnsweredCall = Pick<
  TransactionRecord,
  "id" | "environment" | "endpoint" | "at" | "result" | "policyVersion"
>;

/** Reads of results alone; implemented by {@link makeResultCommands}. */
export type ResultCommands = {
  /** Up to 500 answered calls of a time, the oldest first, after the last call of the previous page. */
  readonly listResults: (
    tenantId: string,
    range: TimeRange,
    after?: Placed,
  ) => Promise<readonly AnsweredCall[]>;
  readonly countResults: (tenantId: string, range: TimeRange) => Promise<number>;
};

/** Longest page: a row has some hundred bytes, and other commands wait for the page. */
const pageRowsMax = 500;

/** Results of answered calls, without what is sealed. */
export const makeResultCommands = ({ db }: Session<TransactionTables>): ResultCommands => ({
  listResults: async (tenantId, { since, until }, after) => {
    const from = after?.at.getTime() ?? since.getTime();
    // Index transactions_age, a range of it, from the end of the previous page.
    const rows = await db
      .selectFrom("transactions")
      .select(["id", "environment", "endpoint", "at", "result", "policyVersion"])
      .where("tenantId", "=", tenantId)
      .where("at", ">=", from)
      .where("at", "<", until.getTime())
      .where((row) => row.or([row("at", ">", from), row("id", ">", after?.id ?? "")]))
      .orderBy("at")
      .orderBy("id")
      .limit(pageRowsMax)
      .execute();
    return rows.map(({ at, result, ...row }) => ({ ...row, at: new Date(at), result: JSON.parse(result) }));
  },

  countResults: async (tenantId, { since, until }) => {
    // Index transactions_age alone, a range of it.
    const row = await db
      .selectFrom("transactions")
      .select(({ fn }) => fn.countAll().as("count"))
      .where("tenantId", "=", tenantId)
      .where("at", ">=", since.getTime())
      .where("at", "<", until.getTime())
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  },
});
