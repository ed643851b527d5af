import type { Caller } from "#contract/endpoint";
import type { DestinationState } from "../destinations/destination.ts";

/** Whose destinations a command reads and writes. */
export type DestinationOwner = Pick<Caller, "tenantId" | "environment">;

/**
 * Why a destination is not active: `operator` and `handshake` (no consent of the receiver yet) where it is
 * paused, `failures` and `gone` (answers 410 of the receiver) where it is disabled.
 */
export type StateReason = "operator" | "handshake" | "failures" | "gone";

/** A destination as its row holds it. */
export type StoredDestination = DestinationOwner & {
  readonly id: string;
  readonly name: string;
  readonly state: DestinationState;
  readonly stateReason?: StateReason;
  readonly topics: readonly string[];
  readonly isOrdered: boolean;
  readonly sealedSettings: Uint8Array;
  /** Counts the changes of name, topics, settings and state; results of deliveries do not count. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
  /** When the last former secret stops to sign. */
  readonly formerUntil?: Date;
  /** The first failure since the last success. */
  readonly failingSince?: Date;
  readonly lastSuccessAt?: Date;
  /** Its breaker is open: no delivery starts before this time. Then one does, as a probe. */
  readonly breakerUntil?: Date;
  /** True where it was added or changed past the service: nothing is delivered to it. */
  readonly isForged?: true;
};

export type NewDestination = Pick<
  StoredDestination,
  | "tenantId"
  | "environment"
  | "id"
  | "name"
  | "state"
  | "stateReason"
  | "topics"
  | "isOrdered"
  | "sealedSettings"
  | "createdAt"
> & {
  /** Deliveries in flight over all processes. Absent: as the deployment states. */
  readonly inFlightMax?: number;
};

/** Members that are absent stay. */
export type DestinationChange = {
  readonly at: Date;
  readonly name?: string;
  readonly topics?: readonly string[];
  readonly isOrdered?: boolean;
  readonly sealedSettings?: Uint8Array;
  /** Deliveries in flight over all processes. `default`: as the deployment states. */
  readonly inFlightMax?: number | "default";
  /** The former secrets of the sealed settings. `none`: they hold none. */
  readonly formerUntil?: Date | "none";
  readonly state?: { readonly is: DestinationState; readonly reason?: StateReason };
  /** Makes held deliveries due in the same commit, the oldest first, up to 10,000. */
  readonly releases?: boolean;
  /** Forgets failures and warnings, so that deliveries begin anew. */
  readonly forgetsFailures?: boolean;
};
