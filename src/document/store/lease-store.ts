import type { QueryCreator } from "kysely";
import type { LeaseAnswer } from "#jobs/job";
import type { Session } from "#storage/database";
import type { SealedTransaction, Step, TransactionRecord } from "#transactions/record";
import { type StepTables, writeStep } from "#transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#transactions/store/transaction-store";
import { type ClaimTables, claimNumber } from "./claim-store.ts";
import { isHistoryCurrent } from "./history-guard.ts";
import { type ListedDocumentTables, noteVelocityEvents } from "./listed-document-store.ts";
import { openReview, type ReviewTables } from "./review-store.ts";
import type { Finish, FinishAnswer, Held, Lease, Validation } from "./validation.ts";
import { type ValidationTables, validationOf } from "./validation-row.ts";

/** Commands for document validations as workers see them; implemented by {@link makeLeaseCommands}. */
export type LeaseCommands<Recorded = TransactionRecord> = {
  /**
   * Ends the leases whose time is over: a row of a dead worker becomes a suspect, and a row that was leased alone counts
   * one lone death more. Then leases due validations, oldest first, and raises `attempts`. The rules are those of
   * `JobSource.lease` in src/jobs/job.ts.
   */
  readonly leaseValidations: (lease: Lease) => Promise<LeaseAnswer<Validation>>;
  readonly renewLease: (held: Held, until: Date) => Promise<boolean>;
  /** Stores the state of an external provider for a leased validation. False when the lease was lost. */
  readonly keepSession: (held: Held, sealedSession: Uint8Array) => Promise<boolean>;
  /**
   * Returns a leased validation, due from `until` on, without counting the attempt. False when the lease was
   * lost.
   */
  readonly postponeValidation: (held: Held, until: Date) => Promise<boolean>;
  /** Returns a leased validation, due from `until` on; the attempt counts. False when the lease was lost. */
  readonly giveBackValidation: (held: Held, until: Date) => Promise<boolean>;
  /** Writes nothing unless it returns `finished`. A decision for review opens a review. */
  readonly finishValidation: (finish: Finish<Recorded>, step: Step) => Promise<FinishAnswer>;
};

type LeaseSession = Session<
  ValidationTables & ReviewTables & ListedDocumentTables & ClaimTables & TransactionTables & StepTables
>;

/** The pending validation while this worker has its lease, at the leased revision. Primary key, one row. */
const heldBy = (session: Session<ValidationTables>, { tenantId, id, revision, worker }: Held) =>
  session.db
    .updateTable("validations")
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("revision", "=", revision)
    .where("status", "=", "PENDING");

/** Document validations, as workers see them: the row is the job, and its lease is in the row. */
export const makeLeaseCommands = (session: LeaseSession): LeaseCommands<SealedTransaction> => ({
  leaseValidations: (lease) => leaseDue(session, lease),

  renewLease: async (held, until) => {
    // A worker whose row was taken over or decided changes nothing.
    const { numUpdatedRows } = await heldBy(session, held)
      .set({ leasedUntil: until.getTime() })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  keepSession: async (held, sealedSession) => {
    const { numUpdatedRows } = await heldBy(session, held).set({ sealedSession }).executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  postponeValidation: async (held, until) => {
    const { numUpdatedRows } = await heldBy(session, held)
      .set((row) => ({ attempts: row("attempts", "-", 1), leasedBy: null, leasedUntil: until.getTime() }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  giveBackValidation: async (held, until) => {
    const { numUpdatedRows } = await heldBy(session, held)
      .set({ leasedBy: null, leasedUntil: until.getTime() })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  finishValidation: (finish, step) => endJob(session, finish, step),
});

const endJob = async (
  session: LeaseSession,
  finish: Finish<SealedTransaction>,
  step: Step,
): Promise<FinishAnswer> => {
  const {
    tenantId,
    id,
    status,
    at,
    decision,
    sealedRecord,
    transaction,
    claim,
    velocityEvents = [],
  } = finish;
  if (!(await isHistoryCurrent(session, tenantId, finish))) {
    return "outdated";
  }
  // A worker that lost its lease cannot overwrite.
  const row = await heldBy(session, finish)
    .set((of) => ({
      status,
      decidedAt: at.getTime(),
      sealedRecord: sealedRecord ?? null,
      sealedSession: null,
      leasedBy: null,
      leasedUntil: null,
      decision: decision ?? null,
      waitsSince: decision === "Resubmission" ? at.getTime() : null,
      revision: of("revision", "+", 1),
    }))
    .returning(["environment", "attempt"])
    .executeTakeFirst();
  if (row === undefined) {
    return "lost";
  }
  if (transaction !== undefined) {
    await insertTransaction(session, transaction);
  }
  if (claim !== undefined) {
    await claimNumber(session, tenantId, claim, at);
  }
  await noteVelocityEvents(session, { tenantId, id, attempt: row.attempt }, velocityEvents, at);
  if (decision === "Review") {
    await openReview(session, { tenantId, id, environment: row.environment, at });
  }
  await writeStep(session, tenantId, step);
  return "finished";
};

const leaseDue = async (session: LeaseSession, lease: Lease): Promise<LeaseAnswer<Validation>> => {
  if (lease.endsLeases) {
    await endLeases(session, lease);
  }
  if (lease.isAlone) {
    return { jobs: await take(session, lease, dueSuspects), isSuspectDue: false };
  }
  if ((await dueSuspects(session.db, lease).execute()).length > 0) {
    return { jobs: [], isSuspectDue: true };
  }
  return { jobs: await take(session, lease, dueOthers), isSuspectDue: false };
};

/** The rule is `judgeEndedLease` in src/jobs/judge-job.ts. A lease that ended is no attempt. */
const endLeases = async ({ db, locksRows }: LeaseSession, { worker, now, running }: Lease): Promise<void> => {
  // Index validations_leased: the leased rows alone; skips rows that their worker is changing.
  await db
    .with("ended", (of) =>
      of
        .selectFrom("validations")
        .select(["tenantId", "id"])
        .where("leasedBy", "is not", null)
        .where("leasedUntil", "<=", now.getTime())
        .where("status", "=", "PENDING")
        .$if(running.length > 0, (query) =>
          query.where((row) => row.or([row("leasedBy", "!=", worker), row("id", "not in", running)])),
        )
        .$if(locksRows, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("validations")
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

type Reader = QueryCreator<ValidationTables>;

/** Waiting for a worker, and for no later time. */
const due = (db: Reader, now: Date) =>
  db
    .selectFrom("validations")
    .select(["tenantId", "id"])
    .where("status", "=", "PENDING")
    .where("leasedBy", "is", null)
    .where((row) => row.or([row("leasedUntil", "is", null), row("leasedUntil", "<=", now.getTime())]));

/** The next suspect, unless a worker runs one. */
const dueSuspects = (db: Reader, { now, loneDeathsAllowed, loneDeathsMax }: Lease) =>
  // Index validations_suspects, from its start.
  due(db, now)
    .where("loneDeaths", "<=", loneDeathsAllowed)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("validations as running")
            .select("running.id")
            .where("running.status", "=", "PENDING")
            .where("running.loneDeaths", "<", loneDeathsMax)
            .where("running.leasedBy", "is not", null),
        ),
      ),
    )
    .orderBy("loneDeaths")
    .orderBy("createdAt")
    .orderBy("id")
    .limit(1);

/** Due validations that need not run alone: no suspects, and those that will not run again. */
const dueOthers = (db: Reader, { now, limit, loneDeathsMax }: Lease) =>
  // Index validations_due, oldest first.
  due(db, now)
    .where((row) => row.or([row("loneDeaths", "is", null), row("loneDeaths", ">=", loneDeathsMax)]))
    .orderBy("createdAt")
    .orderBy("id")
    .limit(limit);

const take = async (
  { db, locksRows }: LeaseSession,
  lease: Lease,
  select: typeof dueSuspects,
): Promise<readonly Validation[]> => {
  const { worker, leaseMs, now } = lease;
  const leasedUntil = now.getTime() + leaseMs;
  // Skips rows that another process is leasing, without waiting.
  const rows = await db
    .with("due", (of) => select(of, lease).$if(locksRows, (query) => query.forUpdate().skipLocked()))
    .updateTable("validations")
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
  return rows.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)).map(validationOf);
};
