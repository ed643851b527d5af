import type { Operation } from "#record/operations/operation";
import type { OperationCommands } from "#record/operations/store/operation-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, until } from "#support/storage/sql-sample";
import { anOperationStep } from "#support/storage/suite";

const owner = { tenantId: "tenant", environment: "test" } as const;

const operation: Operation = { ...owner, id: "operation", state: "open", openedAt: at, expiresAt: until };

const { opening: _, ...expiry } = anOperationStep("operation", {
  environment: "test",
  ending: { state: "EXPIRED" },
});

export const page = sqlPage<OperationCommands>("record/operations/store/operation-store", {
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
});
