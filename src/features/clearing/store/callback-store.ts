import { requireDataKey } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import { comesAfter } from "#machine/storage/list-place";
import type { RowOf, TablesOf } from "#machine/storage/table";
import type { LeaseAnswer } from "#record/jobs/job";
import { isOneOfJobs, type JobTables, leaseJobs, renewLease, returnJob } from "#record/jobs/store/job-lease";
import type { KeyTables } from "#trust/key-ring/key-store";
import type {
  Callback,
  CallbackChange,
  CallbackLease,
  CallbackPlace,
  HeldCallback,
  NewCallback,
} from "./callback.ts";
import type { callbackTable } from "./callback-table.ts";
import type { ClearingOwner } from "./clearing-token.ts";

type CallbackColumns = RowOf<typeof callbackTable>;

export type CallbackTables = TablesOf<readonly [typeof callbackTable]>;

/** Commands for callbacks; implemented by {@link makeCallbackCommands}. `recordClearingToken` writes a new one. */
export type CallbackCommands = {
  /** Ends the leases whose time is over, and leases due callbacks, the oldest first: `JobSource.lease` in src/record/jobs/job.ts. */
  readonly leaseCallbacks: (lease: CallbackLease) => Promise<LeaseAnswer<Callback>>;
  readonly renewCallback: (held: HeldCallback, until: Date) => Promise<boolean>;
  /** Returns a leased callback, due from `until` on. `isCounted`: the attempt counts. False when the lease was lost. */
  readonly returnCallback: (held: HeldCallback, until: Date, isCounted: boolean) => Promise<boolean>;
  /** Ends an attempt and its lease. False, and nothing written, where the worker holds it no more. */
  readonly endCallbackAttempt: (held: HeldCallback, change: CallbackChange) => Promise<boolean>;
  /** Up to `limit` callbacks, the newest first, after the last one of the page before. */
  readonly listCallbacks: (
    of: ClearingOwner,
    limit: number,
    after?: CallbackPlace,
  ) => Promise<readonly Callback[]>;
  /** Removes up to 1000 callbacks of the tenant from before `before`, due ones too. Returns how many. */
  readonly eraseCallbacks: (tenantId: string, before: Date) => Promise<number>;
  /** Removes up to 1000 callbacks of the tenant that were settled before `before`. Returns how many. */
  readonly purgeCallbacks: (tenantId: string, before: Date) => Promise<number>;
};

type CallbackSession = Session<CallbackTables & JobTables>;

const kind = { table: "clearingCallbacks", open: { column: "settledAt", value: null } } as const;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const removedMax = 1000;

const callbackOf = (row: CallbackColumns): Callback => ({
  tenantId: row.tenantId,
  environment: row.environment,
  id: row.id,
  state: row.state,
  failures: row.failures,
  log: JSON.parse(row.log),
  createdAt: new Date(row.createdAt),
  ...(row.settledAt !== null && { settledAt: new Date(row.settledAt) }),
  ...(row.sealed !== null && { sealed: new Uint8Array(row.sealed) }),
  attempts: row.attempts,
  ...(row.loneDeaths !== null && { loneDeaths: row.loneDeaths }),
});

/** Writes a new callback; part of the transaction of its call. Fails with store_unavailable under a destroyed key. */
export const insertCallback = async (
  session: Session<CallbackTables & KeyTables>,
  { createdAt, dataKeyId, ...callback }: NewCallback,
): Promise<void> => {
  await requireDataKey(session, { tenantId: callback.tenantId, dataKeyId });
  // Primary key: a call has one callback.
  await session.db
    .insertInto("clearingCallbacks")
    .values({
      ...callback,
      state: "due",
      failures: 0,
      log: "[]",
      createdAt: createdAt.getTime(),
      attempts: 0,
    })
    .execute();
};

/** Callbacks of the older flow of pension clearing. */
export const makeCallbackCommands = (session: CallbackSession): CallbackCommands => ({
  leaseCallbacks: (lease) =>
    leaseJobs(session, kind, lease, async (keys) => {
      const rows = await session.db
        .selectFrom("clearingCallbacks as job")
        .selectAll()
        .where(isOneOfJobs(keys))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(callbackOf);
    }),

  renewCallback: (held, until) => renewLease(session, kind, held, until),

  returnCallback: (held, until, isCounted) => returnJob(session, kind, held, until, isCounted),

  endCallbackAttempt: (held, change) => endAttempt(session, held, change),

  listCallbacks: (of, limit, after) => list(session, of, limit, after),

  eraseCallbacks: (tenantId, before) => remove(session, tenantId, before, "createdAt"),

  purgeCallbacks: (tenantId, before) => remove(session, tenantId, before, "settledAt"),
});

const endAttempt = async (
  { db }: CallbackSession,
  { tenantId, id, worker }: HeldCallback,
  { state, failures, log, at, nextAt }: CallbackChange,
): Promise<boolean> => {
  const end = state === "due" ? {} : { settledAt: at.getTime(), sealed: null };
  // Primary key, one row: a worker that lost its lease cannot overwrite.
  const { numUpdatedRows } = await db
    .updateTable("clearingCallbacks")
    .set({ state, failures, log: JSON.stringify(log), ...end })
    .set({ attempts: 0, loneDeaths: null, leasedBy: null, leasedUntil: nextAt?.getTime() ?? null })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("settledAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const list = async (
  { db }: CallbackSession,
  { tenantId, environment }: ClearingOwner,
  limit: number,
  after: CallbackPlace | undefined,
): Promise<readonly Callback[]> => {
  // Index clearing_callbacks_listed, backwards, from the end of the page before.
  const rows = await db
    .selectFrom("clearingCallbacks")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .$call((query) => (after === undefined ? query : query.where(comesAfter(after))))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(callbackOf);
};

const remove = async (
  { db }: CallbackSession,
  tenantId: string,
  before: Date,
  time: "createdAt" | "settledAt",
): Promise<number> => {
  // Indexes clearing_callbacks_age and clearing_callbacks_settled find the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("clearingCallbacks")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("clearingCallbacks")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where(time, "<", before.getTime())
        .orderBy(time)
        .limit(removedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
