/**
 * Version of the rules that join the parts of a verification (decide.ts, judge-age.ts). Stored decisions name
 * it.
 */
export const verificationPolicyVersion = "verification-2";

/** Kinds of evidence that this module writes. */
export const verificationEvidenceKinds = ["verification_decided"] as const;
