import type { SignedDocumentCommands } from "#features/signing/store/signed-document-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, blob, noStep, transaction, until } from "#support/storage/sql-sample";

const signedDocument = {
  tenantId: "tenant",
  environment: "test",
  id: "id",
  createdAt: at,
  bytes: 1,
  sha256: "hash",
  level: "B-LTA",
  blobIds: ["blob"],
  revision: 1,
} as const;

const owner = { tenantId: "tenant", environment: "test" } as const;

export const page = sqlPage<SignedDocumentCommands<SealedTransaction>>(
  "features/signing/store/signed-document-store",
  {
    recordSignedDocument: [{ args: [signedDocument, [blob], transaction, noStep], when: "of one piece" }],
    findSignedDocument: [{ args: [owner, "id"] }],
    listSignedDocuments: [
      { args: [owner, 51], when: "of a first page" },
      { args: [owner, 51, { createdAt: at, id: "id" }], when: "of a later page" },
    ],
    leaseDueDocument: [{ args: [at, until] }],
    extendSignedDocument: [{ args: [{ ...signedDocument, at }, [blob], noStep] }],
    purgeSignedDocuments: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
  },
);
