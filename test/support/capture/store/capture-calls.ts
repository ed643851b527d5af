import type { CaptureCommands } from "#features/capture/store/capture-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes, transaction, until } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const row = {
  ...owner,
  id: "id",
  keyId: "key",
  operationId: "operation",
  state: "OPEN",
  revision: 0,
  createdAt: at,
  expiresAt: until,
  sealed: someBytes,
  blobIds: [],
} as const;

const token = { hash: "hash", holder: "handoff" } as const;

const change = { ...row, added: [], removed: [] };

export const page = sqlPage<CaptureCommands<SealedTransaction>>("features/capture/store/capture-store", {
  createCapture: [{ args: [row, token, transaction, noStep] }],
  findCapture: [{ args: [owner, "id"] }],
  findCaptureOfToken: [{ args: ["hash"] }],
  changeCapture: [
    { args: [change, undefined, noStep], when: "of the content alone" },
    {
      args: [
        {
          ...change,
          removed: ["blob"],
          token,
          failures: [{ id: "id", subject: "subject", at }],
          forgiven: { subject: "subject", since: at },
        },
        transaction,
        noStep,
      ],
      when: "with all its parts",
    },
  ],
  listCaptureFailures: [{ args: ["tenant", "subject", at] }],
  expireCaptures: [{ args: [at] }],
  purgeCaptures: [{ args: ["tenant", at], when: "up to 100 sessions of a tenant" }],
  purgeCaptureFailures: [{ args: ["tenant", at] }],
});
