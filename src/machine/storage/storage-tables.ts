/** Tables of stored objects and of the migrations. */
import type { ObjectFault } from "./judge-object.ts";
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

/** A row for each stored object. `sha256` is over the sealed object; null in a row of an earlier release until the scrub has opened it. */
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

/** One row: the place of the round that runs, and the last complete one. */
export const scrubTable = defineTable(
  "scrubs",
  {
    name: text(),
    leasedBy: text(),
    leasedUntil: int(),
    startedAt: int(),
    afterTenant: text(),
    afterId: text(),
    checked: int(),
    damaged: int(),
    completedAt: orNull(int()),
    completedChecked: int(),
    completedDamaged: int(),
  },
  {
    key: ["name"],
    erase: { kept: "the place of a round, of no tenant" },
    keep: { until: "for ever: one row" },
    rights: { record: "the place of the round that compares stored objects" },
  },
);

/** What the scrub found. An entry without its blob means nothing. */
export const damagedBlobTable = defineTable(
  "damagedBlobs",
  { tenantId: text(), id: text(), fault: text<ObjectFault | "unopened">(), foundAt: int() },
  {
    key: ["tenantId", "id"],
    erase: {
      kept: "ids of sealed objects and what is wrong with each; without its blob an entry means nothing",
    },
    keep: { until: "the scrub finds the object whole" },
    rights: { record: "what that round found; a read compares an object itself" },
  },
);

/** The tables of the module. */
export const storageTables = [migrationTable, blobTable, scrubTable, damagedBlobTable] as const;
