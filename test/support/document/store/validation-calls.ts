import type { ValidationCommands } from "#judging/document/store/validation-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, blob, noStep, someBytes, transaction } from "#support/storage/sql-sample";

const validation = {
  id: "id",
  tenantId: "tenant",
  environment: "test",
  version: 2,
  createdAt: at,
  sealedInput: someBytes,
  blobIds: ["blob"],
} as const;

const continuing = { ...validation, continues: { chain: "chain", waitingSince: at } };

export const page = sqlPage<ValidationCommands<SealedTransaction>>(
  "judging/document/store/validation-store",
  {
    createValidation: [
      { args: [validation, [blob], transaction, noStep], when: "of one image" },
      {
        args: [continuing, [blob], transaction, noStep],
        when: "of one image, under a reference of the caller",
      },
    ],
    findValidation: [{ args: ["tenant", "id"] }],
  },
);
