/** Tables of the scrub over all stored objects. */
import type { ObjectFault } from "./judge-object.ts";
import { defineTable, int, orNull, text } from "./table.ts";

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

export const scrubTables = [scrubTable, damagedBlobTable] as const;
