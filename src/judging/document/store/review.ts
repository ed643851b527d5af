import type { Caller } from "#contract/endpoint";
import type { TransactionRecord } from "#record/transactions/record";
import type { Claim, Validation } from "./validation.ts";

/** A reviewer: one API key is one person. */
export type Reviewer = {
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  readonly keyId: string;
};

/** A validation in the review queue. */
export type Review = {
  readonly tenantId: string;
  readonly id: string;
  readonly environment: Caller["environment"];
  readonly openedAt: Date;
  /** The key that claimed it, and the end of the claim. */
  readonly claim?: { readonly keyId: string; readonly until: Date };
  /** The sealed statement of the first reviewer where a second must agree. */
  readonly proposal?: { readonly keyId: string; readonly sealed: Uint8Array };
};

/** A review with its validation. */
export type FoundReview = Review & { readonly validation: Validation };

/** A page of reviews, and whether it is the last. */
export type ReviewPage = { readonly reviews: readonly FoundReview[]; readonly isLast: boolean };

/** A reviewer's decision, with its record, transaction and claim. */
export type ReviewEnd<Recorded = TransactionRecord> = {
  readonly decision: "Approved" | "Declined" | "Resubmission";
  readonly at: Date;
  readonly sealedRecord: Uint8Array;
  readonly transaction: Recorded;
  readonly claim?: Claim;
};
