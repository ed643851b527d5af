// Calls of the commands of operations and their images.

import type { Operation } from "#record/operations/operation";
import type { AssetCommands } from "#record/operations/store/asset-store";
import type { ExpiryCommands } from "#record/operations/store/expiry-store";
import type { OperationRetentionCommands } from "#record/operations/store/operation-retention-store";
import type { OperationCommands } from "#record/operations/store/operation-store";
import { anOperationStep } from "#support/storage/suite";
import type { Calls } from "./record.ts";
import { at, noStep, until } from "./sample.ts";

const owner = { tenantId: "tenant", environment: "test" } as const;
const operation: Operation = { ...owner, id: "operation", state: "open", openedAt: at, expiresAt: until };

const { opening: _, ...expiry } = anOperationStep("operation", {
  environment: "test",
  ending: { state: "EXPIRED" },
});

export const operationCalls: Calls<OperationCommands> = {
  findOperation: [{ args: [owner, "operation"] }],
  findOperationOfExtra: [{ args: [owner, "hash"] }],
  listOperations: [
    { args: [owner, {}], when: "the first page" },
    {
      args: [owner, { state: "open", from: at, to: until }, operation],
      when: "a later page in one state, of a time",
    },
    { args: [owner, { customerHash: "hash" }], when: "of a customer" },
  ],
  readTimeline: [{ args: [owner, "operation"] }],
  listExpired: [{ args: [at] }],
  expireOperation: [
    { args: [operation, { evidence: [], operation: expiry }] },
    { args: [operation, noStep], when: "after a call came", findsNothing: 'from "operations"' },
  ],
};

export const expiryCalls: Calls<ExpiryCommands> = {
  listExpiries: [{ args: ["tenant", { since: at, until }] }],
};

export const assetCalls: Calls<AssetCommands> = {
  findAsset: [{ args: ["asset"] }],
  noteAssetRead: [{ args: [{ tenantId: "tenant", id: "asset" }, noStep] }],
  revokeAsset: [{ args: [owner, "operation", "asset", at, noStep] }],
  purgeAssets: [{ args: ["tenant", at], when: "up to 500 images" }],
};

export const operationRetentionCalls: Calls<OperationRetentionCommands> = {
  purgeOperations: [
    { args: ["tenant", at], when: "the events of up to 50 operations" },
    {
      args: ["tenant", at],
      when: "their steps, when they have no event",
      findsNothing: 'from "events"',
    },
  ],
  eraseOperations: [{ args: ["tenant", at], when: "as above, by the time of opening" }],
};
