import type { Caller } from "#contract/endpoint";
import type { LeaseRequest } from "#record/jobs/job";
import type { TransactionRecord } from "#record/transactions/record";

export type ValidationStatus = "PENDING" | "DONE" | "FAILED";

/** The decision of a validation. `Expired`: no analysis decided it. `Abandoned`: it was not resubmitted. */
export const validationDecisions = [
  "Approved",
  "Declined",
  "Resubmission",
  "Review",
  "Expired",
  "Abandoned",
] as const;

export type ValidationDecision = (typeof validationDecisions)[number];

/** A document validation: the row is also the job. `sealed…` is JSON, sealed by the keyring. */
export type Validation = {
  readonly id: string;
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  readonly version: 1 | 2;
  readonly status: ValidationStatus;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  /** The input of the job: declared country and type, merchant reference, blob ids. */
  readonly sealedInput: Uint8Array;
  /** The verification record, once decided. */
  readonly sealedRecord?: Uint8Array;
  /**
   * The state of an external provider for the current images; absent without a provider, and once decided.
   */
  readonly sealedSession?: Uint8Array;
  /**
   * Number of times a worker leased the current images, without uncounted retries and leases that ended with
   * a death.
   */
  readonly attempts: number;
  /** Number of workers that died while they ran the current images alone; absent before the first death. */
  readonly deaths?: number;
  /**
   * Number of the current submission of images, from 1; a submission whose analysis FAILED is not counted.
   */
  readonly attempt: number;
  /** Counts the changes of state: a change applies only to the revision that was read. */
  readonly revision: number;
  /** Absent before the decision, and where it is unknown because the input could no longer be decrypted. */
  readonly decision?: ValidationDecision;
  /** Start of the wait for a decision or for better images; absent where it does not wait. */
  readonly waitsSince?: Date;
};

/**
 * Keyed hash of the caller's own reference: a new start under it is the next attempt of the validation that
 * waits.
 */
export type Continuing = { readonly chain: string; readonly waitingSince: Date };

export type NewValidation = Pick<
  Validation,
  "id" | "tenantId" | "environment" | "version" | "createdAt" | "sealedInput"
> & {
  readonly blobIds: readonly string[];
  readonly continues?: Continuing;
};

/** Better images for a validation that waits for them. */
export type Resubmission = Pick<Validation, "tenantId" | "id" | "version" | "sealedInput" | "revision"> & {
  readonly at: Date;
  readonly blobIds: readonly string[];
};

export type Lease = LeaseRequest & {
  /** Unique to one run of one worker: a restarted worker has a new name. */
  readonly worker: string;
};

/** A worker's lease of one revision of a validation: nothing is written to images that were sent later. */
export type Held = Pick<Validation, "tenantId" | "id" | "revision"> & { readonly worker: string };

export type Finish<Recorded = TransactionRecord> = Held & {
  readonly status: "DONE" | "FAILED";
  readonly at: Date;
  /** All absent where the row's input can no longer be decrypted: the caller and the request are unknown. */
  readonly decision?: "Approved" | "Declined" | "Resubmission" | "Review";
  readonly sealedRecord?: Uint8Array;
  readonly transaction?: Recorded;
  readonly claim?: Claim;
  /** Keyed hashes that count how often a document or a caller's reference comes. */
  readonly velocityEvents?: readonly string[];
  readonly expected?: ExpectedHistory;
};

/**
 * The stored history on which a decision rests, beside the claim. If it changed since it was read, nothing is
 * written.
 */
export type ExpectedHistory = {
  /** Keyed hashes of the document's numbers that were not on the block list. */
  readonly unlisted: readonly string[];
  /**
   * Since this time no hash of `velocityEvents` had more events than this. Absent: too many were counted
   * already.
   */
  readonly velocity?: { readonly since: Date; readonly eventsMax: number };
};

/** Keyed hashes of a document's number and of its customer from now on. */
export type Claim = {
  readonly numberHash: string;
  readonly customerHash: string;
  /**
   * The number's customers at the time of the decision: where another was added since, nothing is written.
   */
  readonly seen: readonly string[];
};

/**
 * `lost`: the worker's lease or the reviewer's claim has ended, or the validation is decided. `outdated`: the
 * claimed number was bound to another customer since it was read, or the history is not the expected one any
 * more.
 */
export type FinishAnswer = "finished" | "lost" | "outdated";

/** The end of a validation that waited too long. */
export type Ending<Recorded = TransactionRecord> = Pick<Validation, "tenantId" | "id" | "revision"> & {
  readonly decision: "Expired" | "Abandoned";
  readonly at: Date;
  /** Absent where the stored record can no longer be decrypted. */
  readonly sealedRecord?: Uint8Array;
  readonly transaction?: Recorded;
};
