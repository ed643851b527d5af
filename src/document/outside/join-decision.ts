import { isReasonCode, reasonText } from "#contract/reason-code";
import type { VerificationStatus } from "#contract/verification-code";
import type { DocumentDecision } from "../judge.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { ToldDecision } from "./morphology-provider.ts";

/** A decision whose reasons may be of a provider's table. */
export type JoinedDecision = {
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly reasonCode: number | null;
  readonly others: readonly number[];
};

/** Resubmission limit exceeded. */
const limitExceeded = 539;

/**
 * What a provider decided, and what this operator's own lists say of the same document. The lists can only make an approval
 * or a review graver; a request for better pictures is declined at the last attempt, as one of this service is.
 */
export const joinDecisions = (
  told: ToldDecision,
  own: DocumentDecision,
  { resubmission }: DocumentPolicy,
  attempt: number,
): JoinedDecision => {
  // Whatever is told beside it: an approval has no reason.
  if (told.status === "Approved" && own.status === "Approved") return own;
  const ownCodes = [...(own.reasonCode === null ? [] : [own.reasonCode]), ...own.others];
  const toldCodes = told.reasonCode === null ? [] : [told.reasonCode];
  if (told.status === "Approved" || (told.status === "Review" && own.status === "Declined")) {
    return { ...own, others: [...own.others, ...toldCodes] };
  }
  if (told.status === "Resubmission" && attempt >= resubmission.attemptsMax) {
    const others = [...toldCodes, ...ownCodes];
    return { status: "Declined", reason: reasonText(limitExceeded), reasonCode: limitExceeded, others };
  }
  return { status: told.status, reason: textOf(told), reasonCode: told.reasonCode, others: ownCodes };
};

/** A code that both tables have is told in the words of the interface. */
const textOf = ({ reason, reasonCode }: ToldDecision): string | null =>
  reasonCode !== null && isReasonCode(reasonCode) ? reasonText(reasonCode) : reason;
