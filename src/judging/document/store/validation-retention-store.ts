import { type BlobTables, deleteUnnamed } from "#machine/storage/blob-store";
import type { Session } from "#machine/storage/database";
import type { ReviewTables } from "./review-store.ts";
import type { ValidationTables } from "./validation-row.ts";

/** Commands for validations past their retention; implemented by {@link makeValidationRetentionCommands}. */
export type ValidationRetentionCommands = {
  /**
   * Deletes up to 200 validations of the tenant that were decided before `before`, the oldest first, with the
   * rows of their images. Leaves a validation that is in the review queue or waits for better images. Returns
   * how many.
   */
  readonly purgeValidations: (tenantId: string, before: Date) => Promise<number>;
};

type RetentionSession = Session<ValidationTables & ReviewTables & BlobTables>;

/** Rows of one command have some ten kilobytes each, so other commands wait only milliseconds for it. */
const purgedMax = 200;

/** Validations by their age. The sweeper removes the objects of their images. */
export const makeValidationRetentionCommands = (session: RetentionSession): ValidationRetentionCommands => ({
  purgeValidations: async (tenantId, before) => {
    const ids = await listDue(session, tenantId, before);
    if (ids.length === 0) {
      return 0;
    }
    // Primary key (tenant_id, validation_id, blob_id), a range for each.
    const links = await session.db
      .deleteFrom("validationBlobs")
      .where("tenantId", "=", tenantId)
      .where("validationId", "in", ids)
      .returning("blobId")
      .execute();
    const blobs = links.map(({ blobId }) => blobId);
    await deleteUnnamed(session, tenantId, blobs);
    await session.db
      .deleteFrom("validations")
      .where("tenantId", "=", tenantId)
      .where("id", "in", ids)
      .execute();
    return ids.length;
  },
});

/**
 * Index validations_age, oldest first; skips the few that are in the review queue or wait for better images.
 */
const listDue = async (
  { db, locksRows }: RetentionSession,
  tenantId: string,
  before: Date,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("validations as validation")
    .select("validation.id")
    .where("validation.tenantId", "=", tenantId)
    .where("validation.decidedAt", "<", before.getTime())
    .where("validation.waitsSince", "is", null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("reviews")
            .select("reviews.validationId")
            .whereRef("reviews.tenantId", "=", "validation.tenantId")
            .whereRef("reviews.validationId", "=", "validation.id"),
        ),
      ),
    )
    .orderBy("validation.decidedAt")
    .orderBy("validation.id")
    .limit(purgedMax)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .execute();
  return rows.map(({ id }) => id);
};
