import type { BlobRow } from "#machine/storage/blob-store";
import type { TablesOf } from "#machine/storage/table";
import type { WorkerLease } from "#record/jobs/store/job-lease";
import type { TransactionRecord } from "#record/transactions/record";
import type { VerificationFacts } from "../verification.ts";
import type { verificationTable } from "./verification-table.ts";

export type VerificationTables = TablesOf<readonly [typeof verificationTable]>;

/** A verification as the store has it: the row is also the job. */
export type VerificationRow = VerificationFacts & {
  /** Absent while the job has work. */
  readonly settledAt?: Date;
  readonly sealed: Uint8Array;
  /** The objects that it holds. */
  readonly blobIds: readonly string[];
};

export type NewVerification = Omit<
  VerificationRow,
  "revision" | "attempts" | "deaths" | "settledAt" | "blobIds"
> & {
  /** Rows of its objects. */
  readonly blobs: readonly BlobRow[];
  readonly waitsFor?: string | undefined;
};

/** A change of a leased verification, made to the revision that was read. */
export type VerificationChange<Recorded = TransactionRecord> = Pick<
  VerificationRow,
  "tenantId" | "id" | "revision" | "state" | "sealed" | "blobIds"
> & {
  /** The capture session or the document validation whose end lets the job go on. */
  readonly waitsFor?: string | undefined;
  /** Rows of new objects. */
  readonly added: readonly BlobRow[];
  /** Objects that it held and holds no longer. */
  readonly removed: readonly string[];
  /** Present at the end, which ends the lease too. */
  readonly settled?: { readonly at: Date; readonly record: Recorded | undefined };
};

export type VerificationLease = WorkerLease;

/** A worker's lease of a verification. */
export type HeldVerification = Pick<VerificationRow, "tenantId" | "id"> & { readonly worker: string };
