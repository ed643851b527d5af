import type { ValidationColumns } from "./database.ts";
import type { Validation } from "./store.ts";

/** A row as the rooms see it. */
export const validationOf = (row: ValidationColumns): Validation => ({
  id: row.id,
  tenantId: row.tenantId,
  world: row.world,
  version: row.version,
  status: row.status,
  createdAt: new Date(row.createdAt),
  ...(row.decidedAt === null ? {} : { decidedAt: new Date(row.decidedAt) }),
  sealedInput: new Uint8Array(row.sealedInput),
  ...(row.sealedRecord === null ? {} : { sealedRecord: new Uint8Array(row.sealedRecord) }),
  ...(row.sealedSession === null ? {} : { sealedSession: new Uint8Array(row.sealedSession) }),
  attempts: row.attempts,
  attempt: row.attempt,
  revision: row.revision,
  ...(row.decision === null ? {} : { decision: row.decision }),
  ...(row.waitsSince === null ? {} : { waitsSince: new Date(row.waitsSince) }),
});
