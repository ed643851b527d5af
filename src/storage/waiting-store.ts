import { insertBlobs } from "./blob-store.ts";
import type { Session } from "./database.ts";
import { writeStep } from "./step-store.ts";
import type { BlobRow, Ending, Resubmission, Step, Store, TransactionRecord } from "./store.ts";
import { insertTransaction } from "./transaction-store.ts";
import { validationOf } from "./validation-row.ts";
import { linkBlobs } from "./validation-store.ts";

type WaitingCommands = Pick<Store, "resubmitValidation" | "listWaiting" | "endValidation">;

const listedMax = 100;

/** Document validations that wait: for better pictures, or for a decision that does not come. */
export const makeWaitingCommands = (session: Session): WaitingCommands => ({
  resubmitValidation: (resubmission, blobs, transaction, step) =>
    resubmit(session, resubmission, blobs, transaction, step),

  listWaiting: async (before, now, after) => {
    const since = after?.waitsSince?.getTime() ?? 0;
    // Index validations_waiting, the longest first, from the place of the page before.
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
  session: Session,
  { tenantId, id, version, sealedInput, revision, at, blobIds }: Resubmission,
  blobs: readonly BlobRow[],
  transaction: TransactionRecord,
  step: Step,
): Promise<boolean> => {
  // Primary key, one row, and only as it was seen: of two resubmissions at once the second changes nothing.
  const { numUpdatedRows } = await session.db
    .updateTable("validations")
    .set((of) => ({
      status: "PENDING",
      version,
      sealedInput,
      sealedRecord: null,
      decidedAt: null,
      decision: null,
      attempts: 0,
      // An analysis that could not be made is no attempt of the person's.
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
  session: Session,
  { tenantId, id, revision, decision, at, sealedRecord, transaction }: Ending,
  step: Step,
): Promise<boolean> => {
  // Primary key, one row, and only as it was seen: whoever sends pictures or decides meanwhile wins.
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
