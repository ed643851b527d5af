/** `verification.code` and `verification.status` of a document validation. */
export const verificationCode = {
  Started: 7001,
  Submitted: 7002,
  Approved: 9001,
  Declined: 9102,
  /** Not final: the same person may send better images. */
  Resubmission: 9103,
  "Expired/Abandoned": 9104,
  /** A person of the operator decides. */
  Review: 9121,
} as const;

export type VerificationStatus = keyof typeof verificationCode;
export type VerificationCode = (typeof verificationCode)[VerificationStatus];

/** State of the scan in the status step. */
export const scanStatuses = ["PENDING", "DONE", "FAILED"] as const;
