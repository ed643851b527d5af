import type { Json } from "#contract/json";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { SealedTransaction, TransactionRecord } from "../record.ts";
import type { TransactionTables } from "./transaction-store.ts";

/** Measurements that an earlier release stored unsealed. */
export type PlainMeasurements = Pick<TransactionRecord, "tenantId" | "environment" | "id" | "measurements">;

/** The same, sealed. */
export type ResealedMeasurements = Pick<SealedTransaction, "tenantId" | "id" | "sealedMeasurements">;

/** Commands for the retention of answered calls; implemented by {@link makeRetentionCommands}. */
export type RetentionCommands = {
  /** Deletes up to 500 calls of the tenant from before `before`, the oldest first. Returns how many. */
  readonly purgeTransactions: (tenantId: string, before: Date) => Promise<number>;
  /** Up to 100 calls of the tenant whose measurements are not sealed yet. */
  readonly listPlainMeasurements: (tenantId: string) => Promise<readonly PlainMeasurements[]>;
  /**
   * Replaces unsealed measurements. Leaves a call alone whose measurements were sealed or removed meanwhile.
   */
  readonly sealMeasurements: (sealed: readonly ResealedMeasurements[]) => Promise<void>;
  /** Removes the unsealed measurements of up to 500 calls of the tenant. Returns how many. */
  readonly forgetPlainMeasurements: (tenantId: string) => Promise<number>;
};

/**
 * Commands after which the disk must no longer hold the removed values: an erasure calls them.
 */
export const erasingRetentionCommands = [
  "forgetPlainMeasurements",
] as const satisfies readonly (keyof RetentionCommands)[];

/** Rows of one command have some kilobytes each, so other commands wait only milliseconds for it. */
const purgedMax = 500;
const plainMax = 100;

/** Retention of answered calls, and the sealing of measurements of earlier releases. */
export const makeRetentionCommands = (session: Session<TransactionTables>): RetentionCommands => ({
  purgeTransactions: async (tenantId, before) => {
    // Index transactions_age finds the oldest; the primary key deletes them.
    const { numDeletedRows } = await session.db
      .deleteFrom("transactions")
      .where((row) =>
        row(
          row.refTuple("tenantId", "id"),
          "in",
          row
            .selectFrom("transactions as old")
            .select(["old.tenantId", "old.id"])
            .where("old.tenantId", "=", tenantId)
            .where("old.at", "<", before.getTime())
            .orderBy("old.at")
            .limit(purgedMax)
            .$asTuple("tenantId", "id"),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },

  listPlainMeasurements: async (tenantId) => {
    // Index transactions_plain, which holds only these rows: a range of it.
    const rows = await session.db
      .selectFrom("transactions")
      .select(["tenantId", "environment", "id", "measurements"])
      .where("tenantId", "=", tenantId)
      .where("sealedMeasurements", "is", null)
      .orderBy("id")
      .limit(plainMax)
      .execute();
    return rows.map(({ measurements, ...row }) => ({ ...row, measurements: jsonOf(measurements) }));
  },

  sealMeasurements: async (sealed) => {
    for (const [tenantId, calls] of Map.groupBy(sealed, (call) => call.tenantId)) {
      await requireLiveKeys(session, tenantId, ...calls.map((call) => call.sealedMeasurements));
    }
    for (const { tenantId, id, sealedMeasurements } of sealed) {
      // Primary key, one row.
      await session.db
        .updateTable("transactions")
        .set({ measurements: "null", sealedMeasurements })
        .where("tenantId", "=", tenantId)
        .where("id", "=", id)
        .where("sealedMeasurements", "is", null)
        .execute();
    }
  },

  forgetPlainMeasurements: (tenantId) => forgetPlain(session, tenantId),
});

const forgetPlain = async ({ db }: Session<TransactionTables>, tenantId: string): Promise<number> => {
  // Index transactions_plain, a range of it.
  const { numUpdatedRows } = await db
    .updateTable("transactions")
    .set({ measurements: "null", sealedMeasurements: new Uint8Array() })
    .where((row) =>
      row(
        row.refTuple("tenantId", "id"),
        "in",
        row
          .selectFrom("transactions as plain")
          .select(["plain.tenantId", "plain.id"])
          .where("plain.tenantId", "=", tenantId)
          .where("plain.sealedMeasurements", "is", null)
          .limit(purgedMax)
          .$asTuple("tenantId", "id"),
      ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

const jsonOf = (text: string): Json => JSON.parse(text);
