import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { Blobs } from "#storage/blobs";
import type { Review, Reviewer } from "#storage/review";
import type { Json, Store, Validation } from "#storage/store";
import type { DocumentPolicy } from "../policy.ts";
import { type DecisionKind, evidenceOf } from "../validation/decided-step.ts";
import type { FoundValidation } from "../validation/find-validation.ts";
import type { Sealing, Statement, ValidationInput } from "../validation/sealed.ts";
import type { VerificationRecord } from "../verification-record.ts";

export type ReviewDeps = {
  readonly store: Pick<
    Store,
    "listReviews" | "findReview" | "claimReview" | "releaseReview" | "proposeReview" | "endReview"
  >;
  readonly blobs: Pick<Blobs, "get">;
  readonly sealing: Sealing;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A review with what is sealed of it, before whoever holds it. */
export type OpenedReview = {
  readonly validation: Validation;
  readonly input: ValidationInput;
  readonly record: VerificationRecord;
  readonly found: FoundValidation;
  /** What a first person said, and who. */
  readonly proposal?: Statement & { readonly keyId: string };
};

/** What a person may do with the documents that wait for one. */
export type ReviewDesk = {
  readonly list: (reviewer: Reviewer, after?: Pick<Review, "openedAt" | "id">) => Promise<readonly Review[]>;
  /** Answers until when it is held. Fails with not_found | review_held | review_needs_another. */
  readonly claim: (reviewer: Reviewer, id: string) => Promise<Date>;
  /** As all below fails with not_found | review_not_held | stored_damaged. */
  readonly open: (reviewer: Reviewer, id: string) => Promise<OpenedReview>;
  /** The picture as it was sent; not_found where that side has none, or it is kept no more. */
  readonly readPicture: (reviewer: Reviewer, id: string, side: "front" | "back") => Promise<Uint8Array>;
  readonly release: (reviewer: Reviewer, id: string) => Promise<void>;
};

export const makeReviewDesk = (deps: ReviewDeps): ReviewDesk => {
  const open = makeOpenReview(deps);
  return {
    list: (reviewer, after) => deps.store.listReviews(reviewer, after),
    claim: makeClaim(deps),
    open,
    readPicture: async (reviewer, id, side) => {
      const { input } = await open(reviewer, id);
      const blobId = side === "front" ? input.frontBlobId : input.backBlobId;
      if (blobId === null) throw new Failure("not_found");
      return await deps.blobs.get(reviewer.tenantId, blobId);
    },
    release: async (reviewer, reference) => {
      const id = knownReference(reference);
      const now = deps.clock();
      const step = stepOf(deps, "review_released", now, { validation: id, key: reviewer.keyId });
      if (!(await deps.store.releaseReview(reviewer, id, now, step))) {
        throw await whyNotHeld(deps, reviewer, id);
      }
    },
  };
};

const makeClaim =
  (deps: ReviewDeps): ReviewDesk["claim"] =>
  async (reviewer, reference) => {
    const id = knownReference(reference);
    const { store, policy, clock } = deps;
    const review = await store.findReview(reviewer, id);
    if (review === undefined) throw new Failure("not_found");
    // Whoever has said something already is not the second person, and looks at it no more.
    const hasSaid = review.proposal?.keyId === reviewer.keyId;
    if (policy.review.persons === 2 && hasSaid) throw new Failure("review_needs_another");
    const now = clock();
    const until = new Date(now.getTime() + policy.review.holdMinutes * 60_000);
    const step = stepOf(deps, "review_claimed", now, { validation: id, key: reviewer.keyId });
    if (!(await store.claimReview(reviewer, id, { now, until }, step))) {
      const still = await store.findReview(reviewer, id);
      throw new Failure(still === undefined ? "not_found" : "review_held");
    }
    return until;
  };

/** Opens what is sealed of a review, for its holder alone. */
export const makeOpenReview =
  ({ store, sealing, clock }: Pick<ReviewDeps, "store" | "sealing" | "clock">): ReviewDesk["open"] =>
  async (reviewer, reference) => {
    const review = await store.findReview(reviewer, knownReference(reference));
    if (review === undefined) throw new Failure("not_found");
    const { claim, proposal, validation } = review;
    if (claim?.keyId !== reviewer.keyId || claim.until <= clock()) throw new Failure("review_not_held");
    const { sealedRecord } = validation;
    // A review is opened with the record in one commit.
    if (sealedRecord === undefined) throw new Failure("stored_damaged");
    const input = await sealing.openInput(validation, validation.sealedInput);
    const record = await sealing.openRecord(validation, sealedRecord);
    const { id, status, createdAt: acceptedAt, attempt } = validation;
    const { merchantReference } = input;
    return {
      validation,
      input,
      record,
      found: { id, status, acceptedAt, merchantReference, attempt, record },
      ...(proposal && {
        proposal: {
          keyId: proposal.keyId,
          ...(await sealing.openStatement(validation, proposal.sealed)),
        },
      }),
    };
  };

/** Nothing was written: it is over, or somebody else's. */
export const whyNotHeld = async (
  { store }: Pick<ReviewDeps, "store">,
  reviewer: Reviewer,
  id: string,
): Promise<Failure> =>
  new Failure((await store.findReview(reviewer, id)) === undefined ? "not_found" : "review_not_held");

export const stepOf = ({ newId }: Pick<ReviewDeps, "newId">, kind: DecisionKind, at: Date, body: Json) => ({
  events: [],
  evidence: [evidenceOf(newId(), kind, at, body)],
});
