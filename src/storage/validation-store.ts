import { insertBlobs } from "./blob-store.ts";
import { claimNumber } from "./claim-store.ts";
import type { Session, ValidationColumns } from "./database.ts";
import { writeStep } from "./step-store.ts";
import type { Lease, Store, Validation } from "./store.ts";
import { insertTransaction } from "./transaction-store.ts";

type ValidationCommands = Pick<Store, "createValidation" | "findValidation">;
type LeaseCommands = Pick<
  Store,
  "leaseValidations" | "renewLease" | "postponeValidation" | "finishValidation"
>;

/** Document validations, as their tenant sees them. */
export const makeValidationCommands = (session: Session): ValidationCommands => ({
  createValidation: async (validation, blobs, transaction, step) => {
    const { blobIds, createdAt, ...columns } = validation;
    const { tenantId, id } = validation;
    await insertTransaction(session, transaction);
    await insertBlobs(session, blobs);
    // Primary key: a validation is created once.
    await session.db
      .insertInto("validations")
      .values({ ...columns, createdAt: createdAt.getTime(), status: "PENDING", attempts: 0 })
      .execute();
    if (blobIds.length > 0) {
      // Foreign keys: every picture that the job will ask for has a row in this tenant.
      await session.db
        .insertInto("validationBlobs")
        .values(blobIds.map((blobId) => ({ tenantId, validationId: id, blobId })))
        .execute();
    }
    await writeStep(session, tenantId, step);
  },

  findValidation: async (tenantId, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("validations")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && validationOf(row);
  },
});

/** The pending validation as long as this worker has its lease. Primary key, one row. */
const heldBy = (session: Session, tenantId: string, id: string, worker: string) =>
  session.db
    .updateTable("validations")
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("status", "=", "PENDING");

/** Document validations, as workers see them: the row is the job, and its lease is in the row. */
export const makeLeaseCommands = (session: Session): LeaseCommands => ({
  leaseValidations: (lease) => leaseDue(session, lease),

  renewLease: async (tenantId, id, worker, until) => {
    // A worker whose row was taken over or decided changes nothing.
    const { numUpdatedRows } = await heldBy(session, tenantId, id, worker)
      .set({ leasedUntil: until.getTime() })
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  postponeValidation: async (tenantId, id, worker, until) => {
    const { numUpdatedRows } = await heldBy(session, tenantId, id, worker)
      .set((row) => ({ attempts: row("attempts", "-", 1), leasedBy: null, leasedUntil: until.getTime() }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  finishValidation: async ({ tenantId, id, worker, status, at, sealedRecord, transaction, claim }, step) => {
    // A worker thought dead cannot overwrite.
    const { numUpdatedRows } = await heldBy(session, tenantId, id, worker)
      .set({
        status,
        decidedAt: at.getTime(),
        sealedRecord: sealedRecord ?? null,
        leasedBy: null,
        leasedUntil: null,
      })
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) {
      return false;
    }
    if (transaction !== undefined) {
      await insertTransaction(session, transaction);
    }
    if (claim !== undefined) {
      await claimNumber(session, tenantId, claim, at);
    }
    await writeStep(session, tenantId, step);
    return true;
  },
});

const leaseDue = async (
  session: Session,
  { worker, leaseMs, limit, now }: Lease,
): Promise<readonly Validation[]> => {
  const time = now.getTime();
  // Index validations_due, oldest first; rows that another process is taking are skipped, not waited for.
  const rows = await session.db
    .with("due", (db) =>
      db
        .selectFrom("validations")
        .select(["tenantId", "id"])
        .where("status", "=", "PENDING")
        .where((row) => row.or([row("leasedUntil", "is", null), row("leasedUntil", "<=", time)]))
        .orderBy("createdAt")
        .orderBy("id")
        .limit(limit)
        .$if(session.locksRows, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("validations")
    .set((row) => ({ attempts: row("attempts", "+", 1), leasedBy: worker, leasedUntil: time + leaseMs }))
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

const validationOf = (row: ValidationColumns): Validation => ({
  id: row.id,
  tenantId: row.tenantId,
  world: row.world,
  version: row.version,
  status: row.status,
  createdAt: new Date(row.createdAt),
  ...(row.decidedAt === null ? {} : { decidedAt: new Date(row.decidedAt) }),
  sealedInput: new Uint8Array(row.sealedInput),
  ...(row.sealedRecord === null ? {} : { sealedRecord: new Uint8Array(row.sealedRecord) }),
  attempts: row.attempts,
});
