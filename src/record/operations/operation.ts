import type { Caller } from "#contract/endpoint";
import type { AssetType, EventName } from "#contract/event";
import type { Json } from "#contract/json";
import type { OperationState } from "#contract/tracking-code";

/** The tenant and environment of a caller: operations of others do not exist for it. */
export type Owner = Pick<Caller, "tenantId" | "environment">;

/** An operation as the store returns it. */
export type Operation = Owner & {
  readonly id: string;
  readonly state: OperationState;
  readonly openedAt: Date;
  /** When an open operation ends, unless a call comes before. */
  readonly expiresAt: Date;
  readonly endedAt?: Date;
  /** Transaction of the step that ended it. */
  readonly endedBy?: string;
  readonly reason?: string;
  readonly family?: string;
  readonly sealedCustomer?: Uint8Array;
};

/** The place of an operation in a list, the newest first. */
export type OperationPlace = Pick<Operation, "openedAt" | "id">;

/** Which operations of its owner a list holds. */
export type OperationFilter = {
  readonly state?: OperationState;
  /** Opened at this time or later. */
  readonly from?: Date;
  /** Opened before this time. */
  readonly to?: Date;
  readonly customerHash?: string;
};

export type OperationPage = { readonly operations: readonly Operation[]; readonly isLast: boolean };

/** A step with the result numbers of its call; they are absent once the transaction is removed. */
export type TimelineStep = {
  readonly transactionId: string;
  readonly endpoint: string;
  readonly at: Date;
  readonly result?: Json;
};

export type TimelineEvent = {
  readonly id: string;
  readonly sequence: number;
  readonly name: EventName;
  readonly at: Date;
  readonly sealedData: Uint8Array;
};

export type TimelineAsset = {
  readonly id: string;
  readonly type: AssetType;
  readonly createdAt: Date;
  readonly revokedAt?: Date;
  /** True where its row was added or changed past the service. */
  readonly isForged?: true;
};

/** What an operation holds, in the order of time. `isWhole` is false where a list was cut at its limit. */
export type Timeline = {
  readonly operation: Operation;
  readonly steps: readonly TimelineStep[];
  readonly events: readonly TimelineEvent[];
  readonly assets: readonly TimelineAsset[];
  readonly isWhole: boolean;
};

/** A kept image, as its link finds it. */
export type Asset = Owner & {
  readonly id: string;
  readonly operationId: string;
  readonly type: AssetType;
  readonly blobId: string;
  /**
   * True where its row was added or changed past the service: the object may be of another operation, and no
   * reader opens it.
   */
  readonly isForged?: true;
};
