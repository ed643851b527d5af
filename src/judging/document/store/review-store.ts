import type { ExpressionBuilder } from "kysely";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { RowOf, TablesOf } from "#machine/storage/table";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import { type ClaimTables, claimNumber, isClaimCurrent } from "./claim-store.ts";
import type { reviewTable } from "./document-tables.ts";
import type { FoundReview, Review, ReviewEnd, Reviewer, ReviewPage } from "./review.ts";
import type { FinishAnswer } from "./validation.ts";
import { type ValidationColumns, type ValidationTables, validationOf } from "./validation-row.ts";

type ReviewColumns = RowOf<typeof reviewTable>;

export type ReviewTables = TablesOf<readonly [typeof reviewTable]>;

/**
 * Commands for reviews; implemented by {@link makeReviewCommands}, which takes sealed records. Each reads and
 * writes only the reviewer's tenant and environment.
 */
export type ReviewCommands<Recorded = TransactionRecord> = {
  /** Up to 25, oldest first, after the last review of the previous page. */
  readonly listReviews: (
    of: Pick<Reviewer, "tenantId" | "environment">,
    after?: Pick<Review, "openedAt" | "id">,
  ) => Promise<ReviewPage>;
  /** Undefined if no open review has this id. */
  readonly findReview: (
    of: Pick<Reviewer, "tenantId" | "environment">,
    id: string,
  ) => Promise<FoundReview | undefined>;
  /**
   * Claims a review that no other reviewer holds, or extends the own claim. False, and nothing written, if
   * another reviewer holds it.
   */
  readonly claimReview: (
    reviewer: Reviewer,
    id: string,
    times: { readonly now: Date; readonly until: Date },
    step: Step,
  ) => Promise<boolean>;
  /** Like `proposeReview`. Returns false and writes nothing unless the reviewer holds the claim at `now`. */
  readonly releaseReview: (reviewer: Reviewer, id: string, now: Date, step: Step) => Promise<boolean>;
  /** Stores the first reviewer's proposal for a second reviewer, and releases the claim. */
  readonly proposeReview: (
    reviewer: Reviewer,
    id: string,
    now: Date,
    sealed: Uint8Array,
    step: Step,
  ) => Promise<boolean>;
  /** Ends the review and decides its validation. Writes nothing unless it returns `finished`. */
  readonly endReview: (
    reviewer: Reviewer,
    id: string,
    end: ReviewEnd<Recorded>,
    step: Step,
  ) => Promise<FinishAnswer>;
};

type ReviewSession = StepSession<ReviewTables & ValidationTables & ClaimTables & TransactionTables>;

/**
 * The sealed record of each is opened for the list, on the main thread: 3 to 5 ms for 25 records of 11 kB (60
 * findings), 14 for 100, measured on a busy machine.
 */
const pageMax = 25;

/** Reviews of validations; each row is an open review. */
export const makeReviewCommands = (session: ReviewSession): ReviewCommands<SealedTransaction> => ({
  listReviews: (of, after) => list(session, of, after),

  findReview: (of, id) => find(session, of, id),

  claimReview: (reviewer, id, times, step) => claim(session, reviewer, id, times, step),

  releaseReview: (reviewer, id, now, step) => letGo(session, reviewer, id, now, {}, step),

  proposeReview: (reviewer, id, now, sealedProposal, step) =>
    letGo(session, reviewer, id, now, { proposedBy: reviewer.keyId, sealedProposal }, step),

  endReview: (reviewer, id, end, step) => endOne(session, reviewer, id, end, step),
});

/**
 * Reviews and their validations in one statement: of two statements, the second could see decisions later
 * than the first.
 */
const openReviews = (
  { db }: Session<ReviewTables & ValidationTables>,
  { tenantId, environment }: Pick<Reviewer, "tenantId" | "environment">,
) =>
  db
    .selectFrom("reviews")
    .innerJoin("validations", (join) =>
      join
        .onRef("validations.tenantId", "=", "reviews.tenantId")
        .onRef("validations.id", "=", "reviews.validationId")
        // The seals name it: a review that was moved to another environment is shown in none.
        .onRef("validations.environment", "=", "reviews.environment"),
    )
    .selectAll(["reviews", "validations"])
    .where("reviews.tenantId", "=", tenantId)
    .where("reviews.environment", "=", environment);

const list = async (
  session: ReviewSession,
  reviewer: Pick<Reviewer, "tenantId" | "environment">,
  after: Pick<Review, "openedAt" | "id"> | undefined,
): Promise<ReviewPage> => {
  const time = after?.openedAt.getTime() ?? 0;
  // Index reviews_oldest, from the end of the previous page, and by primary key the validation of each; one
  // extra row shows whether a page follows.
  const rows = await openReviews(session, reviewer)
    .where("reviews.openedAt", ">=", time)
    .where((of) =>
      of.or([of("reviews.openedAt", ">", time), of("reviews.validationId", ">", after?.id ?? "")]),
    )
    .orderBy("reviews.openedAt")
    .orderBy("reviews.validationId")
    .limit(pageMax + 1)
    .execute();
  return { reviews: rows.slice(0, pageMax).map(foundOf), isLast: rows.length <= pageMax };
};

const find = async (
  session: ReviewSession,
  reviewer: Pick<Reviewer, "tenantId" | "environment">,
  id: string,
): ReturnType<ReviewCommands["findReview"]> => {
  // Primary keys, one row of each.
  const row = await openReviews(session, reviewer).where("reviews.validationId", "=", id).executeTakeFirst();
  return row && foundOf(row);
};

const claim = async (
  session: ReviewSession,
  { tenantId, environment, keyId }: Reviewer,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
  step: Step,
): Promise<boolean> => {
  // Primary key, one row: of two simultaneous claims the second finds the review claimed.
  const { numUpdatedRows } = await session.db
    .updateTable("reviews")
    .set({ claimedBy: keyId, claimedUntil: until.getTime() })
    .where("tenantId", "=", tenantId)
    .where("validationId", "=", id)
    .where("environment", "=", environment)
    .where((of) =>
      of.or([
        of("claimedBy", "is", null),
        of("claimedBy", "=", keyId),
        of("claimedUntil", "<=", now.getTime()),
      ]),
    )
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    return false;
  }
  await writeStep(session, tenantId, step);
  return true;
};

const endOne = async (
  session: ReviewSession,
  reviewer: Reviewer,
  id: string,
  { decision, at, sealedRecord, transaction, claim: claimed }: ReviewEnd<SealedTransaction>,
  step: Step,
): Promise<FinishAnswer> => {
  const { tenantId } = reviewer;
  await requireLiveKeys(session, tenantId, sealedRecord);
  // Before any row lock: an analysis that reads the claims of the number waits for this commit, or this
  // commit waits for it.
  if (claimed !== undefined && !(await isClaimCurrent(session, tenantId, claimed))) {
    return "outdated";
  }
  // Primary key, one row: a reviewer whose claim has ended decides nothing.
  const { numDeletedRows } = await session.db
    .deleteFrom("reviews")
    .where(heldBy(reviewer, id, at))
    .executeTakeFirst();
  if (numDeletedRows !== 1n) {
    return "lost";
  }
  // Primary key, one row: only its review can decide a validation in the review queue.
  await session.db
    .updateTable("validations")
    .set((of) => ({
      decision,
      sealedRecord,
      decidedAt: at.getTime(),
      waitsSince: decision === "Resubmission" ? at.getTime() : null,
      revision: of("revision", "+", 1),
    }))
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .execute();
  await insertTransaction(session, transaction);
  if (claimed !== undefined) {
    await claimNumber(session, tenantId, claimed, at);
  }
  await writeStep(session, tenantId, step);
  return "finished";
};

const heldBy =
  ({ tenantId, environment, keyId }: Reviewer, id: string, now: Date) =>
  (of: ExpressionBuilder<ReviewTables, "reviews">) =>
    of.and([
      of("tenantId", "=", tenantId),
      of("validationId", "=", id),
      of("environment", "=", environment),
      of("claimedBy", "=", keyId),
      of("claimedUntil", ">", now.getTime()),
    ]);

const letGo = async (
  session: ReviewSession,
  reviewer: Reviewer,
  id: string,
  now: Date,
  change: Partial<Pick<ReviewColumns, "proposedBy" | "sealedProposal">>,
  step: Step,
): Promise<boolean> => {
  await requireLiveKeys(session, reviewer.tenantId, change.sealedProposal);
  // Primary key, one row.
  const { numUpdatedRows } = await session.db
    .updateTable("reviews")
    .set({ claimedBy: null, claimedUntil: null, ...change })
    .where(heldBy(reviewer, id, now))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) {
    return false;
  }
  await writeStep(session, reviewer.tenantId, step);
  return true;
};

/** Opens the review of a validation; part of the transaction with that decision. */
export const openReview = async (
  { db }: Session<ReviewTables>,
  { tenantId, id, environment, at }: Pick<Review, "tenantId" | "id" | "environment"> & { readonly at: Date },
): Promise<void> => {
  const unclaimed = { claimedBy: null, claimedUntil: null, proposedBy: null, sealedProposal: null };
  // Primary key: one review of a validation at a time; the previous review ended with its decision.
  await db
    .insertInto("reviews")
    .values({ tenantId, validationId: id, environment, openedAt: at.getTime(), ...unclaimed })
    .execute();
};

const foundOf = (row: ReviewColumns & ValidationColumns): FoundReview => ({
  ...reviewOf(row),
  validation: validationOf(row),
});

const reviewOf = (row: ReviewColumns): Review => ({
  tenantId: row.tenantId,
  id: row.validationId,
  environment: row.environment,
  openedAt: new Date(row.openedAt),
  ...(row.claimedBy !== null &&
    row.claimedUntil !== null && { claim: { keyId: row.claimedBy, until: new Date(row.claimedUntil) } }),
  ...(row.proposedBy !== null &&
    row.sealedProposal !== null && {
      proposal: { keyId: row.proposedBy, sealed: new Uint8Array(row.sealedProposal) },
    }),
});
