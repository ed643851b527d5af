import { Failure } from "#contract/failure";
import { isGroup, type Json } from "#contract/json";
import { type VerificationCode, verificationCode } from "#contract/verification-code";
import type { TransactionRecord } from "#record/transactions/record";

/** The interface's number for a positive comparison, and for a living person. */
const positive = 3;

const numberIn = (result: Json, name: string): number | null => {
  const value = isGroup(result) ? result[name] : undefined;
  return typeof value === "number" ? value : null;
};

/** The two result numbers of an identity call. */
export const resultsOf = ({ result }: Pick<TransactionRecord, "result">) => ({
  facial: numberIn(result, "facial"),
  liveness: numberIn(result, "liveness"),
});

/**
 * The first unmet precondition of a verification token; undefined where transaction and validation are good.
 */
export const judgePreconditions = (
  record: Pick<TransactionRecord, "endpoint" | "result">,
  code: VerificationCode,
): Failure | undefined => {
  const { endpoint } = record;
  if (endpoint !== "identity") return new Failure("clearing_not_identity", { endpoint });
  const { facial, liveness } = resultsOf(record);
  if (facial !== positive) {
    return new Failure("clearing_face_not_positive", { facialAuthenticationResult: facial ?? "none" });
  }
  if (liveness !== positive) {
    return new Failure("clearing_not_live", { passiveLivenessResult: liveness ?? "none" });
  }
  if (code === verificationCode.Approved) return undefined;
  return new Failure("clearing_not_approved", { verificationCode: code });
};

const refuse = (reason: string): Failure => new Failure("clearing_other_operation", { reason });

/**
 * The refusal of two calls that are not of one operation; undefined where they are, or where neither names
 * one.
 */
export const judgeOperation = (
  ofIdentity: string | undefined,
  ofDocument: string | undefined,
): Failure | undefined => {
  if (ofIdentity === ofDocument) return undefined;
  if (ofIdentity === undefined) return refuse("only the document validation names an operation");
  if (ofDocument === undefined) return refuse("only the transaction names an operation");
  return refuse("they name two operations");
};
