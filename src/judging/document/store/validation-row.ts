import type { Caller } from "#contract/endpoint";
import { countsOf } from "#record/jobs/store/job-lease";
import type { Validation, ValidationDecision, ValidationStatus } from "./validation.ts";

export type ValidationColumns = {
  tenantId: string;
  id: string;
  environment: Caller["environment"];
  version: 1 | 2;
  status: ValidationStatus;
  createdAt: number;
  decidedAt: number | null;
  sealedInput: Uint8Array;
  sealedRecord: Uint8Array | null;
  sealedSession: Uint8Array | null;
  attempts: number;
  leasedBy: string | null;
  leasedUntil: number | null;
  loneDeaths: number | null;
  attempt: number;
  revision: number;
  decision: ValidationDecision | null;
  waitsSince: number | null;
  chain: string | null;
};

export type ValidationTables = {
  validations: ValidationColumns;
  validationBlobs: { tenantId: string; validationId: string; blobId: string };
};

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
