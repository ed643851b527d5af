import type { Caller } from "#contract/endpoint";
import type { Session } from "#machine/storage/database";
import type { TimeRange } from "#record/transactions/record";
import type { Placed } from "#record/transactions/store/transaction-store";
import type { OperationTables } from "./write-operation.ts";

/** The expiry of an operation. No call made it, so no transaction records it. */
export type Expiry = {
  /** The random id of the step that ended the operation. */
  readonly id: string;
  readonly environment: Caller["environment"];
  readonly at: Date;
  readonly reason: string;
};

/** Reads of expiries; implemented by {@link makeExpiryCommands}. */
export type ExpiryCommands = {
  /** Up to 500 expiries of a time, the oldest first, after the last one of the previous page. */
  readonly listExpiries: (tenantId: string, range: TimeRange, after?: Placed) => Promise<readonly Expiry[]>;
};

/** Longest page: a row has some hundred bytes, and other commands wait for the page. */
const pageRowsMax = 500;

/** Expiries of operations by their time. */
export const makeExpiryCommands = ({ db }: Session<OperationTables>): ExpiryCommands => ({
  listExpiries: async (tenantId, { since, until }, after) => {
    const from = after?.at.getTime() ?? since.getTime();
    // Index operations_age, a range of it, from the end of the previous page.
    const rows = await db
      .selectFrom("operations")
      .select(["environment", "endedAt", "endedBy", "reason"])
      .where("tenantId", "=", tenantId)
      .where("state", "=", "EXPIRED")
      .where("endedAt", ">=", from)
      .where("endedAt", "<", until.getTime())
      .where((row) => row.or([row("endedAt", ">", from), row("endedBy", ">", after?.id ?? "")]))
      .orderBy("endedAt")
      .orderBy("endedBy")
      .limit(pageRowsMax)
      .execute();
    return rows.map(({ environment, endedAt, endedBy, reason }) => ({
      id: endedBy ?? "",
      environment,
      at: new Date(endedAt ?? 0),
      reason: reason ?? "",
    }));
  },
});
