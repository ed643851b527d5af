import type { VerificationState } from "#contract/verification";
import { defineTable, environment, int, orNull, sealed, text, underTenant } from "#machine/storage/table";

/**
 * Verifications: the row is the job. `settledAt` is null while it has work. `sealed` holds what was asked and
 * what was found; `blobIds` names the images until the end. `waitsFor` is the capture session or the document
 * validation whose end lets the job go on.
 */
export const verificationTable = defineTable(
  "verifications",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    keyId: text(),
    operationId: text(),
    state: text<VerificationState>(),
    revision: int(),
    createdAt: int(),
    settledAt: orNull(int()),
    waitsFor: orNull(text()),
    sealed: sealed("verifications", "verification {id}"),
    blobIds: text(),
    attempts: int(),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    loneDeaths: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseVerifications" },
    keep: { for: "validationsMs", by: "purgeVerifications" },
    rights: {
      open: `${underTenant}; its state beside it decides when the job goes on`,
    },
  },
);

/** The tables of the module. */
export const verificationTables = [verificationTable] as const;
