import type { VerificationCommands } from "#features/verification/store/verification-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, jobLease, noStep, someBytes, transaction, until } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const blob = { id: "blob", tenantId: "tenant", kind: "verification", bytes: 1, createdAt: at };

const row = {
  ...owner,
  id: "id",
  keyId: "key",
  operationId: "operation",
  state: "PROCESSING",
  createdAt: at,
  sealed: someBytes,
  blobs: [blob],
} as const;

const held = { tenantId: "tenant", id: "id", worker: "worker" };

const change = {
  tenantId: "tenant",
  id: "id",
  revision: 1,
  state: "PROCESSING",
  sealed: someBytes,
  blobIds: ["blob"],
  added: [blob],
  removed: [],
} as const;

export const page = sqlPage<VerificationCommands<SealedTransaction>>(
  "features/verification/store/verification-store",
  {
    createVerification: [{ args: [row, transaction, noStep] }],
    findVerification: [{ args: [owner, "id"] }],
    leaseVerifications: [
      { args: [{ ...jobLease, isAlone: true }], when: "alone" },
      { args: [jobLease], when: "beside others" },
    ],
    renewVerification: [{ args: [held, until] }],
    retryVerification: [{ args: [held, until, true] }],
    changeVerification: [
      { args: [held, change, noStep], when: "that leaves it open" },
      {
        args: [
          held,
          {
            ...change,
            state: "COMPLETED",
            blobIds: [],
            added: [],
            removed: ["blob"],
            settled: { at, record: transaction },
          },
          noStep,
        ],
        when: "that ends it",
      },
    ],
    hastenVerifications: [{ args: ["tenant", "session"] }],
    eraseVerifications: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
    purgeVerifications: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
  },
);
