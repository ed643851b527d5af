import { ParseError } from "typebox/value";
import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { Blobs } from "#storage/blobs";
import type { FoundReview, Review, Reviewer } from "#storage/review";
import type { Json, Store, Validation } from "#storage/store";
import type { DeclaredType } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import { type DecisionKind, evidenceOf } from "../validation/decided-step.ts";
import type { FoundValidation } from "../validation/find-validation.ts";
import type { Sealing, Statement, ValidationInput } from "../validation/sealed.ts";
import { openReasonsOf, type VerificationRecord } from "../verification-record.ts";

export type ReviewDeps = {
  readonly store: Pick<
    Store,
    | "listReviews"
    | "findReview"
    | "findValidation"
    | "claimReview"
    | "releaseReview"
    | "proposeReview"
    | "endReview"
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

/** A review with what may be told of its document before anybody has claimed it: nothing that it says of its holder. */
export type ListedReview = Review & {
  /** Absent where what is stored of it cannot be opened. */
  readonly document?: {
    readonly country: string;
    readonly type: DeclaredType;
    readonly reasonCode: number | null;
    readonly otherReasonCodes: readonly number[];
  };
};

/** What a person may do with the documents that wait for one. */
export type ReviewDesk = {
  readonly list: (
    reviewer: Reviewer,
    after?: Pick<Review, "openedAt" | "id">,
  ) => Promise<{ readonly reviews: readonly ListedReview[]; readonly isLast: boolean }>;
  /** Answers until when it is held. Fails with not_found | review_decided | review_held | review_needs_another. */
  readonly claim: (reviewer: Reviewer, id: string) => Promise<Date>;
  /** As all below fails with not_found | review_decided | review_not_held | stored_damaged. */
  readonly open: (reviewer: Reviewer, id: string) => Promise<OpenedReview>;
  /** The picture as it was sent; not_found where that side has none, or it is kept no more. */
  readonly readPicture: (reviewer: Reviewer, id: string, side: "front" | "back") => Promise<Uint8Array>;
  readonly release: (reviewer: Reviewer, id: string) => Promise<void>;
};

export const makeReviewDesk = (deps: ReviewDeps): ReviewDesk => {
  const open = makeOpenReview(deps);
  return {
    list: async (reviewer, after) => {
      const { reviews, isLast } = await deps.store.listReviews(reviewer, after);
      const listed: ListedReview[] = [];
      // One after the other: the first reads the tenant's keys for all.
      for (const review of reviews) listed.push(await outline(deps, review));
      return { reviews: listed, isLast };
    },
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

/** One that cannot be opened keeps the others from nobody: whoever opens it is told. */
const outline = async (
  { sealing }: ReviewDeps,
  { validation, ...review }: FoundReview,
): Promise<ListedReview> => {
  const { sealedInput, sealedRecord } = validation;
  if (sealedRecord === undefined) return review;
  try {
    const { country, type } = await sealing.openInput(validation, sealedInput);
    const record = await sealing.openRecord(validation, sealedRecord);
    const { reasonCode, otherReasonCodes } = openReasonsOf(record);
    return { ...review, document: { country, type, reasonCode, otherReasonCodes } };
  } catch (error) {
    if (isUnreadable(error)) return review;
    throw error;
  }
};

/** The seal is broken, the key destroyed, or the shape a newer release's; not where the store does not answer. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof ParseError ||
  (error instanceof Failure && (error.code === "stored_damaged" || error.code === "not_found"));

const makeClaim =
  (deps: ReviewDeps): ReviewDesk["claim"] =>
  async (reviewer, reference) => {
    const id = knownReference(reference);
    const { store, policy, clock } = deps;
    const review = await store.findReview(reviewer, id);
    if (review === undefined) throw await whyNotOpen(store, reviewer, id);
    // Whoever has said something already is not the second person, and looks at it no more.
    const hasSaid = review.proposal?.keyId === reviewer.keyId;
    if (policy.review.persons === 2 && hasSaid) throw new Failure("review_needs_another");
    const now = clock();
    const until = new Date(now.getTime() + policy.review.holdMinutes * 60_000);
    const step = stepOf(deps, "review_claimed", now, { validation: id, key: reviewer.keyId });
    if (!(await store.claimReview(reviewer, id, { now, until }, step))) {
      const still = await store.findReview(reviewer, id);
      throw still === undefined ? await whyNotOpen(store, reviewer, id) : new Failure("review_held");
    }
    return until;
  };

/** Opens what is sealed of a review, for its holder alone. */
export const makeOpenReview =
  ({ store, sealing, clock }: Pick<ReviewDeps, "store" | "sealing" | "clock">): ReviewDesk["open"] =>
  async (reviewer, reference) => {
    const known = knownReference(reference);
    const review = await store.findReview(reviewer, known);
    if (review === undefined) throw await whyNotOpen(store, reviewer, known);
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
): Promise<Failure> => {
  const review = await store.findReview(reviewer, id);
  return review === undefined ? await whyNotOpen(store, reviewer, id) : new Failure("review_not_held");
};

/**
 * No review is open: its document is decided, or there is none. One that is left to a person is not decided: its review
 * opened only now, or never, as in releases that had none.
 */
const whyNotOpen = async (
  store: Pick<Store, "findValidation">,
  { tenantId, world }: Reviewer,
  id: string,
): Promise<Failure> => {
  const validation = await store.findValidation(tenantId, id);
  const decision = validation?.world === world ? validation.decision : undefined;
  const isDecided = decision !== undefined && decision !== "Review";
  return new Failure(isDecided ? "review_decided" : "not_found");
};

export const stepOf = ({ newId }: Pick<ReviewDeps, "newId">, kind: DecisionKind, at: Date, body: Json) => ({
  events: [],
  evidence: [evidenceOf(newId(), kind, at, body)],
});
