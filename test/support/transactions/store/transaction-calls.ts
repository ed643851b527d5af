import type { SealedTransaction, StoredTransaction } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, token, transaction } from "#support/storage/sql-sample";

export const page = sqlPage<TransactionCommands<SealedTransaction, StoredTransaction>>(
  "record/transactions/store/transaction-store",
  {
    recordTransaction: [
      { args: [transaction, [token], noStep], when: "of one token" },
      {
        args: [transaction, [token], noStep],
        when: "of one token that another call used before",
        findsNothing: 'insert into "token_uses"',
      },
    ],
    purgeTokenUses: [{ args: [at] }],
    findTransaction: [{ args: ["tenant", "transaction"] }],
    listTransactions: [{ args: ["tenant", at] }],
  },
);
