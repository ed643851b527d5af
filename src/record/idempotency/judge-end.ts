import { Failure, type FailureCode, failureKinds } from "#contract/failure";

/**
 * The end of an attempt that failed. `keep`: the failure is the answer of the call. `release`: nothing was
 * committed, and a retry may run. `unknown`: the store decides whether the attempt was committed.
 */
export type FailedEnd = "keep" | "release" | "unknown";

/**
 * Failures that may come after a commit. An abort at the end of time or of the service may meet a running
 * commit.
 */
const unknownEffect: readonly FailureCode[] = [
  "internal_error",
  "store_unavailable",
  "timed_out",
  "shutting_down",
];

/**
 * Judges a failed attempt. The handler's final refusals are answers; a refusal of the request's form is not,
 * so that the caller can correct it under the same key.
 */
export const judgeFailedEnd = (error: unknown): FailedEnd => {
  if (!(error instanceof Failure) || unknownEffect.includes(error.code)) return "unknown";
  const { status, retry } = failureKinds[error.code];
  return retry === "never" && status < 500 && error.code !== "request_invalid" ? "keep" : "release";
};
