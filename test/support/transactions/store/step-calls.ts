import type { SealedTransaction } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, transaction } from "#support/storage/sql-sample";
import { anOperationStep } from "#support/storage/suite";

const step = {
  operation: anOperationStep("operation"),
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
