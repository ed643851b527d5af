import type { ResultCommands } from "#record/transactions/store/result-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, until } from "#support/storage/sql-sample";

const range = { since: at, until };

export const page = sqlPage<ResultCommands>("record/transactions/store/result-store", {
  listResults: [{ args: ["tenant", range] }],
  countResults: [{ args: ["tenant", range] }],
});
