import { type BlobTables, deleteUnnamed, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { LeaseAnswer } from "#record/jobs/job";
import { isOneOfJobs, type JobTables, leaseJobs, renewLease, returnJob } from "#record/jobs/store/job-lease";
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

/** Commands for verifications; implemented by {@link makeVerificationCommands}, with sealed records. */
export type VerificationCommands<Recorded = TransactionRecord> = {
  readonly createVerification: (row: NewVerification, record: Recorded, step: Step) => Promise<void>;
  readonly findVerification: (of: VerificationOwner, id: string) => Promise<VerificationRow | undefined>;
  /** Ends the leases whose time is over, and leases due verifications, the oldest first: `JobSource.lease` in src/record/jobs/job.ts. */
  readonly leaseVerifications: (lease: VerificationLease) => Promise<LeaseAnswer<VerificationRow>>;
  readonly renewVerification: (held: HeldVerification, until: Date) => Promise<boolean>;
  /** Returns a leased verification, due from `until` on. `isCounted`: the attempt counts. False when the lease was lost. */
  readonly returnVerification: (held: HeldVerification, until: Date, isCounted: boolean) => Promise<boolean>;
  /**
   * Changes a leased verification, with its step. An end writes its record and ends the lease. False, and nothing written, where the
   * worker holds it no more.
   */
  readonly changeVerification: (
    held: HeldVerification,
    change: VerificationChange<Recorded>,
    step: Step,
  ) => Promise<boolean>;
  /** Makes the verifications that wait for this end due now. Returns how many. */
  readonly hastenVerifications: (tenantId: string, waitsFor: string) => Promise<number>;
  /** Removes up to 100 verifications of the tenant from before `before`, open ones too, with the rows of their objects. Returns how many. */
  readonly eraseVerifications: (tenantId: string, before: Date) => Promise<number>;
  /** The same of settled verifications alone. */
  readonly purgeVerifications: (tenantId: string, before: Date) => Promise<number>;
};

type VerificationSession = StepSession<VerificationTables & JobTables & BlobTables & TransactionTables>;
type Row = VerificationTables["verifications"];

const kind = { table: "verifications", open: { column: "settledAt", value: null } } as const;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const removedMax = 100;

const idsOf = (joined: string): readonly string[] => (joined === "" ? [] : joined.split(","));

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
  attempts: row.attempts,
  ...(row.loneDeaths !== null && { loneDeaths: row.loneDeaths }),
});

/** Verifications: the row is the job, and each change commits with its step. */
export const makeVerificationCommands = (
  session: VerificationSession,
): VerificationCommands<SealedTransaction> => ({
  createVerification: (row, record, step) => create(session, row, record, step),

  findVerification: async ({ tenantId, environment }, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("verifications")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("environment", "=", environment)
      .executeTakeFirst();
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

  returnVerification: (held, until, isCounted) => returnJob(session, kind, held, until, isCounted),

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

  eraseVerifications: (tenantId, before) => remove(session, tenantId, before, false),

  purgeVerifications: (tenantId, before) => remove(session, tenantId, before, true),
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

const released = { leasedBy: null, leasedUntil: null, attempts: 0, loneDeaths: null } as const;

const changeOne = async (
  session: VerificationSession,
  { tenantId, id, worker }: HeldVerification,
  change: VerificationChange<SealedTransaction>,
  step: Step,
): Promise<boolean> => {
  const { revision, state, sealed, blobIds, waitsFor, added, removed, settled } = change;
  await requireLiveKeys(session, tenantId, sealed);
  // Primary key, one row: a worker that lost its lease cannot overwrite.
  const { numUpdatedRows } = await session.db
    .updateTable("verifications")
    .set({
      state,
      sealed,
      blobIds: blobIds.join(","),
      waitsFor: waitsFor ?? null,
      revision: revision + 1,
      ...(settled && { settledAt: settled.at.getTime(), ...released }),
    })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("revision", "=", revision)
    .where("settledAt", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await insertBlobs(session, added);
  await deleteUnnamed(session, tenantId, removed);
  if (settled?.record !== undefined) await insertTransaction(session, settled.record);
  await writeStep(session, tenantId, step);
  return true;
};

const remove = async (
  session: VerificationSession,
  tenantId: string,
  before: Date,
  isSettledOnly: boolean,
): Promise<number> => {
  const { db, locksRows } = session;
  // Index verifications_age, the oldest first.
  const due = await db
    .selectFrom("verifications")
    .select(["id", "blobIds"])
    .where("tenantId", "=", tenantId)
    .where("createdAt", "<", before.getTime())
    .$if(isSettledOnly, (query) => query.where("settledAt", "is not", null))
    .orderBy("createdAt")
    .limit(removedMax)
    .$if(locksRows, (query) => query.forUpdate())
    .execute();
  if (due.length === 0) return 0;
  // Primary key, one probe for each.
  await db
    .deleteFrom("verifications")
    .where("tenantId", "=", tenantId)
    .where(
      "id",
      "in",
      due.map(({ id }) => id),
    )
    .execute();
  await deleteUnnamed(
    session,
    tenantId,
    due.flatMap(({ blobIds }) => idsOf(blobIds)),
  );
  return due.length;
};
