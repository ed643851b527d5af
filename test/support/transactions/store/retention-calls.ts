import type { RetentionCommands } from "#record/transactions/store/retention-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes } from "#support/storage/sql-sample";

export const page = sqlPage<RetentionCommands>("record/transactions/store/retention-store", {
  purgeTransactions: [{ args: ["tenant", at] }],
  listPlainMeasurements: [{ args: ["tenant"] }],
  sealMeasurements: [
    {
      args: [[{ tenantId: "tenant", id: "transaction", sealedMeasurements: someBytes }]],
      when: "for each call",
    },
  ],
  forgetPlainMeasurements: [{ args: ["tenant"] }],
});
