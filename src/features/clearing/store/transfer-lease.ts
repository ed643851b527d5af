import type { Session } from "#machine/storage/database";
import type { LeaseAnswer } from "#record/jobs/job";
import { isOneOfJobs, type JobTables, leaseJobs, renewLease, retryJob } from "#record/jobs/store/job-lease";
import type { HeldTransfer, Transfer, TransferLease } from "./transfer.ts";
import { type TransferTables, transferOf } from "./transfer-row.ts";

/** Commands for transfers as workers see them; implemented by {@link makeTransferLeaseCommands}. */
export type TransferLeaseCommands = {
  /**
   * Ends the leases whose time is over, and leases due transfers, the oldest first: `JobSource.lease` in
   * src/record/jobs/job.ts.
   */
  readonly leaseTransfers: (lease: TransferLease) => Promise<LeaseAnswer<Transfer>>;
  readonly renewTransfer: (held: HeldTransfer, until: Date) => Promise<boolean>;
  /**
   * Ends a lease: the transfer is due again at `until`. `isCounted`: the attempt counts. False when the lease
   * was lost.
   */
  readonly retryTransfer: (held: HeldTransfer, until: Date, isCounted: boolean) => Promise<boolean>;
};

type LeaseSession = Session<TransferTables & JobTables>;

const kind = { table: "clearingTransfers", open: { column: "settledAt", value: null } } as const;

/** Transfers as workers see them: the row is the job, and its lease is in the row. */
export const makeTransferLeaseCommands = (session: LeaseSession): TransferLeaseCommands => ({
  leaseTransfers: (lease) =>
    leaseJobs(session, kind, lease, async (keys) => {
      const rows = await session.db
        .selectFrom("clearingTransfers as job")
        .selectAll()
        .where(isOneOfJobs(keys))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(transferOf);
    }),

  renewTransfer: (held, until) => renewLease(session, kind, held, until),

  retryTransfer: (held, until, isCounted) => retryJob(session, kind, held, until, isCounted),
});
