import type { Session } from "./database.ts";
import type { BlobRow, Store } from "./store.ts";

type BlobCommands = Pick<Store, "forgetBlobs" | "knownBlobIds">;

/** Longest list that one command deletes, so that other commands wait milliseconds for it. */
const forgottenMax = 1000;

/** Rows that name the stored objects. An object without a row is an orphan and will be swept. */
export const makeBlobCommands = (session: Session): BlobCommands => ({
  forgetBlobs: async (before) => {
    const due = await listDue(session, before);
    for (const [tenantId, blobs] of Map.groupBy(due, (blob) => blob.tenantId)) {
      const ids = blobs.map(({ id }) => id);
      // Index validation_blobs_blob, then the primary key: one probe an id.
      await session.db
        .deleteFrom("validationBlobs")
        .where("tenantId", "=", tenantId)
        .where("blobId", "in", ids)
        .execute();
      await session.db.deleteFrom("blobs").where("tenantId", "=", tenantId).where("id", "in", ids).execute();
    }
    return due.length;
  },

  knownBlobIds: async (tenantId, ids) => {
    if (ids.length === 0) {
      return [];
    }
    // Primary key, one probe an id.
    const rows = await session.db
      .selectFrom("blobs")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("id", "in", ids)
      .execute();
    return rows.map(({ id }) => id);
  },
});

/** Index blobs_age, oldest first; the few whose validation is still open, or before a person, are stepped over. */
const listDue = ({ db, locksRows }: Session, before: Date) =>
  db
    .selectFrom("blobs as blob")
    .select(["blob.tenantId", "blob.id"])
    .where("blob.createdAt", "<", before.getTime())
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

/** The rows alone; part of the commands that create what the blobs belong to. */
export const insertBlobs = async ({ db }: Session, blobs: readonly BlobRow[]): Promise<void> => {
  if (blobs.length > 0) {
    // Primary key: an id names one object.
    await db
      .insertInto("blobs")
      .values(blobs.map((blob) => ({ ...blob, createdAt: blob.createdAt.getTime() })))
      .execute();
  }
};
