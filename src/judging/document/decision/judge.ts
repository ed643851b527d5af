import { type ReasonCode, reasons, reasonText, strongReasons } from "#contract/reason-code";
import {
  type VerificationCode,
  type VerificationStatus,
  verificationCode,
} from "#contract/verification-code";
import type { Finding, Stage } from "./finding.ts";
import type { DocumentPolicy } from "./policy.ts";

/** A decision with the reason that is sent, and with the others, which only the operator sees. */
export type DocumentDecision = {
  readonly code: VerificationCode;
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly reasonCode: ReasonCode | null;
  readonly others: readonly ReasonCode[];
};

/**
 * Decides from findings alone. Faults of request and capture end the chain. A decline needs an exact finding,
 * or two signs of fraud from different sources. Faults that the user can correct become a resubmission while
 * attempts are left; the rest goes to review. Approval needs `false` for every finding that is needed for it:
 * `unknown` never approves. `attempt` counts from 1.
 */
export const judgeDocument = (
  findings: readonly Finding[],
  policy: DocumentPolicy,
  attempt = 1,
): DocumentDecision => {
  const weighted = findings.map((finding) => weigh(finding, policy));
  const holding = weighted.filter(({ finding }) => finding.holds === true);
  const faults = holding.filter(
    ({ finding, consequence }) =>
      consequence === "resubmit" && (finding.stage === "request" || finding.stage === "capture"),
  );
  if (faults.some(({ finding }) => finding.isOfDeclaration !== true)) {
    return decideAgain(faults, policy, attempt);
  }
  const of = (consequence: Strength) => holding.filter((one) => one.consequence === consequence);
  const [resubmissions, reviews] = [of("resubmit"), of("review")];
  const declines = [...of("decline"), ...withIndependentSigns(reviews)];
  if (declines.length > 0) {
    return decide("Declined", codesOf([...declines, ...resubmissions, ...reviews]));
  }
  if (resubmissions.length > 0) {
    return decideAgain([...resubmissions, ...reviews], policy, attempt);
  }
  const open = weighted.filter(
    ({ finding, consequence }) =>
      finding.holds === "unknown" && finding.neededForApproval && consequence !== "ignore",
  );
  // Unknown findings give the reason only where nothing else was found: they are no evidence.
  const reasonsForReview = reviews.length > 0 ? reviews : open;
  return reasonsForReview.length > 0
    ? decide("Review", codesOf(reasonsForReview))
    : { code: verificationCode.Approved, status: "Approved", reason: null, reasonCode: null, others: [] };
};

/** Weakest first. */
const strengths = ["ignore", "review", "resubmit", "decline"] as const;

type Strength = (typeof strengths)[number];

type WeightedFinding = { readonly finding: Finding; readonly consequence: Strength };

/**
 * The consequence of the policy or of the finding itself, limited to what its reason may do alone. A finding
 * that is never ignored goes to review at least.
 */
const weigh = (finding: Finding, policy: DocumentPolicy): WeightedFinding => {
  const asked = policy.consequences[finding.name] ?? finding.consequence;
  const most = [finding.code, ...(finding.strong === undefined ? [] : [finding.strong])]
    .map((code) => reasons[code].alone)
    .map((alone) => (alone === "never" ? "ignore" : alone))
    .reduce(stronger);
  const limited = weaker(asked, most);
  return { finding, consequence: finding.neverIgnored === true ? stronger(limited, "review") : limited };
};

const weaker = (one: Strength, other: Strength): Strength =>
  strengths.indexOf(one) < strengths.indexOf(other) ? one : other;

const stronger = (one: Strength, other: Strength): Strength => (weaker(one, other) === one ? other : one);

/** Stages whose findings are signs of fraud, not faults of the image or properties of the person. */
const fraud: readonly Stage[] = ["contradiction", "recapture", "portrait"];

/** Signs of fraud that decline together: all of them where two rest on different sources, else none. */
const withIndependentSigns = (reviews: readonly WeightedFinding[]): readonly WeightedFinding[] => {
  const signals = reviews.filter(({ finding }) => fraud.includes(finding.stage) && finding.isHint !== true);
  const areIndependent = (one: WeightedFinding, other: WeightedFinding): boolean => {
    const sources = one.finding.source.split(" ");
    return !other.finding.source.split(" ").some((source) => sources.includes(source));
  };
  return signals.some((one) => signals.some((other) => areIndependent(one, other))) ? signals : [];
};

/** Resubmission limit exceeded. */
const limitExceeded = 539;

/**
 * A resubmission, or the end at the last attempt: then the limit is the reason, and only the operator sees
 * the faults. Where all faults are hints, no image may ever satisfy them for this card: it goes to review.
 */
const decideAgain = (
  causes: readonly WeightedFinding[],
  { resubmission }: DocumentPolicy,
  attempt: number,
): DocumentDecision => {
  const codes = codesOf(causes);
  if (attempt < resubmission.attemptsMax) {
    return decide("Resubmission", codes);
  }
  const strong = codes.map((code) => strongReasons[code] ?? code);
  return causes.every(({ finding }) => finding.isHint === true)
    ? decide("Review", strong)
    : decide("Declined", [limitExceeded, ...strong]);
};

/** The reason codes: the weak one for a resubmission, the strong one for a decline or a review. */
const codesOf = (causes: readonly WeightedFinding[]): readonly ReasonCode[] =>
  causes.map(({ finding, consequence }) =>
    consequence === "resubmit" ? finding.code : (finding.strong ?? finding.code),
  );

const decide = (status: VerificationStatus, codes: readonly ReasonCode[]): DocumentDecision => {
  const [first, ...others] = new Set(codes);
  return {
    code: verificationCode[status],
    status,
    reason: first === undefined ? null : reasonText(first),
    reasonCode: first ?? null,
    others,
  };
};
