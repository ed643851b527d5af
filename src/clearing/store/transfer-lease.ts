import type { QueryCreator } from "kysely";
import type { LeaseAnswer } from "#jobs/job";
import type { Session } from "#storage/database";
import type { HeldTransfer, Transfer, TransferLease } from "./transfer.ts";
import { type TransferTables, transferOf } from "./transfer-row.ts";

/** Commands for transfers as workers see them; implemented by {@link makeTransferLeaseCommands}. */
export type TransferLeaseCommands = {
  /** Ends the leases whose time is over, and leases due transfers, the oldest first: `JobSource.lease` in src/jobs/job.ts. */
  readonly leaseTransfers: (lease: TransferLease) => Promise<LeaseAnswer<Transfer>>;
  readonly renewTransfer: (held: HeldTransfer, until: Date) => Promise<boolean>;
  /** Returns a leased transfer, due from `until` on. `isCounted`: the attempt counts. False when the lease was lost. */
  readonly returnTransfer: (held: HeldTransfer, until: Date, isCounted: boolean) => Promise<boolean>;
};

type LeaseSession = Session<TransferTables>;

/** Transfers as workers see them: the row is the job, and its lease is in the row. */
export const makeTransferLeaseCommands = (session: LeaseSession): TransferLeaseCommands => ({
  leaseTransfers: (lease) => leaseDue(session, lease),

  renewTransfer: async (held, until) => {
    const { numUpdatedRows } = await heldBy(session, held)
      .set({ leasedUntil: until.getTime() })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  returnTransfer: async (held, until, isCounted) => {
    const { numUpdatedRows } = await heldBy(session, held)
      .set((row) => ({
        attempts: row("attempts", "-", isCounted ? 0 : 1),
        leasedBy: null,
        leasedUntil: until.getTime(),
      }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

/** The open transfer while this worker has its lease. Primary key, one row. */
const heldBy = (session: LeaseSession, { tenantId, id, worker }: HeldTransfer) =>
  session.db
    .updateTable("clearingTransfers")
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("settledAt", "is", null);

const leaseDue = async (session: LeaseSession, lease: TransferLease): Promise<LeaseAnswer<Transfer>> => {
  if (lease.endsLeases) await endLeases(session, lease);
  if (lease.isAlone) return { jobs: await take(session, lease, dueSuspects), isSuspectDue: false };
  if ((await dueSuspects(session.db, lease).execute()).length > 0) return { jobs: [], isSuspectDue: true };
  return { jobs: await take(session, lease, dueOthers), isSuspectDue: false };
};

/** The rule is `judgeEndedLease` in src/jobs/judge-job.ts. A lease that ended is no attempt. */
const endLeases = async (
  { db, locksRows }: LeaseSession,
  { worker, now, running }: TransferLease,
): Promise<void> => {
  // Index clearing_transfers_leased: the leased rows alone; skips rows that their worker is changing.
  await db
    .with("ended", (of) =>
      of
        .selectFrom("clearingTransfers")
        .select(["tenantId", "id"])
        .where("leasedBy", "is not", null)
        .where("leasedUntil", "<=", now.getTime())
        .where("settledAt", "is", null)
        .$if(running.length > 0, (query) =>
          query.where((row) => row.or([row("leasedBy", "!=", worker), row("id", "not in", running)])),
        )
        .$if(locksRows, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("clearingTransfers")
    .set((row) => ({
      attempts: row("attempts", "-", 1),
      leasedBy: null,
      leasedUntil: null,
      loneDeaths: row
        .case()
        .when("leasedBy", "=", worker)
        .then(row.ref("loneDeaths"))
        .when("loneDeaths", "is", null)
        .then(row.lit(0))
        .else(row("loneDeaths", "+", 1))
        .end(),
    }))
    .where((row) =>
      row(
        row.refTuple("tenantId", "id"),
        "in",
        row.selectFrom("ended").select(["ended.tenantId", "ended.id"]).$asTuple("tenantId", "id"),
      ),
    )
    .execute();
};

type Reader = QueryCreator<TransferTables>;

/** Waiting for a worker, and for no later time. */
const due = (db: Reader, now: Date) =>
  db
    .selectFrom("clearingTransfers")
    .select(["tenantId", "id"])
    .where("settledAt", "is", null)
    .where("leasedBy", "is", null)
    .where((row) => row.or([row("leasedUntil", "is", null), row("leasedUntil", "<=", now.getTime())]));

/** The next suspect, unless a worker runs one. */
const dueSuspects = (db: Reader, { now, loneDeathsAllowed, loneDeathsMax }: TransferLease) =>
  // Index clearing_transfers_suspects, from its start.
  due(db, now)
    .where("loneDeaths", "<=", loneDeathsAllowed)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("clearingTransfers as running")
            .select("running.id")
            .where("running.settledAt", "is", null)
            .where("running.loneDeaths", "<", loneDeathsMax)
            .where("running.leasedBy", "is not", null),
        ),
      ),
    )
    .orderBy("loneDeaths")
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1);

/** Due transfers that need not run alone: no suspects, and those that will not run again. */
const dueOthers = (db: Reader, { now, limit, loneDeathsMax }: TransferLease) =>
  // Index clearing_transfers_due, oldest first.
  due(db, now)
    .where((row) => row.or([row("loneDeaths", "is", null), row("loneDeaths", ">=", loneDeathsMax)]))
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit);

const take = async (
  { db, locksRows }: LeaseSession,
  lease: TransferLease,
  select: typeof dueSuspects,
): Promise<readonly Transfer[]> => {
  const { worker, leaseMs, now } = lease;
  const leasedUntil = now.getTime() + leaseMs;
  // Skips rows that another process is leasing, without waiting.
  const rows = await db
    .with("due", (of) => select(of, lease).$if(locksRows, (query) => query.forUpdate().skipLocked()))
    .updateTable("clearingTransfers")
    .set((row) => ({ attempts: row("attempts", "+", 1), leasedBy: worker, leasedUntil }))
    .where((row) =>
      row(
        row.refTuple("tenantId", "id"),
        "in",
        row.selectFrom("due").select(["due.tenantId", "due.id"]).$asTuple("tenantId", "id"),
      ),
    )
    .returningAll()
    .execute();
  return rows.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).map(transferOf);
};
