import type { WorkerLease } from "#record/jobs/store/job-lease";
import type { AttemptDecision, LoggedOutcome } from "#record/webhooks/delivery/delivery";
import type { ClearingOwner } from "./clearing-token.ts";

/** `failed`: every attempt of the ladder failed, or no attempt can succeed. */
export type CallbackState = "due" | "delivered" | "failed";

/** An attempt, as the log of its callback keeps it. Times are ISO 8601. */
export type LoggedCall = {
  readonly at: string;
  /** What the callback said: 200 or 410. Absent where nothing was written. */
  readonly said?: number;
  readonly outcome: LoggedOutcome;
  readonly status?: number;
  readonly decision: AttemptDecision;
  readonly nextAt?: string;
  readonly address?: string;
  readonly totalMs: number;
  readonly reason?: string;
};

/** A callback of the older flow: the row is also the job. `id` is the transaction of the call. */
export type Callback = ClearingOwner & {
  readonly id: string;
  readonly state: CallbackState;
  /** Failed attempts on the ladder. */
  readonly failures: number;
  /** The oldest first; as many as the ladder has pauses. */
  readonly log: readonly LoggedCall[];
  readonly createdAt: Date;
  readonly settledAt?: Date;
  /** URL and hash (sealed-callback.ts); absent once it is settled. */
  readonly sealed?: Uint8Array;
  readonly attempts: number;
  readonly deaths?: number;
};

export type NewCallback = Pick<Callback, "tenantId" | "environment" | "id" | "createdAt"> & {
  readonly sealed: Uint8Array;
  /** The data key that sealed them: a callback whose key was destroyed is not written. */
  readonly dataKeyId: string;
};

/** The end of an attempt. A state that is not due settles the callback, and removes URL and hash. */
export type CallbackChange = Pick<Callback, "tenantId" | "id" | "state" | "failures" | "log"> & {
  readonly at: Date;
  /** While due: time of the next attempt. */
  readonly nextAt?: Date;
};

/** The place of a callback in the list. */
export type CallbackPlace = Pick<Callback, "createdAt" | "id">;

export type CallbackLease = WorkerLease;

/** A worker's lease of a callback. */
export type HeldCallback = Pick<Callback, "tenantId" | "id"> & { readonly worker: string };
