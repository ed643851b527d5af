import { type BlobRow, type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type { Continuing, NewValidation, Validation } from "./validation.ts";
import { type ValidationColumns, type ValidationTables, validationOf } from "./validation-row.ts";

/**
 * Commands for document validations as their tenant sees them; implemented by {@link makeValidationCommands}.
 */
export type ValidationCommands<Recorded = TransactionRecord> = {
  /** Writes the validation, its transaction and the rows of its blobs in one commit. */
  readonly createValidation: (
    validation: NewValidation,
    blobs: readonly BlobRow[],
    transaction: Recorded,
    step: Step,
  ) => Promise<void>;
  readonly findValidation: (tenantId: string, id: string) => Promise<Validation | undefined>;
};

type ValidationSession = StepSession<ValidationTables & BlobTables & TransactionTables>;

/** Document validations, as their tenant sees them. */
export const makeValidationCommands = (
  session: ValidationSession,
): ValidationCommands<SealedTransaction> => ({
  createValidation: async (validation, blobs, transaction, step) => {
    const { tenantId, id, environment, version, sealedInput, createdAt, continues } = validation;
    await requireLiveKeys(session, tenantId, sealedInput);
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
      .values({ tenantId, id, environment, version, sealedInput, ...started, createdAt: time })
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

/** Foreign keys: every image of the job has a row in this tenant. */
export const linkBlobs = async (
  { db }: Session<ValidationTables>,
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

/**
 * Ends the wait of the newest validation of a chain that waits for better images, and returns the number of
 * the next attempt.
 */
const takeUp = async (
  { db, locksRows }: Session<ValidationTables>,
  tenantId: string,
  { chain, waitingSince }: Continuing,
): Promise<number> => {
  // Index validations_chain, backwards, one row; skips a row that another start is changing.
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

/** An analysis that failed is no attempt of the person. */
const attemptAfter = ({ attempt, status }: Pick<ValidationColumns, "attempt" | "status">): number =>
  status === "FAILED" ? attempt : attempt + 1;
