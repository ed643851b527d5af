import type { ValidationRetentionCommands } from "#judging/document/store/validation-retention-store";
import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";

export const page = sqlPage<ValidationRetentionCommands>(
  "judging/document/store/validation-retention-store",
  {
    purgeValidations: [{ args: ["tenant", at] }],
  },
);
