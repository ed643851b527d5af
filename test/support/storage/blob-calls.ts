import { type BlobCommands, type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import type { Session } from "#machine/storage/database";
import { sqlPage } from "#support/storage/sql-page";
import { blob } from "#support/storage/sql-sample";

const objectName = { tenantId: "tenant", id: "blob" };

/** Part of the commands that create the owner of the blobs. */
const makeBlobParts = (session: Session<BlobTables>) => ({
  insertBlobs: (blobs: Parameters<typeof insertBlobs>[1]) => insertBlobs(session, blobs),
});

export const page = sqlPage<BlobCommands & ReturnType<typeof makeBlobParts>>(
  "machine/storage/blob-store",
  {
    knownBlobIds: [{ args: ["tenant", ["blob"]] }],
    findBlob: [{ args: [objectName] }],
    listBlobs: [
      { args: [undefined, 16], when: "of a first page" },
      { args: [objectName, 16], when: "of a later page" },
    ],
    hashBlob: [{ args: [objectName, "hash"] }],
    insertBlobs: [{ args: [[blob]], when: "one row" }],
  },
  makeBlobParts,
);
