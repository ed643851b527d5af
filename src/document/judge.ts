import { type ReasonCode, reasons, reasonText, strongReasons } from "#contract/reason-code";
import {
  type VerificationCode,
  type VerificationStatus,
  verificationCode,
} from "#contract/verification-code";
import type { Finding, Stage } from "./finding.ts";
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
 * Decides from findings alone. Faults of request and capture end the chain. A decline needs an exact finding, or two signs
 * of fraud from different sources. Else what the person can mend is asked again while attempts are left, the rest goes to
 * a person. Approval needs 'no' to every question that is marked as needed: unknown never approves. `attempt` counts from 1.
 */
export const judgeDocument = (
  findings: readonly Finding[],
  policy: DocumentPolicy,
  attempt = 1,
): DocumentDecision => {
  const weighed = findings.map((finding) => weigh(finding, policy));
  const holding = weighed.filter(({ finding }) => finding.holds === true);
  const faults = holding.filter(
    ({ finding, consequence }) =>
      consequence === "resubmit" && (finding.stage === "request" || finding.stage === "capture"),
  );
  if (faults.length > 0) {
    return askAgain(faults, policy, attempt);
  }
  const of = (consequence: Strength) => holding.filter((one) => one.consequence === consequence);
  const [resubmissions, reviews] = [of("resubmit"), of("review")];
  const declines = [...of("decline"), ...joined(reviews)];
  if (declines.length > 0) {
    return decide("Declined", codesOf([...declines, ...resubmissions, ...reviews]));
  }
  if (resubmissions.length > 0) {
    return askAgain([...resubmissions, ...reviews], policy, attempt);
  }
  const open = weighed.filter(
    ({ finding, consequence }) =>
      finding.holds === "unknown" && finding.neededForApproval && consequence !== "ignore",
  );
  // What could not be answered is named only where nothing was found: it is no evidence.
  const doubts = reviews.length > 0 ? reviews : open;
  return doubts.length > 0
    ? decide("Review", codesOf(doubts))
    : { code: verificationCode.Approved, status: "Approved", reason: null, reasonCode: null, others: [] };
};

/** From the weakest on. */
const strengths = ["ignore", "review", "resubmit", "decline"] as const;

type Strength = (typeof strengths)[number];

type Weighed = { readonly finding: Finding; readonly consequence: Strength };

/** What the policy or the finding itself asks for, but never more than its reason may do on its own. */
const weigh = (finding: Finding, policy: DocumentPolicy): Weighed => {
  const asked = policy.consequences[finding.name] ?? finding.consequence;
  const most = [finding.code, ...(finding.strong === undefined ? [] : [finding.strong])]
    .map((code) => reasons[code].alone)
    .map((alone) => (alone === "never" ? "ignore" : alone))
    .reduce(stronger);
  return { finding, consequence: weaker(asked, most) };
};

const weaker = (one: Strength, other: Strength): Strength =>
  strengths.indexOf(one) < strengths.indexOf(other) ? one : other;

const stronger = (one: Strength, other: Strength): Strength => (weaker(one, other) === one ? other : one);

/** Stages whose findings speak of fraud, and not of the picture or of the person. */
const fraud: readonly Stage[] = ["contradiction", "recapture", "portrait"];

/** Signs of fraud that stand for one signal each become a decline when they rest on different sources. */
const joined = (reviews: readonly Weighed[]): readonly Weighed[] => {
  const signals = reviews.filter(({ finding }) => fraud.includes(finding.stage) && finding.isHint !== true);
  const areApart = (one: Weighed, other: Weighed): boolean => {
    const sources = one.finding.source.split(" ");
    return !other.finding.source.split(" ").some((source) => sources.includes(source));
  };
  return signals.some((one) => signals.some((other) => areApart(one, other))) ? signals : [];
};

/** Resubmission limit exceeded. */
const limitExceeded = 539;

/**
 * At the last attempt nobody is asked any more: the limit is the reason, and what was wrong stays with the operator. Where
 * only hints ask, the card may be one that they do not fit, whatever picture comes: a person looks.
 */
const askAgain = (
  because: readonly Weighed[],
  { resubmission }: DocumentPolicy,
  attempt: number,
): DocumentDecision => {
  const codes = codesOf(because);
  if (attempt < resubmission.attemptsMax) {
    return decide("Resubmission", codes);
  }
  const strong = codes.map((code) => strongReasons[code] ?? code);
  return because.every(({ finding }) => finding.isHint === true)
    ? decide("Review", strong)
    : decide("Declined", [limitExceeded, ...strong]);
};

/** A finding that only asks again is told by its weak reason, one that turns away or needs a person by its strong one. */
const codesOf = (because: readonly Weighed[]): readonly ReasonCode[] =>
  because.map(({ finding, consequence }) =>
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
