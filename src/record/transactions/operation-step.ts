/** The part of a call, or of a later decision, that belongs to its operation. */
import type { Call, Caller } from "#contract/endpoint";
import type { AssetReference, AssetType, EventName } from "#contract/event";
import type { Json } from "#contract/json";
import type { EndedState } from "#contract/tracking-code";

/** A workflow event as a use case states it: its data without links to images. */
export type StatedEvent = {
  readonly name: EventName;
  readonly data: Readonly<Record<string, Json>>;
};

/** What a call adds to its operation: the name of the customer, images and events. */
export type OperationDetails = {
  /** The caller's own name for the person: `userId`, or else the merchant reference. */
  readonly customer?: string | undefined;
  /** Encoded images of the call. They are kept sealed for the operation, and events link to them. */
  readonly images?: Partial<Readonly<Record<AssetType, Uint8Array>>>;
  readonly events?: readonly StatedEvent[];
};

/** The part of a call that its operation needs. */
export type TrackedCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "tracking" | "family"
>;

/** An operation, as later work of a call refers to it. */
export type OperationReference = {
  readonly id: string;
  /** Transaction of the call. A decision adds nothing where the step of its call was left out. */
  readonly call?: string;
  /** The images that the call kept. */
  readonly assets: readonly AssetReference[];
};

/**
 * Prepares the step of a tracked call: stores its images sealed, and seals the data of its events. The step
 * then commits with the record of the call. Undefined where the call names no operation. Made by
 * `makeTrackCall` (record/operations/track-call.ts).
 */
export type TrackCall = (
  call: TrackedCall,
  endpoint: string,
  details?: OperationDetails,
) => Promise<OperationStep | undefined>;

/**
 * Prepares the step of a decision that comes after its call, such as that of a review. A finished operation
 * takes it too. Made by `makeTrackDecision` (record/operations/track-call.ts).
 */
export type TrackDecision = (
  decision: Pick<Caller, "tenantId" | "environment"> & { readonly transactionId: string; readonly at: Date },
  endpoint: string,
  operation: OperationReference,
  events: readonly StatedEvent[],
) => Promise<OperationStep>;

/** An event as the store takes it. `sealedData` holds its data and the references of its images. */
export type SealedEvent = {
  /** UUID, constant over all attempts to deliver the event. */
  readonly id: string;
  readonly name: EventName;
  readonly sealedData: Uint8Array;
};

/** A kept image with the row of its stored object. */
export type KeptAsset = AssetReference & {
  readonly blobId: string;
  readonly bytes: number;
  /** SHA-256 of the sealed object. */
  readonly sha256: string;
  /** The data key that sealed it. */
  readonly dataKeyId?: string;
};

/** The rows that a step adds to its operation, sealed. */
export type OperationStep = {
  readonly environment: Caller["environment"];
  /** Unique within tenant and environment; stands in the `source` of events. */
  readonly operationId: string;
  readonly transactionId: string;
  readonly endpoint: string;
  readonly at: Date;
  /**
   * Present for a call: opens the operation where it is new. Where it has ended, the call is refused, or the
   * step alone is left out (`byTokenAlone`). Absent for a later decision, which an ended operation takes too.
   */
  readonly opening?: {
    readonly started: SealedEvent;
    /** An operation without a further call ends then. */
    readonly expiresAt: Date;
    /**
     * If true, only the tracking token names the operation. If the operation has ended, the step is left out.
     */
    readonly byTokenAlone?: boolean;
    readonly family?: string;
    /** The first customer that a call names stays the customer of the operation. */
    readonly customer?: { readonly hash: string; readonly sealed: Uint8Array };
    /** The tracking token of the SDK. */
    readonly extraData?: { readonly hash: string; readonly sealed: Uint8Array };
  };
  readonly events: readonly SealedEvent[];
  readonly assets: readonly KeptAsset[];
  /** Transaction of the call that a decision follows: without its step the decision adds nothing. */
  readonly follows?: string;
  /** The only destination of a test event. If absent, every destination that takes the event gets it. */
  readonly onlyTo?: string;
  /** Ends the operation with this step. */
  readonly ending?: {
    readonly state: EndedState;
    readonly reason?: string;
    /** Kept where no call of the operation named one. */
    readonly family?: string;
  };
};
