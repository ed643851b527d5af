/** Tables of destinations and deliveries. Times are milliseconds since 1970. */
import type { OperationTables } from "#record/operations/store/write-operation";
import type { AttemptDecision, DeliveryState, LoggedOutcome } from "../delivery/delivery.ts";
import type { DestinationState } from "../destinations/destination.ts";
import type { DestinationOwner, StateReason } from "./stored-destination.ts";

export type DeliveryColumns = {
  tenantId: string;
  destinationId: string;
  eventId: string;
  operationId: string;
  sequence: number;
  eventAt: number;
  state: DeliveryState;
  /** Attempts in all. */
  attempts: number;
  /** Failed attempts on the ladder, which a replay starts again. */
  failures: number;
  /** 1: the operator asked for it. */
  isManual: number;
  dueAt: number;
  createdAt: number;
  /** While delivered or failed. */
  doneAt: number | null;
  leasedBy: string | null;
  leasedUntil: number | null;
  /** The fan-out made the row: over its key, operation, place and times. */
  seal: Uint8Array | null;
};

export type AttemptColumns = {
  tenantId: string;
  destinationId: string;
  eventId: string;
  attempt: number;
  at: number;
  outcome: LoggedOutcome;
  status: number | null;
  decision: AttemptDecision;
  nextAt: number | null;
  address: string | null;
  /** JSON of `ExchangeTimings`. */
  timings: string;
  sealedAnswer: Uint8Array | null;
  reason: string | null;
};

export type DestinationColumns = {
  tenantId: string;
  id: string;
  environment: DestinationOwner["environment"];
  name: string;
  state: DestinationState | "removed";
  stateReason: StateReason | null;
  /** JSON list. */
  topics: string;
  isOrdered: number;
  /** Deliveries in flight over all processes; null: as the deployment states. A lease reads it without the settings. */
  inFlightMax: number | null;
  /** Empty in a removed row. */
  sealedSettings: Uint8Array;
  revision: number;
  createdAt: number;
  changedAt: number;
  formerUntil: number | null;
  failingSince: number | null;
  /** The first 410 since the last success. */
  goneSince: number | null;
  lastSuccessAt: number | null;
  /** Share of the time to its disabling, in percent, of the last warning; 0: none since the last success. */
  warned: number;
  /** While its breaker is open, no delivery starts before this time. Then one does, as a probe. */
  blockedUntil: number | null;
};

export type DestinationTables = { destinations: DestinationColumns };

export type DeliveryTables = Pick<OperationTables, "events" | "operations"> &
  DestinationTables & {
    deliveries: DeliveryColumns;
    deliveryAttempts: AttemptColumns;
  };
