/**
 * The lease in the row of a job, for every table of jobs. The rules are those of `JobSource` in
 * src/record/jobs/job.ts.
 */
import type { ExpressionBuilder, QueryCreator } from "kysely";
import type { Session } from "#machine/storage/database";
import type { LeaseAnswer, LeasedJob, LeaseRequest } from "../job.ts";

/**
 * The columns of a row that is a job. `loneDeaths` holds the deaths of a poisoned job, under its name of
 * earlier releases.
 */
export type JobColumns = {
  tenantId: string;
  id: string;
  createdAt: number;
  attempts: number;
  leasedBy: string | null;
  leasedUntil: number | null;
  loneDeaths: number | null;
};

export type JobTable = "validations" | "clearingTransfers" | "oneShots" | "verifications";

export type JobTables = Record<JobTable, JobColumns>;

/** What a row counts, as the lease loop reads it. */
export const countsOf = ({
  attempts,
  loneDeaths,
}: Pick<JobColumns, "attempts" | "loneDeaths">): Pick<LeasedJob, "attempts" | "deaths"> => ({
  attempts,
  ...(loneDeaths !== null && { deaths: loneDeaths }),
});

/** The columns of a row after its step: the next one is a job without attempts, deaths or a lease. */
export const freshJob = { attempts: 0, loneDeaths: null, leasedBy: null, leasedUntil: null } as const;

export type JobKey = { readonly tenantId: string; readonly id: string };

export type WorkerLease = LeaseRequest & {
  /** Unique to one run of one worker: a restarted worker has a new name. */
  readonly worker: string;
};

/** A worker's lease of a job: with a revision only while the row has it. */
export type HeldJob = JobKey & { readonly worker: string; readonly revision?: number };

/**
 * A table of jobs. Its indexes are `<table>_leased`, `<table>_suspects` (poisoned jobs) and `<table>_due`;
 * the last two hold open rows alone.
 */
export type JobKind = {
  readonly table: JobTable;
  /** The column that states whether a job is open, and its value in an open row. */
  readonly open: { readonly column: string; readonly value: string | null };
};

type JobSession = Session<JobTables>;
type Reader = QueryCreator<JobTables>;

/** These jobs, at least one, of a table with the alias `job`. Primary key, one row of each. */
export const isOneOfJobs =
  (keys: readonly JobKey[]) => (row: ExpressionBuilder<{ job: JobColumns }, "job">) =>
    row.or(
      keys.map(({ tenantId, id }) => row.and([row("job.tenantId", "=", tenantId), row("job.id", "=", id)])),
    );

/**
 * Ends the leases whose time is over and leases due jobs. `readJobs` reads their rows in the same
 * transaction, the oldest first.
 */
export const leaseJobs = async <Job>(
  session: JobSession,
  kind: JobKind,
  lease: WorkerLease,
  readJobs: (keys: readonly JobKey[]) => Promise<readonly Job[]>,
): Promise<LeaseAnswer<Job>> => {
  const { duePoisoned, dueOthers } = makeSelections(session, kind, lease);
  const take = async (due: typeof dueOthers) => {
    const keys = await takeLease(session, kind, lease, due);
    return { jobs: keys.length === 0 ? [] : await readJobs(keys), isPoisonedDue: false };
  };
  if (lease.endsLeases) await endLeases(session, kind, lease);
  if (lease.isAlone) return await take(duePoisoned);
  if ((await duePoisoned(session.db).execute()).length > 0) return { jobs: [], isPoisonedDue: true };
  return await take(dueOthers);
};

/** Sets the end of a lease. False when the lease was lost. */
export const renewLease = async (
  session: JobSession,
  kind: JobKind,
  held: HeldJob,
  until: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await heldBy(session, kind, held)
    .set({ leasedUntil: until.getTime() })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/**
 * Ends a lease: the job is due again at `until`. `isCounted`: the attempt counts. False when the lease was
 * lost.
 */
export const retryJob = async (
  session: JobSession,
  kind: JobKind,
  held: HeldJob,
  until: Date,
  isCounted: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await heldBy(session, kind, held)
    .set((row) => ({
      attempts: row("attempts", "-", isCounted ? 0 : 1),
      leasedBy: null,
      leasedUntil: until.getTime(),
    }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** The open job while this worker has its lease. Primary key, one row. */
const heldBy = ({ db }: JobSession, { table, open }: JobKind, { tenantId, id, worker, revision }: HeldJob) =>
  db
    .updateTable(db.dynamic.table(table).as("job"))
    .where("job.tenantId", "=", tenantId)
    .where("job.id", "=", id)
    .where("job.leasedBy", "=", worker)
    .where(db.dynamic.ref(`job.${open.column}`), ...isOpen(open))
    .$if(revision !== undefined, (query) => query.where(db.dynamic.ref("job.revision"), "=", revision));

/** The rule is `judgeEndedLease` in src/record/jobs/judge-job.ts. A lease that ended is no attempt. */
const endLeases = async (
  { db, locksRows }: JobSession,
  { table, open }: JobKind,
  { worker, now, running }: WorkerLease,
): Promise<void> => {
  const { dynamic } = db;
  // Index of leased rows; skips rows that their worker is changing.
  await db
    .with("ended", (of) =>
      of
        .selectFrom(dynamic.table(table).as("job"))
        .select(["job.tenantId", "job.id"])
        .where("job.leasedBy", "is not", null)
        .where("job.leasedUntil", "<=", now.getTime())
        .where(dynamic.ref(`job.${open.column}`), ...isOpen(open))
        .$if(running.length > 0, (query) =>
          query.where((row) => row.or([row("job.leasedBy", "!=", worker), row("job.id", "not in", running)])),
        )
        .$if(locksRows, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable(dynamic.table(table).as("job"))
    .set((row) => ({
      attempts: row("job.attempts", "-", 1),
      leasedBy: null,
      leasedUntil: null,
      loneDeaths: row
        .case()
        .when("job.leasedBy", "=", worker)
        .then(row.ref("job.loneDeaths"))
        .when("job.loneDeaths", "is", null)
        .then(row.lit(0))
        .else(row("job.loneDeaths", "+", 1))
        .end(),
    }))
    .where((row) =>
      row(
        row.refTuple("job.tenantId", "job.id"),
        "in",
        row.selectFrom("ended").select(["ended.tenantId", "ended.id"]).$asTuple("tenantId", "id"),
      ),
    )
    .execute();
};

const isOpen = ({ value }: JobKind["open"]) => [value === null ? "is" : "=", value] as const;

/** The due jobs that a lease can take. */
const makeSelections = ({ db: { dynamic } }: JobSession, { table, open }: JobKind, lease: WorkerLease) => {
  const { now, limit, deathsAllowed, deathsMax } = lease;

  /** Waiting for a worker, and for no later time. */
  const due = (db: Reader) =>
    db
      .selectFrom(dynamic.table(table).as("job"))
      .select(["job.tenantId", "job.id"])
      .where(dynamic.ref(`job.${open.column}`), ...isOpen(open))
      .where("job.leasedBy", "is", null)
      .where((row) =>
        row.or([row("job.leasedUntil", "is", null), row("job.leasedUntil", "<=", now.getTime())]),
      );

  /** The next poisoned job, unless a worker runs one. Index of poisoned jobs, from its start. */
  const duePoisoned = (db: Reader) =>
    due(db)
      .where("job.loneDeaths", "<=", deathsAllowed)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom(dynamic.table(table).as("running"))
              .select("running.id")
              .where(dynamic.ref(`running.${open.column}`), ...isOpen(open))
              .where("running.loneDeaths", "<", deathsMax)
              .where("running.leasedBy", "is not", null),
          ),
        ),
      )
      .orderBy("job.loneDeaths")
      .orderBy("job.createdAt")
      .orderBy("job.id")
      .limit(1);

  /**
   * Due jobs that need not run alone: those that are not poisoned, and those that will not run again. Index
   * of due rows, the oldest first.
   */
  const dueOthers = (db: Reader) =>
    due(db)
      .where((row) => row.or([row("job.loneDeaths", "is", null), row("job.loneDeaths", ">=", deathsMax)]))
      .orderBy("job.createdAt")
      .orderBy("job.id")
      .limit(limit);
  return { duePoisoned, dueOthers };
};

/** Leases the selected jobs. Skips rows that another process is leasing, without waiting. */
const takeLease = async (
  { db, locksRows }: JobSession,
  { table }: JobKind,
  { worker, leaseMs, now }: WorkerLease,
  due: ReturnType<typeof makeSelections>["dueOthers"],
): Promise<readonly JobKey[]> =>
  await db
    .with("due", (of) => due(of).$if(locksRows, (query) => query.forUpdate().skipLocked()))
    .updateTable(db.dynamic.table(table).as("job"))
    .set((row) => ({
      attempts: row("job.attempts", "+", 1),
      leasedBy: worker,
      leasedUntil: now.getTime() + leaseMs,
    }))
    .where((row) =>
      row(
        row.refTuple("job.tenantId", "job.id"),
        "in",
        row.selectFrom("due").select(["due.tenantId", "due.id"]).$asTuple("tenantId", "id"),
      ),
    )
    .returning(["tenantId", "id"])
    .execute();
