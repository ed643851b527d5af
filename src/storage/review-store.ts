import type { ExpressionBuilder } from "kysely";
import { claimNumber, isClaimCurrent } from "./claim-store.ts";
import type { ReviewColumns, Session, Tables } from "./database.ts";
import type { Review, ReviewCommands, ReviewEnd, Reviewer, ReviewPage } from "./review.ts";
import { writeStep } from "./step-store.ts";
import type { FinishAnswer, Step } from "./store.ts";
import { insertTransaction } from "./transaction-store.ts";
import { validationOf } from "./validation-row.ts";

const pageMax = 100;

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

const list = async (
  { db }: Session,
  { tenantId, world }: Pick<Reviewer, "tenantId" | "world">,
  after: Pick<Review, "openedAt" | "id"> | undefined,
): Promise<ReviewPage> => {
  const time = after?.openedAt.getTime() ?? 0;
  // Index reviews_oldest, from the place of the page before; one row more tells whether a page follows.
  const found = await db
    .selectFrom("reviews")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("world", "=", world)
    .where("openedAt", ">=", time)
    .where((of) => of.or([of("openedAt", ">", time), of("validationId", ">", after?.id ?? "")]))
    .orderBy("openedAt")
    .orderBy("validationId")
    .limit(pageMax + 1)
    .execute();
  if (found.length === 0) return { reviews: [], isLast: true };
  const rows = found.slice(0, pageMax);
  const ids = rows.map(({ validationId }) => validationId);
  // Primary key, one row of each.
  const validations = await db
    .selectFrom("validations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("id", "in", ids)
    .execute();
  const byId = new Map(validations.map((row) => [row.id, validationOf(row)]));
  const reviews = rows.flatMap((row) => {
    const validation = byId.get(row.validationId);
    return validation === undefined ? [] : [{ ...reviewOf(row), validation }];
  });
  return { reviews, isLast: found.length <= pageMax };
};

const find = async (
  session: Session,
  { tenantId, world }: Pick<Reviewer, "tenantId" | "world">,
  id: string,
): ReturnType<ReviewCommands["findReview"]> => {
  // Primary keys, one row of each.
  const row = await session.db
    .selectFrom("reviews")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("validationId", "=", id)
    .where("world", "=", world)
    .executeTakeFirst();
  const validation = await session.db
    .selectFrom("validations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && validation && { ...reviewOf(row), validation: validationOf(validation) };
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
