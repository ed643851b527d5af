import { type BlobTables, deleteUnnamed, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import { defineRows, idsOf } from "#machine/storage/rows";
import type { LeaseAnswer } from "#record/jobs/job";
import {
  countsOf,
  freshJob,
  isOneOfJobs,
  type JobTables,
  leaseJobs,
  renewLease,
  retryJob,
} from "#record/jobs/store/job-lease";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type { VerificationOwner } from "../verification.ts";
import type {
  HeldVerification,
  NewVerification,
  VerificationChange,
  VerificationLease,
  VerificationRow,
  VerificationTables,
} from "./verification-row.ts";
import { verificationTable } from "./verification-table.ts";

/** Commands for verifications; implemented by {@link makeVerificationCommands}, with sealed records. */
export type VerificationCommands<Recorded = TransactionRecord> = {
  readonly createVerification: (row: NewVerification, record: Recorded, step: Step) => Promise<void>;
  readonly findVerification: (of: VerificationOwner, id: string) => Promise<VerificationRow | undefined>;
  /**
   * Ends the leases whose time is over, and leases due verifications, the oldest first: `JobSource.lease` in
   * src/record/jobs/job.ts.
   */
  readonly leaseVerifications: (lease: VerificationLease) => Promise<LeaseAnswer<VerificationRow>>;
  readonly renewVerification: (held: HeldVerification, until: Date) => Promise<boolean>;
  /**
   * Ends a lease: the verification is due again at `until`. `isCounted`: the attempt counts. False when the
   * lease was lost.
   */
  readonly retryVerification: (held: HeldVerification, until: Date, isCounted: boolean) => Promise<boolean>;
  /**
   * Changes a leased verification, with its step. An end writes its record and ends the lease. False, and
   * nothing written, where the worker holds it no more.
   */
  readonly changeVerification: (
    held: HeldVerification,
    change: VerificationChange<Recorded>,
    step: Step,
  ) => Promise<boolean>;
  /** Makes the verifications that wait for this end due now. Returns how many. */
  readonly hastenVerifications: (tenantId: string, waitsFor: string) => Promise<number>;
  /**
   * Removes up to 100 verifications of the tenant from before `before`, open ones too, with the rows of their
   * objects. Returns how many.
   */
  readonly eraseVerifications: (tenantId: string, before: Date) => Promise<number>;
  /** The same of settled verifications alone. */
  readonly purgeVerifications: (tenantId: string, before: Date) => Promise<number>;
};

type VerificationSession = StepSession<VerificationTables & JobTables & BlobTables & TransactionTables>;
type Row = VerificationTables["verifications"];

const kind = { table: "verifications", open: { column: "settledAt", value: null } } as const;

const verifications = defineRows(verificationTable, { age: "createdAt" });

const verificationOf = (row: Row): VerificationRow => ({
  tenantId: row.tenantId,
  id: row.id,
  environment: row.environment,
  keyId: row.keyId,
  operationId: row.operationId,
  state: row.state,
  revision: row.revision,
  createdAt: new Date(row.createdAt),
  ...(row.settledAt !== null && { settledAt: new Date(row.settledAt) }),
  sealed: new Uint8Array(row.sealed),
  blobIds: idsOf(row.blobIds),
  ...countsOf(row),
});

/** Verifications: the row is the job, and each change commits with its step. */
export const makeVerificationCommands = (
  session: VerificationSession,
): VerificationCommands<SealedTransaction> => ({
  createVerification: (row, record, step) => create(session, row, record, step),

  findVerification: async (of, id) => {
    const row = await verifications.find(session, of, id);
    return row && verificationOf(row);
  },

  leaseVerifications: (lease) =>
    leaseJobs(session, kind, lease, async (keys) => {
      const rows = await session.db
        .selectFrom("verifications as job")
        .selectAll()
        .where(isOneOfJobs(keys))
        .orderBy("createdAt")
        .orderBy("id")
        .execute();
      return rows.map(verificationOf);
    }),

  renewVerification: (held, until) => renewLease(session, kind, held, until),

  retryVerification: (held, until, isCounted) => retryJob(session, kind, held, until, isCounted),

  changeVerification: (held, change, step) => changeOne(session, held, change, step),

  hastenVerifications: async (tenantId, waitsFor) => {
    // Index verifications_waiting: one row, or a few that wait for one capture session.
    const { numUpdatedRows } = await session.db
      .updateTable("verifications")
      .set({ leasedUntil: null })
      .where("tenantId", "=", tenantId)
      .where("waitsFor", "=", waitsFor)
      .where("leasedBy", "is", null)
      .where("settledAt", "is", null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },

  eraseVerifications: (tenantId, before) => verifications.remove(session, tenantId, before),

  purgeVerifications: (tenantId, before) => verifications.remove(session, tenantId, before, true),
});

const create = async (
  session: VerificationSession,
  { blobs, createdAt, waitsFor, ...row }: NewVerification,
  record: SealedTransaction,
  step: Step,
): Promise<void> => {
  await requireLiveKeys(session, row.tenantId, row.sealed);
  await insertBlobs(session, blobs);
  // Primary key.
  await session.db
    .insertInto("verifications")
    .values({
      ...row,
      revision: 0,
      createdAt: createdAt.getTime(),
      waitsFor: waitsFor ?? null,
      blobIds: blobs.map(({ id }) => id).join(","),
      attempts: 0,
    })
    .execute();
  await insertTransaction(session, record);
  await writeStep(session, row.tenantId, step);
};

const changeOne = async (
  session: VerificationSession,
  { tenantId, id, worker }: HeldVerification,
  change: VerificationChange<SealedTransaction>,
  step: Step,
): Promise<boolean> => {
  const { revision, state, sealed, blobIds, waitsFor, added, removed, settled } = change;
  await requireLiveKeys(session, tenantId, sealed);
  const columns = {
    state,
    sealed,
    blobIds: blobIds.join(","),
    waitsFor: waitsFor ?? null,
    ...(settled && { settledAt: settled.at.getTime(), ...freshJob }),
  };
  if (!(await verifications.change(session, { tenantId, id, revision }, columns, worker))) return false;
  await insertBlobs(session, added);
  await deleteUnnamed(session, tenantId, removed);
  if (settled?.record !== undefined) await insertTransaction(session, settled.record);
  await writeStep(session, tenantId, step);
  return true;
};
