import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import { comesAfter } from "#machine/storage/list-place";
import type { RowOf, TablesOf } from "#machine/storage/table";
import type { LeaseAnswer } from "#record/jobs/job";
import {
  countsOf,
  freshJob,
  type HeldJob,
  isOneOfJobs,
  type JobTables,
  leaseJobs,
  renewLease,
  retryJob,
  type WorkerLease,
} from "#record/jobs/store/job-lease";
import type { NewOneShot, OneShot, OneShotChange, OneShotPlace } from "../one-shot/one-shot.ts";
import type { DestinationOwner } from "./stored-destination.ts";
import type { oneShotTable } from "./webhook-tables.ts";

type OneShotColumns = RowOf<typeof oneShotTable>;

export type OneShotTables = TablesOf<readonly [typeof oneShotTable]>;

/**
 * Commands for one-shots; implemented by {@link makeOneShotCommands}. {@link insertOneShot} writes a new one.
 */
export type OneShotCommands = {
  /**
   * Ends the leases whose time is over, and leases due one-shots, the oldest first: `JobSource.lease` in
   * src/record/jobs/job.ts.
   */
  readonly leaseOneShots: (lease: WorkerLease) => Promise<LeaseAnswer<OneShot>>;
  readonly renewOneShot: (held: HeldJob, until: Date) => Promise<boolean>;
  /**
   * Ends a lease: the one-shot is due again at `until`. `isCounted`: the attempt counts. False when the lease
   * was lost.
   */
  readonly retryOneShot: (held: HeldJob, until: Date, isCounted: boolean) => Promise<boolean>;
  /** Ends an attempt and its lease. False, and nothing written, where the worker holds it no more. */
  readonly endOneShotAttempt: (held: HeldJob, change: OneShotChange) => Promise<boolean>;
  /** Up to `limit` one-shots, the newest first, after the last one of the page before. */
  readonly listOneShots: (
    of: DestinationOwner,
    limit: number,
    after?: OneShotPlace,
  ) => Promise<readonly OneShot[]>;
  /** Removes up to 1000 one-shots of the tenant from before `before`, due ones too. Returns how many. */
  readonly eraseOneShots: (tenantId: string, before: Date) => Promise<number>;
  /** Removes up to 1000 one-shots of the tenant that were settled before `before`. Returns how many. */
  readonly purgeOneShots: (tenantId: string, before: Date) => Promise<number>;
};

type OneShotSession = Session<OneShotTables & JobTables>;

const kind = { table: "oneShots", open: { column: "settledAt", value: null } } as const;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const removedMax = 1000;

const oneShotOf = (row: OneShotColumns): OneShot => ({
  tenantId: row.tenantId,
  environment: row.environment,
  id: row.id,
  state: row.state,
  failures: row.failures,
  log: JSON.parse(row.log),
  createdAt: new Date(row.createdAt),
  ...(row.settledAt !== null && { settledAt: new Date(row.settledAt) }),
  ...(row.sealed !== null && { sealed: new Uint8Array(row.sealed) }),
  ...countsOf(row),
});

/**
 * Writes a new one-shot; part of the transaction of its call. Fails where the key of `sealed` is destroyed.
 */
export const insertOneShot = async (
  session: Session<OneShotTables>,
  { createdAt, ...oneShot }: NewOneShot,
): Promise<void> => {
  await requireLiveKeys(session, oneShot.tenantId, oneShot.sealed);
  // Primary key: a message has one receiver.
  await session.db
    .insertInto("oneShots")
    .values({ ...oneShot, state: "due", failures: 0, log: "[]", createdAt: createdAt.getTime(), attempts: 0 })
    .execute();
};

/** One-shots: as workers see them, in lists, and at their end. */
export const makeOneShotCommands = (session: OneShotSession): OneShotCommands => ({
  leaseOneShots: (lease) =>
    leaseJobs(session, kind, lease, async (keys) => {
      const rows = await session.db
        .selectFrom("oneShots as job")
        .selectAll()
        .where(isOneOfJobs(keys))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(oneShotOf);
    }),

  renewOneShot: (held, until) => renewLease(session, kind, held, until),

  retryOneShot: (held, until, isCounted) => retryJob(session, kind, held, until, isCounted),

  endOneShotAttempt: (held, change) => endAttempt(session, held, change),

  listOneShots: (of, limit, after) => list(session, of, limit, after),

  eraseOneShots: (tenantId, before) => remove(session, tenantId, before, "createdAt"),

  purgeOneShots: (tenantId, before) => remove(session, tenantId, before, "settledAt"),
});

const endAttempt = async (
  { db }: OneShotSession,
  { tenantId, id, worker }: HeldJob,
  { state, failures, log, at, nextAt }: OneShotChange,
): Promise<boolean> => {
  const end = state === "due" ? {} : { settledAt: at.getTime(), sealed: null };
  // Primary key, one row: a worker that lost its lease cannot overwrite.
  const { numUpdatedRows } = await db
    .updateTable("oneShots")
    .set({ state, failures, log: JSON.stringify(log), ...end })
    .set({ ...freshJob, leasedUntil: nextAt?.getTime() ?? null })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("settledAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const list = async (
  { db }: OneShotSession,
  { tenantId, environment }: DestinationOwner,
  limit: number,
  after: OneShotPlace | undefined,
): Promise<readonly OneShot[]> => {
  // Index one_shots_listed, backwards, from the end of the page before.
  const rows = await db
    .selectFrom("oneShots")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .$call((query) => (after === undefined ? query : query.where(comesAfter(after))))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(oneShotOf);
};

const remove = async (
  { db }: OneShotSession,
  tenantId: string,
  before: Date,
  time: "createdAt" | "settledAt",
): Promise<number> => {
  // Indexes one_shots_age and one_shots_settled find the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("oneShots")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("oneShots")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where(time, "<", before.getTime())
        .orderBy(time)
        .limit(removedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
