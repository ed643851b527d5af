/** The decision of a verification from what its parts found: pure. */
import { type FacialAuthenticationNumber, facialAuthenticationNumber } from "#contract/facial-authentication";
import { type LivenessNumber, livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import {
  type AgeAnswer,
  type NextStep,
  type VerificationDecision,
  type VerificationFlow,
  type VerificationReason,
  verificationReasons,
} from "#contract/verification";
import type { VerificationStatus } from "#contract/verification-code";
import type { AgeFinding } from "./judge-age.ts";
import { needsPerson, type SelfieBasis } from "./judge-one-image.ts";
import type { FaceFinding, VerificationEnd } from "./verification.ts";

/** What the parts found; a part that the flow does not have is absent. */
export type Findings = {
  readonly flow: VerificationFlow;
  readonly face?: FaceFinding | undefined;
  /** Absent before the face is judged, and for a selfie that no rule sends to a person. */
  readonly selfie?: SelfieBasis | undefined;
  /**
   * The status of the document validation; `failed`: its analysis was not possible, `gone`: it is not kept
   * any more.
   */
  readonly document?: VerificationStatus | "failed" | "gone" | undefined;
  readonly age?: Pick<AgeFinding, "answer"> | undefined;
};

/** `waiting` and `in_review` end nothing. `review` is an end: a person of the integrator decides. */
type Verdict = VerificationDecision | "waiting" | "in_review";

type Judged = { readonly verdict: Verdict; readonly reason?: VerificationReason; readonly next?: NextStep };

const passed: Judged = { verdict: "approved" };

/** What a reason means: the decision, and what the integrator does next. */
const meanings = {
  other_person: ["rejected", "none"],
  not_live: ["rejected", "none"],
  document_declined: ["rejected", "none"],
  under_age: ["rejected", "none"],
  selfie_unusable: ["retry", "try_again_selfie"],
  selfie_used: ["retry", "try_again_selfie"],
  portrait_unusable: ["retry", "try_again_document"],
  document_unusable: ["retry", "try_again_document"],
  birth_date_unread: ["retry", "try_again_document"],
  document_in_review: ["in_review", "wait_for_review"],
  one_image_liveness: ["review", "review_selfie"],
  capture_failed: ["error", "try_again"],
  capture_expired: ["error", "try_again"],
  capture_cancelled: ["error", "try_again"],
  document_not_decided: ["error", "try_again_document"],
  user_unknown: ["error", "none"],
  user_paused: ["error", "try_again"],
  user_disabled: ["error", "none"],
  operation_finished: ["error", "none"],
  service_error: ["error", "try_again"],
} as const satisfies Readonly<Record<VerificationReason, readonly [Verdict, NextStep]>>;

const because = (reason: VerificationReason): Judged => {
  const [verdict, next] = meanings[reason];
  return { verdict, reason, next };
};

const numberIn = <Value extends number>(table: Readonly<Record<string, Value>>, value: number): Value =>
  Object.values(table).find((one) => one === value) ?? Object.values(table)[0]!;

/** The numbers of a stored face finding, as `outcomeOf` takes them. */
export const numbersOf = (found: {
  readonly facial: number;
  readonly liveness: number;
}): { readonly facial: FacialAuthenticationNumber; readonly liveness: LivenessNumber } => ({
  facial: numberIn(facialAuthenticationNumber, found.facial),
  liveness: numberIn(livenessNumber, found.liveness),
});

/**
 * A comparison without a result: the selfie is at fault where its liveness has none either, or its head is
 * rotated; else the portrait.
 */
const judgeUncompared = (
  flow: VerificationFlow,
  { facial, liveness }: ReturnType<typeof numbersOf>,
): Judged => {
  const isOfSelfie =
    flow === "selfie_of_user" ||
    liveness !== livenessNumber.Live ||
    facial === facialAuthenticationNumber.NoneBecausePoseExceed;
  return because(isOfSelfie ? "selfie_unusable" : "portrait_unusable");
};

const judgeFace = ({ flow, face, selfie }: Findings): readonly Judged[] => {
  if (face === undefined) return [{ verdict: "waiting" }];
  if ("refused" in face) return [because(face.refused)];
  const numbers = numbersOf(face);
  const outcome = outcomeOf(numbers);
  if (outcome === "error") return [because("service_error")];
  if (outcome === "approved")
    return [selfie !== undefined && needsPerson(selfie) ? because("one_image_liveness") : passed];
  if (outcome === "retry") return [judgeUncompared(flow, numbers)];
  return [
    ...(numbers.facial === facialAuthenticationNumber.Negative ? [because("other_person")] : []),
    ...(numbers.liveness === livenessNumber.NoLive || numbers.liveness === livenessNumber.Spoof
      ? [because("not_live")]
      : []),
  ];
};

const documentVerdicts: Readonly<Record<NonNullable<Findings["document"]>, Judged>> = {
  Approved: passed,
  Declined: because("document_declined"),
  Resubmission: because("document_unusable"),
  Review: because("document_in_review"),
  Started: { verdict: "waiting" },
  Submitted: { verdict: "waiting" },
  "Expired/Abandoned": because("document_not_decided"),
  failed: because("document_not_decided"),
  gone: because("document_not_decided"),
};

const judgeAnswer = (age: AgeAnswer): Judged =>
  age === "yes" ? passed : because(age === "no" ? "under_age" : "birth_date_unread");

/**
 * The strongest verdict counts. A finding against the person stands, whatever else failed; what still waits
 * is waited for.
 */
const order: readonly Verdict[] = [
  "waiting",
  "rejected",
  "error",
  "retry",
  "in_review",
  "review",
  "approved",
];

const nextOf = (counted: readonly Judged[]): NextStep => {
  const steps = new Set(counted.flatMap(({ next }) => (next === undefined ? [] : [next])));
  const [only, second] = [...steps];
  // Selfie and document both: the whole verification again.
  return second === undefined ? (only ?? "none") : "try_again";
};

/** The end, or what is waited for. */
export type Decided = "waiting" | "in_review" | Omit<VerificationEnd, "at">;

/**
 * Decides from the findings. A document in review is waited for only where nothing else ends the
 * verification.
 */
export const decide = (findings: Findings): Decided => {
  const { flow, document, age } = findings;
  const hasFace = flow === "document_and_selfie" || flow === "selfie_of_user";
  const judged = [
    ...(hasFace ? judgeFace(findings) : []),
    ...(flow === "selfie_of_user" ? [] : [documentVerdicts[document ?? "Started"]]),
    ...(flow === "age_over" && document === "Approved" ? [judgeAnswer(age?.answer ?? "unknown")] : []),
  ];
  const verdict = order.find((one) => judged.some((part) => part.verdict === one)) ?? "waiting";
  if (verdict === "waiting" || verdict === "in_review") return verdict;
  const found = judged.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return {
    decision: verdict,
    reasons: verificationReasons.filter((reason) => found.includes(reason)),
    nextStep: nextOf(judged.filter((part) => part.verdict === verdict)),
  };
};

/** The end of a verification that a failure ended before its parts were judged. */
export const endBecause = (reason: VerificationReason): Omit<VerificationEnd, "at"> => {
  const { verdict, next = "try_again" } = because(reason);
  const decision = verdict === "waiting" || verdict === "in_review" ? "error" : verdict;
  return { decision, reasons: [reason], nextStep: next };
};
