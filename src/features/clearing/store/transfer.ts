import type { LeaseRequest } from "#record/jobs/job";
import type { TransferState } from "../transfers/transfer-state.ts";
import type { ClearingOwner } from "./clearing-token.ts";

/** Why a transfer is settled, or waits: a word without personal data. */
export type TransferReason =
  | "entity-refused"
  | "credentials-refused"
  | "unreachable"
  | "no-answer"
  | "answer-unusable"
  | "interrupted"
  | "failed";

/** A transfer through the clearing entity: the row is also the job. */
export type Transfer = ClearingOwner & {
  readonly id: string;
  /** Transaction of the identity call. */
  readonly transactionId: string;
  readonly state: TransferState;
  readonly reason?: TransferReason;
  /** Counts the changes of state: a change applies only to the revision that was read. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /**
   * Start of the wait for an entity that cannot be reached; the time of the last move where none is waited
   * for.
   */
  readonly waitsSince: Date;
  /** The affiliate, the request and the answers (sealed-transfer.ts). */
  readonly sealed: Uint8Array;
  /** The data key that sealed them: a transfer whose key was destroyed is not written. */
  readonly dataKeyId: string;
  readonly attempts: number;
  readonly deaths?: number;
};

export type NewTransfer = Pick<
  Transfer,
  "tenantId" | "environment" | "id" | "transactionId" | "createdAt" | "sealed" | "dataKeyId"
>;

/** The place of a transfer in the list. */
export type TransferPlace = Pick<Transfer, "createdAt" | "id">;

/** A change of state. Nothing is written unless the revision is the one that was read. */
export type TransferChange = Pick<Transfer, "tenantId" | "id" | "revision"> & {
  readonly state: TransferState;
  readonly at: Date;
  readonly sealed: Uint8Array;
  readonly dataKeyId: string;
  readonly reason?: TransferReason;
  /** Absent: the wait began earlier and goes on. */
  readonly waitsSince?: Date;
};

export type TransferLease = LeaseRequest & {
  /** Unique to one run of one worker: a restarted worker has a new name. */
  readonly worker: string;
};

/** A worker's lease of a transfer. */
export type HeldTransfer = Pick<Transfer, "tenantId" | "id"> & { readonly worker: string };
