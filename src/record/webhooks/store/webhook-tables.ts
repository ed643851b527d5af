/** Tables of destinations and deliveries. Times are milliseconds since 1970. */
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  type RowOf,
  sealed,
  type TablesOf,
  text,
  underTenant,
} from "#machine/storage/table";
import type { OperationTables } from "#record/operations/store/write-operation";
import type { AttemptDecision, DeliveryState, LoggedOutcome } from "../delivery/delivery.ts";
import type { DestinationState } from "../destinations/destination.ts";
import type { OneShotState } from "../one-shot/one-shot.ts";
import type { StateReason } from "./stored-destination.ts";

export const destinationTable = defineTable(
  "destinations",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    name: text(),
    state: text<DestinationState | "removed">(),
    stateReason: orNull(text<StateReason>()),
    /** JSON list. */
    topics: text(),
    isOrdered: int(),
    /**
     * Deliveries in flight over all processes; null: as the deployment states. A lease reads it without the
     * settings.
     */
    inFlightMax: orNull(int()),
    /** URL, headers and secrets. Empty in a removed row. */
    sealedSettings: sealed("operations", "destination {id}", { mayBeEmpty: true }),
    revision: int(),
    createdAt: int(),
    changedAt: int(),
    formerUntil: orNull(int()),
    failingSince: orNull(int()),
    /** The first 410 since the last success. */
    goneSince: orNull(int()),
    lastSuccessAt: orNull(int()),
    /**
     * Share of the time to its disabling, in percent, of the last warning; 0: none since the last success.
     */
    warned: int(),
    /** While its breaker is open, no delivery starts before this time. Then one does, as a probe. */
    blockedUntil: orNull(int()),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "id"],
    erase: {
      kept: "removed, without name, address and secrets: the evidence names their ids (forgetDestinations)",
    },
    keep: { until: "for ever, emptied at its removal" },
    rights: "seal",
  },
);

/**
 * The current OAuth token of a destination. `leasedBy` null beside a time in `leasedUntil`: a renewal failed,
 * and the next one waits until then.
 */
export const destinationTokenTable = defineTable(
  "destinationTokens",
  {
    tenantId: text(),
    destinationId: text(),
    serial: int(),
    revision: int(),
    sealedToken: orNull(sealed("operations", "token of destination {destinationId}", { boundBy: "owner" })),
    refreshAt: int(),
    expiresAt: int(),
    leasedBy: orNull(text()),
    leasedUntil: int(),
  },
  {
    key: ["tenantId", "destinationId"],
    erase: { goesWith: "destinations" },
    keep: { until: "with its destination" },
    rights: { sealed: "the OAuth token is encrypted and bound to its destination and the environment" },
  },
);

/** A delivery is one event for one destination, and its row is the job. */
export const deliveryTable = defineTable(
  "deliveries",
  {
    tenantId: text(),
    destinationId: text(),
    eventId: text(),
    operationId: text(),
    sequence: int(),
    eventAt: int(),
    state: text<DeliveryState>(),
    /** Attempts in all. */
    attempts: int(),
    /** Failed attempts on the ladder, which a replay starts again. */
    failures: int(),
    /** 1: the operator asked for it. */
    isManual: int(),
    dueAt: int(),
    createdAt: int(),
    /** While delivered or failed. */
    doneAt: orNull(int()),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    /** The fan-out made the row: over its key, operation, place and times. */
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "destinationId", "eventId"],
    erase: { goesWith: "operations" },
    keep: { until: "with its event" },
    rights: "seal",
  },
);

export const attemptTable = defineTable(
  "deliveryAttempts",
  {
    tenantId: text(),
    destinationId: text(),
    eventId: text(),
    attempt: int(),
    at: int(),
    outcome: text<LoggedOutcome>(),
    status: orNull(int()),
    decision: text<AttemptDecision>(),
    nextAt: orNull(int()),
    address: orNull(text()),
    /** JSON of `ExchangeTimings`. */
    timings: text(),
    sealedAnswer: orNull(
      sealed("operations", "answer {destinationId} {eventId} {attempt}", { boundBy: "owner" }),
    ),
    reason: orNull(text()),
  },
  {
    key: ["tenantId", "destinationId", "eventId", "attempt"],
    erase: { goesWith: "operations" },
    keep: { until: "with its event" },
    rights: { record: "a log of attempts that no decision reads" },
  },
);

/**
 * Messages for one receiver each. `settledAt` is null while an attempt is to come. `sealed` holds URL and
 * content until then.
 */
export const oneShotTable = defineTable(
  "oneShots",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    state: text<OneShotState>(),
    failures: int(),
    /** JSON list of `OneShotAttempt`. */
    log: text(),
    createdAt: int(),
    settledAt: orNull(int()),
    sealed: orNull(sealed("transfers", "callback {id}")),
    attempts: int(),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    loneDeaths: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseOneShots" },
    keep: { for: "transfersMs", by: "purgeOneShots" },
    rights: { sealed: underTenant },
  },
);

export type DestinationColumns = RowOf<typeof destinationTable>;
export type DeliveryColumns = RowOf<typeof deliveryTable>;
export type AttemptColumns = RowOf<typeof attemptTable>;
export type DestinationTables = TablesOf<readonly [typeof destinationTable]>;

export type DeliveryTables = Pick<OperationTables, "events" | "operations"> &
  DestinationTables &
  TablesOf<readonly [typeof deliveryTable, typeof attemptTable]>;

/** The tables of the module. */
export const webhookTables = [
  destinationTable,
  destinationTokenTable,
  deliveryTable,
  attemptTable,
  oneShotTable,
] as const;
