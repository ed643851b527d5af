import type { Session } from "./database.ts";

/** The row of a stored object. */
export type BlobRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly bytes: number;
  readonly createdAt: Date;
};

export type BlobTables = {
  blobs: { tenantId: string; id: string; kind: string; bytes: number; createdAt: number };
};

/** Commands for the rows of stored objects; implemented by {@link makeBlobCommands}. */
export type BlobCommands = {
  /**
   * The ids among `ids` that a row of the tenant names. An object whose id is not among them is an orphan.
   */
  readonly knownBlobIds: (tenantId: string, ids: readonly string[]) => Promise<readonly string[]>;
};

/** Rows that name the stored objects. An object without a row is an orphan, and the sweeper removes it. */
export const makeBlobCommands = ({ db }: Session<BlobTables>): BlobCommands => ({
  knownBlobIds: async (tenantId, ids) => {
    if (ids.length === 0) {
      return [];
    }
    // Primary key, one probe per id.
    const rows = await db
      .selectFrom("blobs")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("id", "in", ids)
      .execute();
    return rows.map(({ id }) => id);
  },
});

/** Inserts the rows alone; part of the commands that create the owner of the blobs. */
export const insertBlobs = async ({ db }: Session<BlobTables>, blobs: readonly BlobRow[]): Promise<void> => {
  if (blobs.length > 0) {
    // Primary key: an id names one object.
    await db
      .insertInto("blobs")
      .values(blobs.map((blob) => ({ ...blob, createdAt: blob.createdAt.getTime() })))
      .execute();
  }
};
