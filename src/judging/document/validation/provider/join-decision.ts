import { isReasonCode, reasonText } from "#contract/reason-code";
import type { VerificationStatus } from "#contract/verification-code";
import type { DocumentDecision } from "../../decision/judge.ts";
import type { DocumentPolicy } from "../../decision/policy.ts";
import type { ProviderDecision } from "./document-provider.ts";

/** A decision whose reason codes may come from a provider's table. */
export type JoinedDecision = {
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly reasonCode: number | null;
  readonly others: readonly number[];
};

/** Resubmission limit exceeded. */
const limitExceeded = 539;

/**
 * Joins the decision of a provider with the findings of the operator's own lists and of the two sides. They
 * can only make an approval or a review stricter. A request for better images becomes a decline at the last
 * attempt, as for decisions of this service.
 */
export const joinDecisions = (
  reported: ProviderDecision,
  own: DocumentDecision,
  { resubmission }: DocumentPolicy,
  attempt: number,
): JoinedDecision => {
  // An approval has no reason, even if the provider reports one.
  if (reported.status === "Approved" && own.status === "Approved") return own;
  const ownCodes = [...(own.reasonCode === null ? [] : [own.reasonCode]), ...own.others];
  const reportedCodes = reported.reasonCode === null ? [] : [reported.reasonCode];
  if (reported.status === "Approved" || (reported.status === "Review" && own.status === "Declined")) {
    return { ...own, others: [...own.others, ...reportedCodes] };
  }
  if (reported.status === "Resubmission" && attempt >= resubmission.attemptsMax) {
    const others = [...reportedCodes, ...ownCodes];
    return { status: "Declined", reason: reasonText(limitExceeded), reasonCode: limitExceeded, others };
  }
  return {
    status: reported.status,
    reason: textOf(reported),
    reasonCode: reported.reasonCode,
    others: ownCodes,
  };
};

/** A code that both tables have gets the reason text of the interface. */
const textOf = ({ reason, reasonCode }: ProviderDecision): string | null =>
  reasonCode !== null && isReasonCode(reasonCode) ? reasonText(reasonCode) : reason;
