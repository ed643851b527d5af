import type { ListedDocumentCommands } from "#judging/document/store/listed-document-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes } from "#support/storage/sql-sample";

const listed = {
  tenantId: "tenant",
  id: "id",
  environment: "test",
  number: "number",
  sealedNote: someBytes,
  at,
} as const;

export const page = sqlPage<ListedDocumentCommands>("judging/document/store/listed-document-store", {
  listDocument: [{ args: [listed, noStep] }],
  unlistDocument: [{ args: ["tenant", "id", noStep] }],
  listListedDocuments: [{ args: ["tenant", ""] }],
  eraseListedDocuments: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  isDocumentListed: [{ args: ["tenant", "number"] }],
  countVelocityEvents: [{ args: ["tenant", "hash", at] }],
  purgeVelocityEvents: [{ args: [at] }],
});
