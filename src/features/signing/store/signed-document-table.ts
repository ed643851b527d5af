import { defineTable, environment, int, orNull, text } from "#machine/storage/table";
import type { SignatureLevel } from "./signed-document.ts";

/**
 * Kept signed documents. `blobIds` are the parts of a document in their order, with commas: the bytes as they
 * were signed, and then each revision. `extendAt` is null where nothing has to be extended; a lease moves it
 * forward.
 */
export const signedDocumentTable = defineTable(
  "signedDocuments",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    createdAt: int(),
    bytes: int(),
    sha256: text(),
    level: text<SignatureLevel>(),
    blobIds: text(),
    revision: int(),
    extendedAt: orNull(int()),
    provableUntil: orNull(int()),
    extendAt: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "purgeSignedDocuments" },
    keep: { for: "documentsMs", by: "purgeSignedDocuments" },
    rights: { record: "the documents carry their own signatures" },
  },
);

/** The tables of the module. */
export const signingTables = [signedDocumentTable] as const;
