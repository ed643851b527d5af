import type { Caller } from "#contract/endpoint";

/** The tenant and environment of a token: tokens of others do not exist for it. */
export type ClearingOwner = Pick<Caller, "tenantId" | "environment">;

/** What showed that person and document are of one person: an equal image, or a comparison of faces. */
export type SamePersonBy = "image" | "faces";

/** A verification token as it is stored. Its text is not. */
export type ClearingToken = ClearingOwner & {
  /** Keyed hash of the token with its transaction and environment. */
  readonly hash: string;
  /** Transaction of the identity call. */
  readonly transactionId: string;
  readonly validationId: string;
  /** Transaction of the call that issued the token. */
  readonly issuedBy: string;
  readonly samePersonBy: SamePersonBy;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly uses: number;
  readonly usesMax: number;
};

/** Credentials that a certificate asks for beside key and token. */
export type ClearingCredentials = ClearingOwner & {
  readonly user: string;
  /** Salted hash of the password (password.ts). */
  readonly passwordHash: string;
  readonly changedAt: Date;
};
