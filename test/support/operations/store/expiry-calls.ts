import type { ExpiryCommands } from "#record/operations/store/expiry-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, until } from "#support/storage/sql-sample";

export const page = sqlPage<ExpiryCommands>("record/operations/store/expiry-store", {
  listExpiries: [{ args: ["tenant", { since: at, until }] }],
});
