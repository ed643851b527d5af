import type { SealedTransaction } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes, transaction, until } from "#support/storage/sql-sample";
import { anOperationStep } from "#support/storage/suite";

const sealed = { hash: "hash", sealed: someBytes };

const step = {
  operation: anOperationStep("operation", {
    opening: {
      started: { id: "started", name: "operation_started", sealedData: someBytes },
      expiresAt: until,
      customer: sealed,
      extraData: sealed,
    },
    events: [{ id: "event", name: "selfie_captured", sealedData: someBytes }],
  }),
  evidence: [{ id: "evidence", kind: "kind", at, body: {} }],
};

export const page = sqlPage<Pick<TransactionCommands<SealedTransaction>, "recordTransaction">>(
  "record/transactions/store/step-store",
  {
    recordTransaction: [
      {
        args: [transaction, [], step],
        when: "whose call opens an operation, with one event and one evidence entry",
      },
    ],
  },
);
