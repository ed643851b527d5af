import { Failure, isUnreadable } from "#contract/failure";
import type { Json } from "#contract/json";
import { knownReference } from "#contract/reference";
import type { Blobs } from "#machine/storage/blobs";
import type { Step } from "#record/transactions/record";
import { stepOf } from "#record/transactions/record-call";
import type { DeclaredType } from "../../decision/finding.ts";
import type { DocumentPolicy } from "../../decision/policy.ts";
import { openReasonsOf, type VerificationRecord } from "../../decision/verification-record.ts";
import type { FoundReview, Review, Reviewer } from "../../store/review.ts";
import type { ReviewCommands } from "../../store/review-store.ts";
import type { Validation } from "../../store/validation.ts";
import type { ValidationCommands } from "../../store/validation-store.ts";
import { type DecisionKind, evidenceOf } from "../decided-step.ts";
import type { FoundValidation } from "../find-validation.ts";
import type { Sealing, Statement, ValidationInput } from "../sealed.ts";
import type { TrackValidation } from "../track-validation.ts";

export type ReviewDeps = {
  readonly store: ReviewCommands & Pick<ValidationCommands, "findValidation">;
  readonly blobs: Pick<Blobs, "get">;
  readonly sealing: Sealing;
  readonly trackValidation: TrackValidation;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A review with its opened content, for its holder. */
export type OpenedReview = {
  readonly validation: Validation;
  readonly input: ValidationInput;
  readonly record: VerificationRecord;
  readonly found: FoundValidation;
  /** Statement and key of the first reviewer. */
  readonly proposal?: Statement & { readonly keyId: string };
};

/** A review in the list, before a claim. Has no personal data of the document holder. */
export type ListedReview = Review & {
  /** Absent if the stored record cannot be opened. */
  readonly document?: {
    readonly country: string;
    readonly type: DeclaredType;
    readonly reasonCode: number | null;
    readonly otherReasonCodes: readonly number[];
  };
};

/** Documents that wait for a reviewer. Made by {@link makeReviewQueue}. */
export type ReviewQueue = {
  readonly list: (
    reviewer: Reviewer,
    after?: Pick<Review, "openedAt" | "id">,
  ) => Promise<{ readonly reviews: readonly ListedReview[]; readonly isLast: boolean }>;
  /**
   * Returns the end of the claim. Fails with not_found | review_decided | review_held | review_needs_another.
   */
  readonly claim: (reviewer: Reviewer, id: string) => Promise<Date>;
  /**
   * Fails, as the commands below, with not_found | review_decided | review_not_held | stored_damaged |
   * stored_newer.
   */
  readonly open: (reviewer: Reviewer, id: string) => Promise<OpenedReview>;
  /**
   * The pixels of the image, without metadata. Fails with not_found if the side has no image, or its
   * retention has ended.
   */
  readonly readImage: (reviewer: Reviewer, id: string, side: "front" | "back") => Promise<Uint8Array>;
  readonly release: (reviewer: Reviewer, id: string) => Promise<void>;
};

export const makeReviewQueue = (deps: ReviewDeps): ReviewQueue => {
  const open = makeOpenReview(deps);
  return {
    list: async (reviewer, after) => {
      const { reviews, isLast } = await deps.store.listReviews(reviewer, after);
      const listed: ListedReview[] = [];
      // One after the other, because the first reads the tenant's keys for all.
      for (const review of reviews) listed.push(await outline(deps, review));
      return { reviews: listed, isLast };
    },
    claim: makeClaim(deps),
    open,
    readImage: async (reviewer, id, side) => {
      const { input } = await open(reviewer, id);
      const blobId = side === "front" ? input.frontBlobId : input.backBlobId;
      if (blobId === null) throw new Failure("not_found");
      return await deps.blobs.get(reviewer.tenantId, blobId);
    },
    release: async (reviewer, reference) => {
      const id = knownReference(reference);
      const now = deps.clock();
      const step = reviewStep(deps, "review_released", now, { validation: id, key: reviewer.keyId });
      if (!(await deps.store.releaseReview(reviewer, id, now, step))) {
        throw await whyNotHeld(deps, reviewer, id);
      }
    },
  };
};

/** A review that cannot be decrypted must not hide the rest of the list. Opening it returns the error. */
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
    const isErased = error instanceof Failure && error.code === "not_found";
    if (isErased || isUnreadable(error)) return review;
    throw error;
  }
};

/** The end of a claim that starts now: at this time another reviewer may claim. */
export const claimEnd = ({ review }: Pick<DocumentPolicy, "review">, now: Date): Date =>
  new Date(now.getTime() + review.holdMinutes * 60_000);

const makeClaim =
  (deps: ReviewDeps): ReviewQueue["claim"] =>
  async (reviewer, reference) => {
    const id = knownReference(reference);
    const { store, policy, clock } = deps;
    const review = await store.findReview(reviewer, id);
    if (review === undefined) throw await whyNotOpen(store, reviewer, id);
    // The first reviewer cannot be the second approver.
    const hasProposed = review.proposal?.keyId === reviewer.keyId;
    if (policy.review.persons === 2 && hasProposed) throw new Failure("review_needs_another");
    const now = clock();
    const until = claimEnd(policy, now);
    const step = reviewStep(deps, "review_claimed", now, { validation: id, key: reviewer.keyId });
    if (!(await store.claimReview(reviewer, id, { now, until }, step))) {
      const current = await store.findReview(reviewer, id);
      throw current === undefined ? await whyNotOpen(store, reviewer, id) : new Failure("review_held");
    }
    return until;
  };

/** Opens the sealed content of a review, only for its holder. */
export const makeOpenReview =
  ({ store, sealing, clock }: Pick<ReviewDeps, "store" | "sealing" | "clock">): ReviewQueue["open"] =>
  async (reviewer, reference) => {
    const known = knownReference(reference);
    const review = await store.findReview(reviewer, known);
    if (review === undefined) throw await whyNotOpen(store, reviewer, known);
    const { claim, proposal, validation } = review;
    if (claim?.keyId !== reviewer.keyId || claim.until <= clock()) throw new Failure("review_not_held");
    const { sealedRecord } = validation;
    // Review and record are written in one commit.
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

/** The reason why nothing was written: the review is decided, or another reviewer holds it. */
export const whyNotHeld = async (
  { store }: Pick<ReviewDeps, "store">,
  reviewer: Reviewer,
  id: string,
): Promise<Failure> => {
  const review = await store.findReview(reviewer, id);
  return review === undefined ? await whyNotOpen(store, reviewer, id) : new Failure("review_not_held");
};

/**
 * The reason why no review is open: the validation is decided, or there is none. A validation with the
 * decision Review is not decided: its review opens now, or it has none, as in releases without reviews.
 */
const whyNotOpen = async (
  store: Pick<ValidationCommands, "findValidation">,
  { tenantId, environment }: Reviewer,
  id: string,
): Promise<Failure> => {
  const validation = await store.findValidation(tenantId, id);
  const decision = validation?.environment === environment ? validation.decision : undefined;
  const isDecided = decision !== undefined && decision !== "Review";
  return new Failure(isDecided ? "review_decided" : "not_found");
};

export const reviewStep = (
  { newId }: Pick<ReviewDeps, "newId">,
  kind: DecisionKind,
  at: Date,
  body: Json,
): Step => stepOf({ evidence: [evidenceOf(newId(), kind, at, body)] });
