import type { Session } from "#machine/storage/database";
import type { DeliveryTables } from "./webhook-tables.ts";

const functions = { share: "pg_advisory_xact_lock_shared", change: "pg_advisory_xact_lock" } as const;

/**
 * Until commit, the states of a tenant's destinations do not change beside new deliveries: an event that is
 * held would stay held after its destination became active. Not a lock of the rows: a lease skips locked
 * rows, and under steady load a change would never get its lock. Its place is after the operation and before
 * the chain.
 */
export const lockStates = async (
  { db, locksRows }: Session<Pick<DeliveryTables, "destinations">>,
  tenantId: string,
  kind: keyof typeof functions,
): Promise<void> => {
  if (!locksRows) return;
  await db
    .selectNoFrom((of) =>
      of
        .fn(functions[kind], [of.fn("hashtextextended", [of.val(`destinations ${tenantId}`), of.val(0)])])
        .as("lock"),
    )
    .execute();
};
