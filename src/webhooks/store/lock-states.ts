import type { Session } from "#storage/database";

/**
 * Until commit, the states of a tenant's destinations do not change beside new deliveries: an event that is held would
 * stay held after its destination became active. Not a lock of the rows: a lease skips locked rows, and under steady
 * load a change would never get its lock. Its place is after the operation and before the chain.
 */
export const lockStates = async <Tables>(
  { db, locksRows }: Session<Tables>,
  tenantId: string,
  kind: "share" | "change",
): Promise<void> => {
  if (!locksRows) return;
  const lock = kind === "share" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  await db
    .selectNoFrom((row) =>
      row
        .fn(lock, [row.fn("hashtextextended", [row.val(`destinations ${tenantId}`), row.val(0)])])
        .as("locked"),
    )
    .execute();
};
