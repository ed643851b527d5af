import { type BlobRow, type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import { freshJob } from "#record/jobs/store/job-lease";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type { Ending, Resubmission, Validation } from "./validation.ts";
import { type ValidationTables, validationOf } from "./validation-row.ts";
import { linkBlobs } from "./validation-store.ts";

/**
 * Commands for document validations that wait; implemented by {@link makeWaitingCommands}, with sealed
 * records.
 */
export type WaitingCommands<Recorded = TransactionRecord> = {
  /** False, and nothing written, if it does not wait for better images, or has changed since it was read. */
  readonly resubmitValidation: (
    resubmission: Resubmission,
    blobs: readonly BlobRow[],
    transaction: Recorded,
    step: Step,
  ) => Promise<boolean>;
  /**
   * Up to 100 that wait since before `before` and that no worker has leased at `now`, the longest wait first,
   * after the last one of the previous page.
   */
  readonly listWaiting: (before: Date, now: Date, after?: Validation) => Promise<readonly Validation[]>;
  /** False, and nothing written, if it has changed since it was read, or a worker has its lease. */
  readonly endValidation: (ending: Ending<Recorded>, step: Step) => Promise<boolean>;
};

type WaitingSession = StepSession<ValidationTables & BlobTables & TransactionTables>;

const listedMax = 100;

/** Document validations that wait for better images, or for a decision. */
export const makeWaitingCommands = (session: WaitingSession): WaitingCommands<SealedTransaction> => ({
  resubmitValidation: (resubmission, blobs, transaction, step) =>
    resubmit(session, resubmission, blobs, transaction, step),

  listWaiting: async (before, now, after) => {
    const since = after?.waitsSince?.getTime() ?? 0;
    // Index validations_waiting, the longest wait first, from the end of the previous page.
    const rows = await session.db
      .selectFrom("validations")
      .selectAll()
      .where("waitsSince", "<", before.getTime())
      .where("waitsSince", ">=", since)
      .where((of) => of.or([of("waitsSince", ">", since), of("id", ">", after?.id ?? "")]))
      .where((of) => of.or([of("leasedUntil", "is", null), of("leasedUntil", "<=", now.getTime())]))
      .orderBy("waitsSince")
      .orderBy("id")
      .limit(listedMax)
      .execute();
    return rows.map(validationOf);
  },

  endValidation: (ending, step) => end(session, ending, step),
});

const resubmit = async (
  session: WaitingSession,
  { tenantId, id, version, sealedInput, revision, at, blobIds }: Resubmission,
  blobs: readonly BlobRow[],
  transaction: SealedTransaction,
  step: Step,
): Promise<boolean> => {
  await requireLiveKeys(session, tenantId, sealedInput);
  // Primary key, one row, at the revision that was read: of two simultaneous resubmissions the second changes
  // nothing.
  const { numUpdatedRows } = await session.db
    .updateTable("validations")
    .set((of) => ({
      status: "PENDING",
      version,
      sealedInput,
      sealedRecord: null,
      decidedAt: null,
      decision: null,
      ...freshJob,
      // An analysis that failed is no attempt of the person.
      attempt: of
        .case()
        .when("status", "=", "FAILED")
        .then(of.ref("attempt"))
        .else(of("attempt", "+", 1))
        .end(),
      revision: revision + 1,
      waitsSince: at.getTime(),
    }))
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("decision", "=", "Resubmission")
    .where("waitsSince", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    return false;
  }
  await insertTransaction(session, transaction);
  await insertBlobs(session, blobs);
  await linkBlobs(session, { tenantId, id, blobIds });
  await writeStep(session, tenantId, step);
  return true;
};

const end = async (
  session: WaitingSession,
  { tenantId, id, revision, decision, at, sealedRecord, transaction }: Ending<SealedTransaction>,
  step: Step,
): Promise<boolean> => {
  await requireLiveKeys(session, tenantId, sealedRecord);
  // Primary key, one row, at the revision that was read. The first change wins.
  const { numUpdatedRows } = await session.db
    .updateTable("validations")
    .set({
      status: "DONE",
      decision,
      decidedAt: at.getTime(),
      revision: revision + 1,
      waitsSince: null,
      sealedSession: null,
      leasedBy: null,
      leasedUntil: null,
      ...(sealedRecord !== undefined && { sealedRecord }),
    })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("waitsSince", "is not", null)
    .where((of) => of.or([of("leasedUntil", "is", null), of("leasedUntil", "<=", at.getTime())]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    return false;
  }
  if (transaction !== undefined) {
    await insertTransaction(session, transaction);
  }
  await writeStep(session, tenantId, step);
  return true;
};
