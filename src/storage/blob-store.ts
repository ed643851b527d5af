import type { Session } from "./database.ts";
import type { BlobRow, Store } from "./store.ts";

type BlobCommands = Pick<Store, "findBlob" | "knownBlobIds">;

/** Rows that name the stored objects. An object without a row is an orphan and will be swept. */
export const makeBlobCommands = ({ db }: Session): BlobCommands => ({
  findBlob: async (tenantId, id) => {
    // Primary key, one row.
    const row = await db
      .selectFrom("blobs")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && { ...row, createdAt: new Date(row.createdAt) };
  },

  knownBlobIds: async (tenantId, ids) => {
    if (ids.length === 0) {
      return [];
    }
    // Primary key, one probe an id.
    const rows = await db
      .selectFrom("blobs")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("id", "in", ids)
      .execute();
    return rows.map(({ id }) => id);
  },
});

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
