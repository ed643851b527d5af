import type { Caller } from "#contract/endpoint";
import type { EvidenceEntry } from "#record/transactions/record";

/** A stored template: rotated, then sealed under its own key, which is sealed under the tenant's key. */
export type SealedTemplate = {
  /** Names the template's own key in receipts; a new template has a new key. */
  readonly keyId: string;
  /** The tenant's data key that seals `wrappedKey`. */
  readonly dataKeyId: string;
  /**
   * The name of the recogniser that made the template. Templates of different recognisers are never compared.
   */
  readonly recogniser: string;
  readonly wrappedKey: Uint8Array;
  readonly sealedTransform: Uint8Array;
  readonly sealedTemplate: Uint8Array;
};

/** A registered user. The caller's own identifier is not stored: `pseudonym` is a keyed hash of it. */
export type User = SealedTemplate & {
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  readonly pseudonym: string;
  /** Random. Names the user in the evidence and is meaningless after the row is deleted. */
  readonly id: string;
  /** 1 at enrolment, one more with every new template. */
  readonly revision: number;
  readonly enrolledAt: Date;
  readonly renewedAt: Date;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly pausedUntil?: Date;
  readonly disabledAt?: Date;
};

export type NewUser = SealedTemplate &
  Pick<User, "tenantId" | "environment" | "pseudonym" | "id" | "enrolledAt">;

/** How many failures in a row pause a user, for how long, and how many disable it. */
export type Throttle = {
  readonly pauseFrom: number;
  readonly pauseMs: number;
  readonly disableAt: number;
};

/** One authentication attempt, judged against the template of `revision`. */
export type Attempt = {
  readonly tenantId: string;
  readonly pseudonym: string;
  readonly revision: number;
  readonly at: Date;
  /** `match` ends a run of failures, `against` adds one, `nothing` leaves it unchanged. */
  readonly finding: "match" | "against" | "nothing";
  readonly throttle: Throttle;
  /** Written if this attempt disables the user. */
  readonly disabling: EvidenceEntry;
  /** The face of this attempt as a further reference; absent: it does not join. */
  readonly joining?: Joining;
};

/** A sealed template that joined the references of a user after the enrolment. */
export type FurtherReference = SealedTemplate & { readonly addedAt: Date };

/** A reference that joins, unless the user has `furtherMax` further ones by then. */
export type Joining = {
  readonly reference: SealedTemplate;
  readonly furtherMax: number;
  /** Written if the reference joins. */
  readonly evidence: EvidenceEntry;
};

export type Hold = { readonly pausedUntil?: Date; readonly disabledAt?: Date };

/**
 * `changed`: the template was replaced or deleted. `held`: too many earlier failures. Neither writes
 * anything.
 */
export type AttemptAnswer = { readonly kind: "recorded" | "changed" } | ({ readonly kind: "held" } & Hold);

export type NewTemplate = SealedTemplate & Pick<Attempt, "tenantId" | "pseudonym" | "revision" | "at">;

/** A user to delete, with the key to destroy, as the caller read them. */
export type UserName = Pick<User, "pseudonym" | "id" | "keyId">;
