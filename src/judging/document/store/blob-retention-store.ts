import type { BlobTables } from "#machine/storage/blob-store";
import type { Session } from "#machine/storage/database";
import type { OperationTables } from "#record/operations/store/write-operation";
import type { ReviewTables } from "./review-store.ts";
import type { ValidationTables } from "./validation-row.ts";

/** Commands for images past their retention period; implemented by {@link makeBlobRetentionCommands}. */
export type BlobRetentionCommands = {
  /**
   * Deletes the rows of up to 1000 blobs made before `before`, oldest first, but of no undecided validation
   * and of no image of an operation, part of a signed document or object of a capture session, which have a
   * retention of their own. Returns how many, so the caller can continue. The sweeper removes objects without
   * a row.
   */
  readonly forgetBlobs: (before: Date) => Promise<number>;
};

type RetentionSession = Session<
  BlobTables & ValidationTables & ReviewTables & Pick<OperationTables, "assets">
>;

/** Longest list that one command deletes, so other commands wait only milliseconds for it. */
const forgottenMax = 1000;

/** Rows of images by their age. An object without a row is an orphan, and the sweeper removes it. */
export const makeBlobRetentionCommands = (session: RetentionSession): BlobRetentionCommands => ({
  forgetBlobs: async (before) => {
    const due = await listDue(session, before);
    for (const [tenantId, blobs] of Map.groupBy(due, (blob) => blob.tenantId)) {
      const ids = blobs.map(({ id }) => id);
      // Index validation_blobs_blob, then the primary key: one probe per id.
      await session.db
        .deleteFrom("validationBlobs")
        .where("tenantId", "=", tenantId)
        .where("blobId", "in", ids)
        .execute();
      await session.db.deleteFrom("blobs").where("tenantId", "=", tenantId).where("id", "in", ids).execute();
    }
    return due.length;
  },
});

/**
 * Index blobs_age, oldest first; skips the few whose validation is undecided or in the review queue, and by
 * index assets_blob the images of operations.
 */
const listDue = ({ db, locksRows }: RetentionSession, before: Date) =>
  db
    .selectFrom("blobs as blob")
    .select(["blob.tenantId", "blob.id"])
    .where("blob.createdAt", "<", before.getTime())
    // Parts of signed documents and objects of capture sessions have a retention of their own.
    .where("blob.kind", "not in", ["signed-document", "capture"])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("assets as asset")
            .select("asset.id")
            .whereRef("asset.tenantId", "=", "blob.tenantId")
            .whereRef("asset.blobId", "=", "blob.id"),
        ),
      ),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("validationBlobs as link")
            .innerJoin("validations as validation", (join) =>
              join
                .onRef("validation.tenantId", "=", "link.tenantId")
                .onRef("validation.id", "=", "link.validationId"),
            )
            .select("link.blobId")
            .whereRef("link.tenantId", "=", "blob.tenantId")
            .whereRef("link.blobId", "=", "blob.id")
            .leftJoin("reviews as review", (join) =>
              join
                .onRef("review.tenantId", "=", "link.tenantId")
                .onRef("review.validationId", "=", "link.validationId"),
            )
            .where((open) =>
              open.or([
                open("validation.status", "=", "PENDING"),
                open("review.validationId", "is not", null),
              ]),
            ),
        ),
      ),
    )
    .orderBy("blob.createdAt")
    .limit(forgottenMax)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .execute();
