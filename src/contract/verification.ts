/** Words of verifications on the wire and in the store. */

/**
 * What is verified. document_and_selfie: a document, and that the selfie shows its holder. document: a
 * document alone. selfie_of_user: that a selfie shows a registered user. age_over: that the holder of a
 * document has reached an age.
 */
export const verificationFlows = ["document_and_selfie", "document", "selfie_of_user", "age_over"] as const;
export type VerificationFlow = (typeof verificationFlows)[number];

/** The flows with a document, and those with a selfie. */
export const documentFlows: readonly VerificationFlow[] = ["document_and_selfie", "document", "age_over"];
export const selfieFlows: readonly VerificationFlow[] = ["document_and_selfie", "selfie_of_user"];

/** States of a verification. COMPLETED and FAILED are ends. */
export const verificationStates = [
  "AWAITING_CAPTURE",
  "PROCESSING",
  "IN_REVIEW",
  "COMPLETED",
  "FAILED",
] as const;
export type VerificationState = (typeof verificationStates)[number];

/**
 * approved: every check is positive. rejected: a finding against the person. retry: other images may pass.
 * review: every check is positive, and one of them proves too little: a person of the integrator decides.
 * error: nothing could be judged.
 */
export const verificationDecisions = ["approved", "rejected", "retry", "review", "error"] as const;
export type VerificationDecision = (typeof verificationDecisions)[number];

/** Why a verification was not approved, in the order in which an answer lists them. */
export const verificationReasons = [
  "other_person",
  "not_live",
  "document_declined",
  "under_age",
  "selfie_unusable",
  "selfie_used",
  "portrait_unusable",
  "document_unusable",
  "birth_date_unread",
  "document_in_review",
  "one_image_liveness",
  "capture_failed",
  "capture_expired",
  "capture_cancelled",
  "document_not_decided",
  "user_unknown",
  "user_paused",
  "user_disabled",
  "operation_finished",
  "service_error",
] as const;
export type VerificationReason = (typeof verificationReasons)[number];

/** What the integrator does next. */
export const nextSteps = [
  "none",
  "wait",
  "open_capture",
  "wait_for_review",
  "review_selfie",
  "try_again_selfie",
  "try_again_document",
  "try_again",
] as const;
export type NextStep = (typeof nextSteps)[number];

export const ageAnswers = ["yes", "no", "unknown"] as const;
export type AgeAnswer = (typeof ageAnswers)[number];

/** How much of the birth date the document shows: the whole date, only the year, or nothing. */
export const birthReadings = ["date", "year", "none"] as const;
export type BirthReading = (typeof birthReadings)[number];
