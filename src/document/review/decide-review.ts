import { Failure } from "#contract/failure";
import { isReasonCode, reasonText } from "#contract/reason-code";
import type { Reviewer } from "#storage/review";
import type { FinishAnswer, TransactionRecord } from "#storage/store";
import { decidedStep } from "../validation/decided-step.ts";
import type { Statement } from "../validation/sealed.ts";
import { openReason, openResultOf, type VerificationRecord } from "../verification-record.ts";
import { makeOpenReview, type OpenedReview, type ReviewDeps, stepOf, whyNotHeld } from "./review-desk.ts";

/**
 * What a person says of a document: it ends the review as any decision ends a validation, or waits for a second person.
 * Fails with not_found | review_decided | review_not_held | review_outdated | stored_damaged, and with request_invalid for a reason that there
 * is not, or better pictures where no attempt is left.
 */
export type DecideReview = (
  reviewer: Reviewer,
  reference: string,
  statement: Statement,
) => Promise<"decided" | "proposed">;

export const makeDecideReview = (deps: ReviewDeps): DecideReview => {
  const open = makeOpenReview(deps);
  return async (reviewer, reference, statement) => {
    const opened = await open(reviewer, reference);
    refuseWrong(deps, opened, statement);
    const isFinal = deps.policy.review.persons === 1 || isAgreed(opened, reviewer, statement);
    const answer = isFinal
      ? await end(deps, reviewer, opened, statement)
      : await propose(deps, reviewer, opened, statement);
    if (answer === "outdated") throw new Failure("review_outdated");
    if (answer === "lost") throw await whyNotHeld(deps, reviewer, opened.validation.id);
    return isFinal ? "decided" : "proposed";
  };
};

const fault = (error: string): Failure => new Failure("request_invalid", { errors: [error], code: 1104 });

const refuseWrong = (
  { policy }: ReviewDeps,
  { validation }: OpenedReview,
  { decision, reasonCode }: Statement,
): void => {
  if (reasonCode !== null && !isReasonCode(reasonCode)) {
    throw fault("reasonCode: there is no such reason");
  }
  if (decision === "Resubmission" && validation.attempt >= policy.resubmission.attemptsMax) {
    throw fault("decision: no attempt is left; approve or decline");
  }
};

/** Two persons have said the same: the note may differ. */
const isAgreed = ({ proposal }: OpenedReview, reviewer: Reviewer, statement: Statement): boolean =>
  proposal !== undefined &&
  proposal.keyId !== reviewer.keyId &&
  proposal.decision === statement.decision &&
  proposal.reasonCode === statement.reasonCode;

const propose = async (
  deps: ReviewDeps,
  reviewer: Reviewer,
  { validation }: OpenedReview,
  statement: Statement,
): Promise<FinishAnswer> => {
  const at = deps.clock();
  const { id } = validation;
  const sealed = await deps.sealing.sealStatement(validation, statement);
  const { decision, reasonCode } = statement;
  const body = { validation: id, key: reviewer.keyId, decision, reasonCode: openReason(reasonCode) };
  const step = stepOf(deps, "review_proposed", at, body);
  return (await deps.store.proposeReview(reviewer, id, at, sealed, step)) ? "finished" : "lost";
};

const end = async (
  deps: ReviewDeps,
  reviewer: Reviewer,
  opened: OpenedReview,
  statement: Statement,
): Promise<FinishAnswer> => {
  const at = deps.clock();
  const { validation, record, proposal } = opened;
  const { decision } = statement;
  const own = { ...statement, keyId: reviewer.keyId };
  const statements = proposal === undefined ? [own] : [proposal, own];
  const decided = decidedRecord(record, statement, statements, at);
  const transaction = transactionOf(deps, reviewer, opened, decided, at);
  const step = decidedStep(deps.newId(), transaction, "review_decided", {
    keys: statements.map(({ keyId }) => keyId),
  });
  const isClaimed = decision === "Approved" && record.claim !== undefined;
  return await deps.store.endReview(
    reviewer,
    validation.id,
    {
      decision,
      at,
      sealedRecord: await deps.sealing.sealRecord(validation, decided),
      transaction,
      ...(isClaimed && { claim: record.claim }),
    },
    step,
  );
};

/** What was found stays for the operator; an approval overrules it, so that its caller sees none of it. */
const decidedRecord = (
  record: VerificationRecord,
  { decision, reasonCode }: Statement,
  statements: NonNullable<VerificationRecord["statements"]>,
  at: Date,
): VerificationRecord => {
  const found = record.reasonCode === null ? [] : [record.reasonCode, ...record.otherReasonCodes];
  return {
    ...record,
    status: decision,
    reason: reasonCode === null || !isReasonCode(reasonCode) ? null : reasonText(reasonCode),
    reasonCode,
    otherReasonCodes: decision === "Approved" ? [] : found.filter((code) => code !== reasonCode),
    decidedAt: at.toISOString(),
    statements,
  };
};

const transactionOf = (
  { newId, policy }: ReviewDeps,
  { tenantId, world, keyId }: Reviewer,
  { validation: { id, attempt } }: OpenedReview,
  record: VerificationRecord,
  at: Date,
): TransactionRecord => ({
  id: newId(),
  tenantId,
  keyId,
  world,
  endpoint: "documentReview",
  at,
  result: openResultOf(id, attempt, record),
  measurements: null,
  policyVersion: policy.version,
  models: {},
  tokenHashes: [],
});
