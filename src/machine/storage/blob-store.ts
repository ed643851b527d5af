import { type QueryExecutorProvider, sql } from "kysely";
import { requireDataKey } from "./data-key-lock.ts";
import type { Session } from "./database.ts";
import type { ObjectName } from "./objects.ts";
import type { blobTable } from "./storage-tables.ts";
import type { TablesOf } from "./table.ts";

/** The row of a stored object. */
export type BlobRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  /** Of the plain bytes. */
  readonly bytes: number;
  /**
   * Of the sealed object, 64 hex digits: the object is checked without a key. Absent in a row of an earlier
   * release.
   */
  readonly sha256?: string;
  /**
   * The data key that sealed the object, at the writing of the row alone: no column has it. Only the images
   * of a capture session or a verification that an earlier release began may lack it.
   */
  readonly dataKeyId?: string;
  readonly createdAt: Date;
};

/** What a row states of its object. */
export type StatedObject = ObjectName & Pick<BlobRow, "bytes" | "sha256">;

export type BlobTables = TablesOf<readonly [typeof blobTable]>;

/** Commands for the rows of stored objects; implemented by {@link makeBlobCommands}. */
export type BlobCommands = {
  /**
   * The ids among `ids` that a row of the tenant names. An object whose id is not among them is an orphan.
   */
  readonly knownBlobIds: (tenantId: string, ids: readonly string[]) => Promise<readonly string[]>;
  readonly findBlob: (name: ObjectName) => Promise<StatedObject | undefined>;
  /** Up to `limit` (1000 at most) rows after a name, in the order of tenant and id. */
  readonly listBlobs: (after: ObjectName | undefined, limit: number) => Promise<readonly StatedObject[]>;
  /** Completes a row of an earlier release. A row that has a hash keeps it. */
  readonly hashBlob: (name: ObjectName, sha256: string) => Promise<void>;
};

const pageMax = 1000;

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

  findBlob: async ({ tenantId, id }) => {
    // Primary key, one row.
    const row = await db
      .selectFrom("blobs")
      .select(["tenantId", "id", "bytes", "sha256"])
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && statedOf(row);
  },

  listBlobs: async (after, limit) => {
    // Primary key (tenant_id, id), a range of it.
    const rows = await db
      .selectFrom("blobs")
      .select(["tenantId", "id", "bytes", "sha256"])
      .$if(after !== undefined, (query) =>
        query.where((row) =>
          row(row.refTuple("tenantId", "id"), ">", row.tuple(after?.tenantId ?? "", after?.id ?? "")),
        ),
      )
      .orderBy("tenantId")
      .orderBy("id")
      .limit(Math.min(limit, pageMax))
      .execute();
    return rows.map(statedOf);
  },

  hashBlob: async ({ tenantId, id }, sha256) => {
    // Primary key, one row.
    await db
      .updateTable("blobs")
      .set({ sha256 })
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("sha256", "is", null)
      .execute();
  },
});

type StatedColumns = Pick<BlobTables["blobs"], "tenantId" | "id" | "bytes" | "sha256">;

const statedOf = ({ sha256, ...row }: StatedColumns): StatedObject => ({
  ...row,
  ...(sha256 !== null && { sha256 }),
});

/** Inserts the rows alone; part of the commands that create the owner of the blobs. */
export const insertBlobs = async (session: Session<BlobTables>, blobs: readonly BlobRow[]): Promise<void> => {
  for (const { tenantId, dataKeyId } of byKey(blobs)) await requireDataKey(session, { tenantId, dataKeyId });
  if (blobs.length > 0) {
    // Primary key: an id names one object.
    await session.db
      .insertInto("blobs")
      .values(
        blobs.map(({ id, tenantId, kind, bytes, sha256 = null, createdAt }) => ({
          id,
          tenantId,
          kind,
          bytes,
          sha256,
          createdAt: createdAt.getTime(),
        })),
      )
      .execute();
  }
};

/** The data keys of the objects, each once. */
const byKey = (blobs: readonly BlobRow[]) =>
  new Map(
    blobs.flatMap(({ tenantId, dataKeyId }) =>
      dataKeyId === undefined ? [] : [[`${tenantId} ${dataKeyId}`, { tenantId, dataKeyId }] as const],
    ),
  ).values();

/**
 * Deletes the rows of these objects that no other row names by a foreign key; part of the commands that
 * remove the owner of the objects. A row that was changed past the service can name the object of another
 * owner: that one keeps it, and deletes it with itself.
 */
export const deleteUnnamed = async (
  { db }: { readonly db: QueryExecutorProvider },
  tenantId: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  // Primary key, one probe for each; indexes assets_blob and validation_blobs_blob.
  await sql`delete from blobs where tenant_id = ${tenantId} and id in (${sql.join([...ids])})
    and not exists (select 1 from assets where assets.tenant_id = blobs.tenant_id and assets.blob_id = blobs.id)
    and not exists (select 1 from validation_blobs as link where link.tenant_id = blobs.tenant_id and link.blob_id = blobs.id)`.execute(
    db,
  );
};
