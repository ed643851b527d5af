import type { Call } from "#contract/endpoint";

/**
 * The call, or the step of a job, that asks for a token. `transactionId` is a fresh UUID: the record of the
 * issue has it.
 */
export type IssueCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "signal" | "appName" | "deferCommit"
>;

/** What a fund administrator sends: the identity call and the document validation of one person. */
export type IssueWish = {
  readonly transactionId: string;
  readonly scanReference: string;
};

/** The person as the approved document shows them. */
export type VerifiedPerson = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly idNumber: string | null;
  readonly dateOfBirth: string | null;
  readonly documentNumber: string | null;
  readonly documentCountry: string | null;
};

export type IssuedToken = {
  /** The only copy in the clear: the store has its keyed hash. */
  readonly token: string;
  readonly expiresAt: Date;
  /** How often it opens the certificate. */
  readonly usesMax: number;
  /** Time of the identity call. */
  readonly verifiedAt: Date;
  readonly person: VerifiedPerson;
  /** Address of the certificate with the token, without the key of the clearing entity (`&apiKey=`). */
  readonly certificateUrl: string;
};

/** Throws where the call cannot go on with this person. */
export type RequirePerson = (person: VerifiedPerson) => void;

/**
 * Issues a verification token where every precondition holds, and records it with its evidence in one commit.
 * Each call makes a new token. Fails with not_found or the failure of the precondition that does not hold
 * (`clearingFailures`), and as `requirePerson`, the last precondition. Made by `makeIssueToken`,
 * verify/issue.ts.
 */
export type IssueToken = (
  call: IssueCall,
  wish: IssueWish,
  requirePerson?: RequirePerson,
) => Promise<IssuedToken>;
