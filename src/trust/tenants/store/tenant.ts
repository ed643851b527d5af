import type { Caller } from "#contract/endpoint";
import type { Scope } from "#contract/scope";

export type Tenant = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /**
   * Country of documents for calls that name none, ISO 3166-1 alpha-3. If absent, that of the deployment
   * applies.
   */
  readonly defaultCountry?: string;
};

/** `hash` is the SHA-256 of the whole key in hex: the key itself is never stored. */
export type ApiKey = {
  readonly id: string;
  readonly tenantId: string;
  readonly hash: string;
  readonly name: string;
  readonly environment: Caller["environment"];
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
  /** Id of the first key of the renewals that made this key. If absent, it was made in place of none. */
  readonly lineage?: string;
  /** Set in a list for a key that was added or changed past the service. It opens nothing. */
  readonly isForged?: true;
};
