/** Tables of operations, their steps, events and images. Times are milliseconds since 1970. */
import type { AssetType, EventName } from "#contract/event";
import type { OperationState } from "#contract/tracking-code";
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  sealed,
  text,
  underTenant,
} from "#machine/storage/table";

/**
 * Operations. While one is open, it ends at `expiresAt` without a further call. `endedBy` is the transaction
 * of the step that ended it, `lastSequence` that of the newest event: events count from 1 without gaps.
 */
export const operationTable = defineTable(
  "operations",
  {
    tenantId: text(),
    environment: environment(),
    id: text(),
    state: text<OperationState>(),
    openedAt: int(),
    expiresAt: int(),
    endedAt: orNull(int()),
    endedBy: orNull(text()),
    reason: orNull(text()),
    family: orNull(text()),
    customerHash: orNull(text()),
    sealedCustomer: orNull(sealed("operations", "operation {id}")),
    lastSequence: int(),
  },
  {
    key: ["tenantId", "environment", "id"],
    erase: { by: "eraseOperations" },
    keep: { for: "operationsMs", by: "purgeOperations" },
    rights: {
      open: "a record; its end is in the evidence, its state stands in plain; the customer is encrypted and bound to it and the environment",
    },
  },
);

export const operationStepTable = defineTable(
  "operationSteps",
  {
    tenantId: text(),
    environment: environment(),
    operationId: text(),
    transactionId: text(),
    endpoint: text(),
    at: int(),
    extraHash: orNull(text()),
    sealedExtra: orNull(sealed("operations", "operation {operationId}")),
  },
  {
    key: ["tenantId", "environment", "operationId", "transactionId"],
    erase: { goesWith: "operations" },
    keep: { until: "with its operation" },
    rights: {
      record:
        "a record of calls; the tracking token is encrypted and bound to the operation and the environment",
    },
  },
);

/** What webhooks send. */
export const eventTable = defineTable(
  "events",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    operationId: text(),
    sequence: int(),
    name: text<EventName>(),
    at: int(),
    sealedData: sealed("operations", "event {id}"),
  },
  {
    key: ["tenantId", "id"],
    erase: { goesWith: "operations" },
    keep: { until: "with its operation" },
    rights: { sealed: underTenant },
  },
);

/** Images of an operation. The seal binds one to its operation and its object. */
export const assetTable = defineTable(
  "assets",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    operationId: text(),
    type: text<AssetType>(),
    blobId: text(),
    createdAt: int(),
    revokedAt: orNull(int()),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "id"],
    erase: { goesWith: "operations" },
    keep: { for: "operationImagesMs", by: "purgeAssets" },
    rights: "seal",
  },
);

/** The tables of the module. */
export const operationTables = [assetTable, operationTable, operationStepTable, eventTable] as const;
