import { bytes, defineTable, int, orNull, text } from "#machine/storage/table";

/** Data keys, wrapped under the master key. A destroyed key keeps its row, without the key. */
export const keyTable = defineTable(
  "keys",
  {
    tenantId: text(),
    id: text(),
    purpose: text(),
    masterId: text(),
    wrapped: orNull(bytes("the check of data keys")),
    createdAt: int(),
    destroyedAt: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { kept: "the receipt of a destroyed key, without it" },
    keep: { until: "for ever" },
    rights: {
      sealed: "data keys are wrapped under the master key, and bound to their id, tenant and purpose",
    },
  },
);

/** Secrets of the deployment: no tenant leads the key. */
export const secretTable = defineTable(
  "secrets",
  { name: text(), sealed: bytes("the check of secrets") },
  {
    key: ["name"],
    erase: { kept: "secrets of the deployment, of no tenant" },
    keep: { until: "for ever" },
    rights: { sealed: "encrypted under a key of their name, derived from the master key" },
  },
);

/** The tables of the module. */
export const keyTables = [keyTable, secretTable] as const;
