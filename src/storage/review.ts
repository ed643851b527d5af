import type { Caller } from "#contract/endpoint";
import type { Claim, FinishAnswer, Step, TransactionRecord, Validation } from "./store.ts";

/** Who looks at a document: one API key is one person. */
export type Reviewer = {
  readonly tenantId: string;
  readonly world: Caller["world"];
  readonly keyId: string;
};

/** A validation that waits for a person. */
export type Review = {
  readonly tenantId: string;
  readonly id: string;
  readonly world: Caller["world"];
  readonly openedAt: Date;
  /** Who has it before him until when. */
  readonly claim?: { readonly keyId: string; readonly until: Date };
  /** What a first person said where a second must agree, sealed. */
  readonly proposal?: { readonly keyId: string; readonly sealed: Uint8Array };
};

/** A review with its validation. */
export type FoundReview = Review & { readonly validation: Validation };

/** Some reviews, and whether none comes after them. */
export type ReviewPage = { readonly reviews: readonly FoundReview[]; readonly isLast: boolean };

/** What a person has decided, with what follows. */
export type ReviewEnd = {
  readonly decision: "Approved" | "Declined" | "Resubmission";
  readonly at: Date;
  readonly sealedRecord: Uint8Array;
  readonly transaction: TransactionRecord;
  readonly claim?: Claim;
};

/** The store's commands for reviews; see `Store`. Each is about the reviewer's own tenant and world. */
export type ReviewCommands = {
  /** Up to 25, the oldest first, after the one that ended the page before. */
  readonly listReviews: (
    of: Pick<Reviewer, "tenantId" | "world">,
    after?: Pick<Review, "openedAt" | "id">,
  ) => Promise<ReviewPage>;
  /** Undefined where there is none. */
  readonly findReview: (
    of: Pick<Reviewer, "tenantId" | "world">,
    id: string,
  ) => Promise<FoundReview | undefined>;
  /** Takes a review that nobody else holds, or prolongs the own hold. False, and nothing written, where somebody does. */
  readonly claimReview: (
    reviewer: Reviewer,
    id: string,
    times: { readonly now: Date; readonly until: Date },
    step: Step,
  ) => Promise<boolean>;
  /** As `proposeReview`: false, and nothing written, unless the reviewer holds it at `now`. */
  readonly releaseReview: (reviewer: Reviewer, id: string, now: Date, step: Step) => Promise<boolean>;
  /** Keeps what a person said for a second one, and lets go of the review. */
  readonly proposeReview: (
    reviewer: Reviewer,
    id: string,
    now: Date,
    sealed: Uint8Array,
    step: Step,
  ) => Promise<boolean>;
  /** Ends the review, and decides its validation. Writes nothing unless it answers `finished`. */
  readonly endReview: (reviewer: Reviewer, id: string, end: ReviewEnd, step: Step) => Promise<FinishAnswer>;
};
