import type { BlobRetentionCommands } from "#judging/document/store/blob-retention-store";
import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";

export const page = sqlPage<BlobRetentionCommands>("judging/document/store/blob-retention-store", {
  forgetBlobs: [{ args: [at], when: "of one tenant" }],
});
