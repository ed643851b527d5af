import type { RowOf, TablesOf } from "#machine/storage/table";
import { countsOf } from "#record/jobs/store/job-lease";
import type { validationBlobTable, validationTable } from "./document-tables.ts";
import type { Validation } from "./validation.ts";

export type ValidationColumns = RowOf<typeof validationTable>;

export type ValidationTables = TablesOf<readonly [typeof validationTable, typeof validationBlobTable]>;

/** A row in the form that the modules use. */
export const validationOf = (row: ValidationColumns): Validation => ({
  id: row.id,
  tenantId: row.tenantId,
  environment: row.environment,
  version: row.version,
  status: row.status,
  createdAt: new Date(row.createdAt),
  ...(row.decidedAt === null ? {} : { decidedAt: new Date(row.decidedAt) }),
  sealedInput: new Uint8Array(row.sealedInput),
  ...(row.sealedRecord === null ? {} : { sealedRecord: new Uint8Array(row.sealedRecord) }),
  ...(row.sealedSession === null ? {} : { sealedSession: new Uint8Array(row.sealedSession) }),
  ...countsOf(row),
  attempt: row.attempt,
  revision: row.revision,
  ...(row.decision === null ? {} : { decision: row.decision }),
  ...(row.waitsSince === null ? {} : { waitsSince: new Date(row.waitsSince) }),
});
