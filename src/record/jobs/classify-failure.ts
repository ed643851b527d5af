import { Failure, type FailureKind, failureKinds } from "#contract/failure";
import type { ErrorKind } from "./job.ts";

/**
 * What an error means for a job, as the catalogue of failures states it: an outage is waited for, and where
 * no further call of a caller can succeed, no further attempt can. Any other error, of an engine or of our
 * own code, may come back.
 */
export const classifyFailure = (error: unknown): ErrorKind => {
  if (!(error instanceof Failure)) return "unknown";
  if (error.code === "engine_busy") return "busy";
  const { retry, isOutage }: FailureKind = failureKinds[error.code];
  if (isOutage === true) return "transient";
  return retry === "never" ? "permanent" : "unknown";
};
