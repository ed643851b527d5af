import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { LeaseAnswer } from "#record/jobs/job";
import { isOneOfJobs, type JobTables, leaseJobs, renewLease, retryJob } from "#record/jobs/store/job-lease";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import { type ClaimTables, claimNumber } from "./claim-store.ts";
import { isHistoryCurrent } from "./history-guard.ts";
import { type ListedDocumentTables, noteVelocityEvents } from "./listed-document-store.ts";
import { openReview, type ReviewTables } from "./review-store.ts";
import type { Finish, FinishAnswer, Held, Lease, Validation } from "./validation.ts";
import { type ValidationTables, validationOf } from "./validation-row.ts";

/** Commands for document validations as workers see them; implemented by {@link makeLeaseCommands}. */
export type LeaseCommands<Recorded = TransactionRecord> = {
  /**
   * Ends the leases whose time is over: a row of a dead worker is poisoned, and a row that was leased alone
   * counts one death more. Then leases due validations, oldest first, and raises `attempts`. The rules are
   * those of `JobSource.lease` in src/record/jobs/job.ts.
   */
  readonly leaseValidations: (lease: Lease) => Promise<LeaseAnswer<Validation>>;
  readonly renewLease: (held: Held, until: Date) => Promise<boolean>;
  /** Stores the state of an external provider for a leased validation. False when the lease was lost. */
  readonly keepSession: (held: Held, sealedSession: Uint8Array) => Promise<boolean>;
  /**
   * Ends a lease: the validation is due again at `until`. `isCounted`: the attempt counts. False when the
   * lease was lost.
   */
  readonly retryValidation: (held: Held, until: Date, isCounted: boolean) => Promise<boolean>;
  /** Writes nothing unless it returns `finished`. A decision for review opens a review. */
  readonly finishValidation: (finish: Finish<Recorded>, step: Step) => Promise<FinishAnswer>;
};

type LeaseSession = StepSession<
  JobTables & ValidationTables & ReviewTables & ListedDocumentTables & ClaimTables & TransactionTables
>;

const kind = { table: "validations", open: { column: "status", value: "PENDING" } } as const;

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
  leaseValidations: (lease) =>
    leaseJobs(session, kind, lease, async (keys) => {
      const rows = await session.db
        .selectFrom("validations as job")
        .selectAll()
        .where(isOneOfJobs(keys))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(validationOf);
    }),

  // A worker whose row was taken over or decided changes nothing.
  renewLease: (held, until) => renewLease(session, kind, held, until),

  keepSession: async (held, sealedSession) => {
    await requireLiveKeys(session, held.tenantId, sealedSession);
    const { numUpdatedRows } = await heldBy(session, held).set({ sealedSession }).executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  retryValidation: (held, until, isCounted) => retryJob(session, kind, held, until, isCounted),

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
  await requireLiveKeys(session, tenantId, sealedRecord);
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
