import type { AttemptDecision, LoggedOutcome } from "../delivery/delivery.ts";
import type { DestinationOwner } from "../store/stored-destination.ts";

/** `failed`: every attempt of the ladder failed, or no attempt can succeed. */
export type OneShotState = "due" | "delivered" | "failed";

/** An attempt, as the log of its one-shot keeps it. Times are ISO 8601. */
export type OneShotAttempt = {
  readonly at: string;
  /** The status that the message stated. Absent where nothing was written. */
  readonly reportedStatus?: number;
  readonly outcome: LoggedOutcome;
  readonly status?: number;
  readonly decision: AttemptDecision;
  readonly nextAt?: string;
  readonly address?: string;
  readonly totalMs: number;
  readonly reason?: string;
};

/**
 * One message to one receiver, which is no destination of events. The row is also the job. `id` is that of
 * the message in every attempt.
 */
export type OneShot = DestinationOwner & {
  readonly id: string;
  readonly state: OneShotState;
  /** Failed attempts on the ladder. */
  readonly failures: number;
  /** The oldest first; as many as the ladder has pauses. */
  readonly log: readonly OneShotAttempt[];
  readonly createdAt: Date;
  readonly settledAt?: Date;
  /** URL, secret and what the message is written from; absent once it is settled. */
  readonly sealed?: Uint8Array;
  readonly attempts: number;
  readonly deaths?: number;
};

export type NewOneShot = Pick<OneShot, "tenantId" | "environment" | "id" | "createdAt"> & {
  readonly sealed: Uint8Array;
};

/** The end of an attempt. A state that is not due settles the one-shot, and removes what is sealed. */
export type OneShotChange = Pick<OneShot, "tenantId" | "id" | "state" | "failures" | "log"> & {
  readonly at: Date;
  /** While due: time of the next attempt. */
  readonly nextAt?: Date;
};

/** The place of a one-shot in the list. */
export type OneShotPlace = Pick<OneShot, "createdAt" | "id">;
