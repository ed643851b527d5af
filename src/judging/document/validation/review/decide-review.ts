import { Failure } from "#contract/failure";
import { isReasonCode, reasonText } from "#contract/reason-code";
import {
  claimOf,
  openReason,
  openResultOf,
  type VerificationRecord,
} from "../../decision/verification-record.ts";
import type { Reviewer } from "../../store/review.ts";
import type { FinishAnswer } from "../../store/validation.ts";
import { decidedStep, decisionRecord } from "../decided-step.ts";
import type { Statement } from "../sealed.ts";
import {
  makeOpenReview,
  type OpenedReview,
  type ReviewDeps,
  reviewStep,
  whyNotHeld,
} from "./review-queue.ts";

/**
 * Applies the statement of a reviewer. It decides the validation, or waits for a second reviewer. Fails with
 * not_found | review_decided | review_not_held | review_outdated | stored_damaged | stored_newer, and with
 * request_invalid for an unknown reason code, or for a request of better images if no attempt is left.
 * Made by {@link makeDecideReview}.
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
    refuseInvalid(deps, opened, statement);
    const isFinal = deps.policy.review.persons === 1 || isAgreed(opened, reviewer, statement);
    const answer = isFinal
      ? await end(deps, reviewer, opened, statement)
      : await propose(deps, reviewer, opened, statement);
    if (answer === "outdated") throw new Failure("review_outdated");
    if (answer === "lost") throw await whyNotHeld(deps, reviewer, opened.validation.id);
    return isFinal ? "decided" : "proposed";
  };
};

const invalid = (error: string): Failure => new Failure("request_invalid", { errors: [error], code: 1104 });

const refuseInvalid = (
  { policy }: ReviewDeps,
  { validation }: OpenedReview,
  { decision, reasonCode }: Statement,
): void => {
  if (reasonCode !== null && !isReasonCode(reasonCode)) {
    throw invalid("reasonCode: there is no such reason");
  }
  if (decision === "Resubmission" && validation.attempt >= policy.resubmission.attemptsMax) {
    throw invalid("decision: no attempt is left; approve or decline");
  }
};

/** Two reviewers made the same statement. Their notes may differ. */
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
  const step = reviewStep(deps, "review_proposed", at, body);
  return (await deps.store.proposeReview(reviewer, id, at, sealed, step)) ? "finished" : "lost";
};

const end = async (
  deps: ReviewDeps,
  reviewer: Reviewer,
  opened: OpenedReview,
  statement: Statement,
): Promise<FinishAnswer> => {
  const at = deps.clock();
  const { validation, input, record, proposal } = opened;
  const { decision } = statement;
  const own = { ...statement, keyId: reviewer.keyId };
  const statements = proposal === undefined ? [own] : [proposal, own];
  const decided = decidedRecord(record, statement, statements, at);
  const transaction = decisionRecord(deps, reviewer, at, {
    endpoint: "documentReview",
    result: openResultOf(validation.id, validation.attempt, decided),
    measurements: null,
  });
  const { status } = validation;
  const step = decidedStep(deps.newId(), transaction, {
    operation: await deps.trackValidation(validation, input, { status, record: decided, transaction }),
    kind: "review_decided",
    more: { keys: statements.map(({ keyId }) => keyId) },
  });
  const claim = decision === "Approved" ? claimOf(record) : undefined;
  return await deps.store.endReview(
    reviewer,
    validation.id,
    {
      decision,
      at,
      sealedRecord: await deps.sealing.sealRecord(validation, decided),
      transaction,
      ...(claim && { claim }),
    },
    step,
  );
};

/** The record keeps the findings for the operator. After an approval the caller gets none of them. */
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
