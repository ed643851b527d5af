/** Tables of stored objects and of the migrations. */
import { defineTable, int, orNull, text } from "./table.ts";

/** The versions of the tables. `migrate.ts` makes it, before any migration. */
export const migrationTable = defineTable(
  "migrations",
  { version: int(), name: text(), appliedAt: int() },
  {
    key: ["version"],
    erase: { kept: "versions of the tables, of no tenant" },
    keep: { until: "for ever" },
    rights: { record: "the versions of the tables; a changed one stops the start" },
  },
);

/**
 * A row for each stored object. `sha256` is over the sealed object; null in a row of an earlier release until
 * the scrub has opened it.
 */
export const blobTable = defineTable(
  "blobs",
  { tenantId: text(), id: text(), kind: text(), bytes: int(), createdAt: int(), sha256: orNull(text()) },
  {
    key: ["tenantId", "id"],
    erase: { kept: "names of sealed objects whose key is destroyed; the tidying removes both" },
    keep: { for: "imagesMs", ofAllBy: "forgetBlobs" },
    rights: { sealed: "a record of an object, whose bytes are encrypted and bound to its id" },
  },
);

/** The tables of the module, but those of the scrub. */
export const storageTables = [migrationTable, blobTable] as const;
