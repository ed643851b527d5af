import type { ReviewCommands } from "#judging/document/store/review-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, claim, noStep, someBytes, transaction, until } from "#support/storage/sql-sample";

const reviewer = { tenantId: "tenant", environment: "test", keyId: "key" } as const;

const reviewEnd = { decision: "Approved", at, sealedRecord: someBytes, transaction, claim } as const;

export const page = sqlPage<ReviewCommands<SealedTransaction>>("judging/document/store/review-store", {
  listReviews: [{ args: [reviewer] }],
  findReview: [{ args: [reviewer, "id"] }],
  claimReview: [{ args: [reviewer, "id", { now: at, until }, noStep] }],
  releaseReview: [{ args: [reviewer, "id", at, noStep] }],
  proposeReview: [{ args: [reviewer, "id", at, someBytes, noStep] }],
  endReview: [{ args: [reviewer, "id", reviewEnd, noStep], when: "approved, with the claim of its number" }],
});
