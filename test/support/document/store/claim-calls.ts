import type { ClaimCommands } from "#judging/document/store/claim-store";
import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";

export const page = sqlPage<ClaimCommands>("judging/document/store/claim-store", {
  findClaims: [{ args: ["tenant", "number"] }],
  purgeClaims: [{ args: [at] }],
});
