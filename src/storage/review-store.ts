import type { ExpressionBuilder } from "kysely";
import { claimNumber, isClaimCurrent } from "./claim-store.ts";
import type { ReviewColumns, Session, Tables, ValidationColumns } from "./database.ts";
import type { FoundReview, Review, ReviewCommands, ReviewEnd, Reviewer, ReviewPage } from "./review.ts";
import { writeStep } from "./step-store.ts";
import type { FinishAnswer, Step } from "./store.ts";
import { insertTransaction } from "./transaction-store.ts";
import { validationOf } from "./validation-row.ts";

/**
 * What is sealed of each is opened for the list, on the main thread: 3 to 5 ms for 25 records of 11 kB (60 findings), 14
 * for 100, measured on a busy machine.
 */
const pageMax = 25;

/** Validations that wait for a person; a row is a review that is open. */
export const makeReviewCommands = (session: Session): ReviewCommands => ({
  listReviews: (of, after) => list(session, of, after),

  findReview: (of, id) => find(session, of, id),

  claimReview: (reviewer, id, times, step) => claim(session, reviewer, id, times, step),

  releaseReview: (reviewer, id, now, step) => letGo(session, reviewer, id, now, {}, step),

  proposeReview: (reviewer, id, now, sealedProposal, step) =>
    letGo(session, reviewer, id, now, { proposedBy: reviewer.keyId, sealedProposal }, step),

  endReview: (reviewer, id, end, step) => endOne(session, reviewer, id, end, step),
});

/** Reviews and their validations in one statement: of two, the second may see what was decided after the first. */
const openReviews = ({ db }: Session, { tenantId, world }: Pick<Reviewer, "tenantId" | "world">) =>
  db
    .selectFrom("reviews")
    .innerJoin("validations", (join) =>
      join
        .onRef("validations.tenantId", "=", "reviews.tenantId")
        .onRef("validations.id", "=", "reviews.validationId"),
    )
    .selectAll(["reviews", "validations"])
    .where("reviews.tenantId", "=", tenantId)
    .where("reviews.world", "=", world);

const list = async (
  session: Session,
  reviewer: Pick<Reviewer, "tenantId" | "world">,
  after: Pick<Review, "openedAt" | "id"> | undefined,
): Promise<ReviewPage> => {
  const time = after?.openedAt.getTime() ?? 0;
  // Index reviews_oldest, from the place of the page before, and by primary key the validation of each; one row more
  // tells whether a page follows.
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
  session: Session,
  reviewer: Pick<Reviewer, "tenantId" | "world">,
  id: string,
): ReturnType<ReviewCommands["findReview"]> => {
  // Primary keys, one row of each.
  const row = await openReviews(session, reviewer).where("reviews.validationId", "=", id).executeTakeFirst();
  return row && foundOf(row);
};

const claim = async (
  session: Session,
  { tenantId, world, keyId }: Reviewer,
  id: string,
  { now, until }: { readonly now: Date; readonly until: Date },
  step: Step,
): Promise<boolean> => {
  // Primary key, one row: of two that claim at once the second finds it held.
  const { numUpdatedRows } = await session.db
    .updateTable("reviews")
    .set({ claimedBy: keyId, claimedUntil: until.getTime() })
    .where("tenantId", "=", tenantId)
    .where("validationId", "=", id)
    .where("world", "=", world)
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
  session: Session,
  reviewer: Reviewer,
  id: string,
  { decision, at, sealedRecord, transaction, claim: claimed }: ReviewEnd,
  step: Step,
): Promise<FinishAnswer> => {
  const { tenantId } = reviewer;
  // Before any row: an analysis that compares whose the number is waits for this commit, or this one for its.
  if (claimed !== undefined && !(await isClaimCurrent(session, tenantId, claimed))) {
    return "outdated";
  }
  // Primary key, one row: whose hold has ended meanwhile decides nothing.
  const { numDeletedRows } = await session.db
    .deleteFrom("reviews")
    .where(heldBy(reviewer, id, at))
    .executeTakeFirst();
  if (numDeletedRows !== 1n) {
    return "lost";
  }
  // Primary key, one row: an open review's validation is decided by nobody else.
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
  ({ tenantId, world, keyId }: Reviewer, id: string, now: Date) =>
  (of: ExpressionBuilder<Tables, "reviews">) =>
    of.and([
      of("tenantId", "=", tenantId),
      of("validationId", "=", id),
      of("world", "=", world),
      of("claimedBy", "=", keyId),
      of("claimedUntil", ">", now.getTime()),
    ]);

const letGo = async (
  session: Session,
  reviewer: Reviewer,
  id: string,
  now: Date,
  change: Partial<Pick<ReviewColumns, "proposedBy" | "sealedProposal">>,
  step: Step,
): Promise<boolean> => {
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

/** Opens the review of a validation; part of the transaction that decides so. */
export const openReview = async (
  { db }: Session,
  { tenantId, id, world, at }: Pick<Review, "tenantId" | "id" | "world"> & { readonly at: Date },
): Promise<void> => {
  const nobody = { claimedBy: null, claimedUntil: null, proposedBy: null, sealedProposal: null };
  // Primary key: one review of a validation at a time; the one before it ended with its decision.
  await db
    .insertInto("reviews")
    .values({ tenantId, validationId: id, world, openedAt: at.getTime(), ...nobody })
    .execute();
};

const foundOf = (row: ReviewColumns & ValidationColumns): FoundReview => ({
  ...reviewOf(row),
  validation: validationOf(row),
});

const reviewOf = (row: ReviewColumns): Review => ({
  tenantId: row.tenantId,
  id: row.validationId,
  world: row.world,
  openedAt: new Date(row.openedAt),
  ...(row.claimedBy !== null &&
    row.claimedUntil !== null && { claim: { keyId: row.claimedBy, until: new Date(row.claimedUntil) } }),
  ...(row.proposedBy !== null &&
    row.sealedProposal !== null && {
      proposal: { keyId: row.proposedBy, sealed: new Uint8Array(row.sealedProposal) },
    }),
});
