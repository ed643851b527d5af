/** Deliveries: one event for one destination. The row of a delivery is the job. */
import type { PublishedEvent } from "#record/events/cloud-event";
import type { AttemptOutcome, ExchangeTimings } from "../send/send.ts";
import type { StoredDestination } from "../store/stored-destination.ts";

/**
 * `due`: waits for its next attempt. `held`: waits for the operator, because its destination is paused or
 * disabled. `failed`: every attempt of its ladder failed, or no attempt can succeed.
 */
export const deliveryStates = ["due", "held", "delivered", "failed"] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** Names one delivery. */
export type DeliveryKey = {
  readonly tenantId: string;
  readonly destinationId: string;
  readonly eventId: string;
};

/**
 * Outcomes of an attempt that sent nothing. `destination_removed`: queued when the operator removed the
 * destination. `event_erased`: the tenant's keys are destroyed. `unreadable`: stored data is damaged.
 * `internal`: an error of this service. `forged`: the delivery or its event was added or changed past the
 * service.
 */
export const unsentOutcomes = [
  "destination_removed",
  "event_erased",
  "unreadable",
  "forged",
  "internal",
] as const;

export type UnsentOutcome = (typeof unsentOutcomes)[number];

/** How an attempt ended, as its log says it. */
export type LoggedOutcome = AttemptOutcome | UnsentOutcome;

/**
 * What follows an attempt. `gone`: the receiver answered 410 for an hour, so its destination is disabled.
 * `disabled`: its destination has had nothing but failures for too long.
 */
export const attemptDecisions = ["delivered", "retry", "failed", "gone", "disabled"] as const;

export type AttemptDecision = (typeof attemptDecisions)[number];

/** A sealed event with its place in its operation. */
export type SealedDeliveryEvent = Omit<PublishedEvent, "data" | "assets"> & {
  readonly sealedData: Uint8Array;
};

/** A destination as the lease returns it. */
export type LeasedDestination = {
  readonly tenantId: string;
  readonly id: string;
  /** Absent: the operator removed the destination while deliveries waited. */
  readonly stored?: StoredDestination;
  readonly health: DestinationHealth;
};

/** The part of a destination that the outcomes of its attempts change. */
export type DestinationHealth = {
  /** The first of the failures since the last success. */
  readonly failingSince?: Date;
  /** The first 410 of the receiver since the last success. */
  readonly goneSince?: Date;
  readonly lastSuccessAt?: Date;
  /** Share of the time to its disabling, in percent, at which the operator was last warned; 0: no warning. */
  readonly warned: number;
  /** Its breaker is open, or this process makes the probe. */
  readonly isProbe: boolean;
};

/** A delivery that this process holds under a lease. */
export type LeasedDelivery = DeliveryKey & {
  /** Attempts in all, before this one. */
  readonly attempts: number;
  /** Failures on the ladder. A replay starts the ladder again. */
  readonly failures: number;
  readonly isManual: boolean;
  /** True where the row was added or changed past the service. */
  readonly isForged?: true;
  /** The event as the row of the delivery names it. */
  readonly stated: Pick<SealedDeliveryEvent, "operationId" | "sequence"> & { readonly eventAt: Date };
  readonly event: SealedDeliveryEvent;
  readonly destination: LeasedDestination;
};

export type DeliveryLease = {
  readonly worker: string;
  readonly now: Date;
  readonly leaseMs: number;
  /** Deliveries that this process can take. */
  readonly limit: number;
  /** Deliveries in flight for each destination without a limit of its own, over all processes. */
  readonly inFlightMax: number;
  /** The last destination that had slots in an earlier lease: destinations after it come first. */
  readonly after: string;
};

export type LeasedDeliveries = {
  readonly deliveries: readonly LeasedDelivery[];
  /** How many of them a worker held whose lease has ended. */
  readonly expired: number;
  /** Another process served a destination with due deliveries at this moment: search again soon. */
  readonly isContended: boolean;
  /** The last destination that had slots, with a delivery or without: the next lease begins after it. */
  readonly last?: string;
};

/** One attempt with what follows it. */
export type FinishedAttempt = DeliveryKey & {
  /** Counts from 1 within the delivery. */
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: LoggedOutcome;
  readonly status?: number;
  readonly decision: AttemptDecision;
  /** The state of the delivery from now on. */
  readonly state: DeliveryState;
  readonly failures: number;
  /** Time of the next attempt. */
  readonly nextAt?: Date;
  readonly address?: string;
  readonly timings: ExchangeTimings;
  /** Sealed by `sealAnswer`. */
  readonly sealedAnswer?: Uint8Array;
  readonly reason?: string;
};

/** A leased delivery without an attempt: it is due again from then on. */
export type RetriedDelivery = DeliveryKey & { readonly dueAt: Date };
