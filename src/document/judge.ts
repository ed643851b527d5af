import { type ReasonCode, reasons, reasonText } from "#contract/reason-code";
import {
  type VerificationCode,
  type VerificationStatus,
  verificationCode,
} from "#contract/verification-code";
import type { Finding } from "./finding.ts";
import type { DocumentPolicy } from "./policy.ts";

/** A decision with the one reason that is sent and the others that only the operator sees. */
export type DocumentDecision = {
  readonly code: VerificationCode;
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly reasonCode: ReasonCode | null;
  readonly others: readonly ReasonCode[];
};

/**
 * Decides from findings alone. Faults of request and capture end the chain. A decline needs an
 * exact finding, or two contradictions from different sources. Else what the person can mend is asked again, the
 * rest goes to a person. Approval needs 'no' to every question that is marked as needed: unknown never approves.
 */
export const judgeDocument = (findings: readonly Finding[], policy: DocumentPolicy): DocumentDecision => {
  const weighed = findings.map((finding) => weigh(finding, policy));
  const holding = weighed.filter(({ finding }) => finding.holds === true);
  const faults = holding.filter(
    ({ finding, consequence }) =>
      consequence === "resubmit" && (finding.stage === "request" || finding.stage === "capture"),
  );
  if (faults.length > 0) {
    return decide("Resubmission", faults);
  }
  const declines = [...holding.filter(({ consequence }) => consequence === "decline"), ...joined(holding)];
  const resubmissions = holding.filter(({ consequence }) => consequence === "resubmit");
  const reviews = holding.filter(({ consequence }) => consequence === "review");
  if (declines.length > 0) {
    return decide("Declined", [...declines, ...resubmissions, ...reviews]);
  }
  if (resubmissions.length > 0) {
    return decide("Resubmission", [...resubmissions, ...reviews]);
  }
  const open = weighed.filter(
    ({ finding, consequence }) =>
      finding.holds === "unknown" && finding.neededForApproval && consequence !== "ignore",
  );
  // What could not be answered is named only where nothing was found: it is no evidence.
  const doubts = reviews.length > 0 ? reviews : open;
  return doubts.length > 0
    ? decide("Review", doubts)
    : { code: verificationCode.Approved, status: "Approved", reason: null, reasonCode: null, others: [] };
};

/** From the weakest on. */
const strengths = ["ignore", "review", "resubmit", "decline"] as const;

type Strength = (typeof strengths)[number];

type Weighed = { readonly finding: Finding; readonly consequence: Strength };

/** What the policy or the finding itself asks for, but never more than its reason may do on its own. */
const weigh = (finding: Finding, policy: DocumentPolicy): Weighed => {
  const asked = Object.hasOwn(policy.consequences, finding.name)
    ? (policy.consequences[finding.name] ?? finding.consequence)
    : finding.consequence;
  const { alone } = reasons[finding.code];
  return { finding, consequence: weaker(asked, alone === "never" ? "ignore" : alone) };
};

const weaker = (one: Strength, other: Strength): Strength =>
  strengths.indexOf(one) < strengths.indexOf(other) ? one : other;

/** Contradictions that stand for one signal each become a decline when they rest on different sources. */
const joined = (holding: readonly Weighed[]): readonly Weighed[] => {
  const signals = holding.filter(
    ({ finding, consequence }) => consequence === "review" && finding.stage === "contradiction",
  );
  const sources = new Set(signals.map(({ finding }) => finding.source));
  return sources.size >= 2 ? signals : [];
};

const decide = (status: VerificationStatus, because: readonly Weighed[]): DocumentDecision => {
  const codes = [...new Set(because.map(({ finding }) => finding.code))];
  const [first, ...others] = codes;
  return {
    code: verificationCode[status],
    status,
    reason: first === undefined ? null : reasonText(first),
    reasonCode: first ?? null,
    others,
  };
};
