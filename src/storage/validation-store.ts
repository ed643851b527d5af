import { insertBlobs } from "./blob-store.ts";
import { claimNumber, isClaimCurrent } from "./claim-store.ts";
import type { Session, ValidationColumns } from "./database.ts";
import { noteSightings } from "./listed-document-store.ts";
import { openReview } from "./review-store.ts";
import { writeStep } from "./step-store.ts";
import type { Continuing, Finish, FinishAnswer, Held, Lease, Step, Store, Validation } from "./store.ts";
import { insertTransaction } from "./transaction-store.ts";
import { validationOf } from "./validation-row.ts";

type ValidationCommands = Pick<Store, "createValidation" | "findValidation">;
type LeaseCommands = Pick<
  Store,
  "leaseValidations" | "renewLease" | "keepSession" | "postponeValidation" | "finishValidation"
>;

/** Document validations, as their tenant sees them. */
export const makeValidationCommands = (session: Session): ValidationCommands => ({
  createValidation: async (validation, blobs, transaction, step) => {
    const { tenantId, id, world, version, sealedInput, createdAt, continues } = validation;
    await insertTransaction(session, transaction);
    await insertBlobs(session, blobs);
    const time = createdAt.getTime();
    const attempt = continues === undefined ? 1 : await takeUp(session, tenantId, continues);
    const chain = continues?.chain ?? null;
    const started = {
      status: "PENDING",
      attempts: 0,
      attempt,
      revision: 0,
      waitsSince: time,
      chain,
    } as const;
    // Primary key: a validation is created once.
    await session.db
      .insertInto("validations")
      .values({ tenantId, id, world, version, sealedInput, ...started, createdAt: time })
      .execute();
    await linkBlobs(session, validation);
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

/** Foreign keys: every picture that the job will ask for has a row in this tenant. */
export const linkBlobs = async (
  { db }: Session,
  {
    tenantId,
    id,
    blobIds,
  }: { readonly tenantId: string; readonly id: string; readonly blobIds: readonly string[] },
): Promise<void> => {
  if (blobIds.length > 0) {
    await db
      .insertInto("validationBlobs")
      .values(blobIds.map((blobId) => ({ tenantId, validationId: id, blobId })))
      .execute();
  }
};

/** Takes the newest of a chain that waits for better pictures out of its waiting, and answers the number of the attempt after it. */
const takeUp = async (
  { db, locksRows }: Session,
  tenantId: string,
  { chain, waitingSince }: Continuing,
): Promise<number> => {
  // Index validations_chain, backwards, one row; one that another start is taking up is not waited for.
  const row = await db
    .with("newest", (of) =>
      of
        .selectFrom("validations")
        .select(["tenantId", "id"])
        .where("tenantId", "=", tenantId)
        .where("chain", "=", chain)
        .where("waitsSince", ">=", waitingSince.getTime())
        .where("decision", "=", "Resubmission")
        .orderBy("waitsSince", "desc")
        .limit(1)
        .$if(locksRows, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("validations")
    .set((of) => ({ waitsSince: null, revision: of("revision", "+", 1) }))
    .where((of) =>
      of(
        of.refTuple("tenantId", "id"),
        "in",
        of.selectFrom("newest").select(["newest.tenantId", "newest.id"]).$asTuple("tenantId", "id"),
      ),
    )
    .returning(["attempt", "status"])
    .executeTakeFirst();
  return row === undefined ? 1 : attemptAfter(row);
};

/** An analysis that could not be made is no attempt of the person's. */
const attemptAfter = ({ attempt, status }: Pick<ValidationColumns, "attempt" | "status">): number =>
  status === "FAILED" ? attempt : attempt + 1;

/** The pending validation as long as this worker has its lease, and as it was leased. Primary key, one row. */
const heldBy = (session: Session, { tenantId, id, revision, worker }: Held) =>
  session.db
    .updateTable("validations")
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("revision", "=", revision)
    .where("status", "=", "PENDING");

/** Document validations, as workers see them: the row is the job, and its lease is in the row. */
export const makeLeaseCommands = (session: Session): LeaseCommands => ({
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

  finishValidation: (finish, step) => endJob(session, finish, step),
});

const endJob = async (session: Session, finish: Finish, step: Step): Promise<FinishAnswer> => {
  const { tenantId, id, status, at, decision, sealedRecord, transaction, claim, sightings = [] } = finish;
  if (claim !== undefined && !(await isClaimCurrent(session, tenantId, claim))) {
    return "outdated";
  }
  // A worker thought dead cannot overwrite.
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
    .returning(["world", "attempt"])
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
  await noteSightings(session, { tenantId, id, attempt: row.attempt }, sightings, at);
  if (decision === "Review") {
    await openReview(session, { tenantId, id, world: row.world, at });
  }
  await writeStep(session, tenantId, step);
  return "finished";
};

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
