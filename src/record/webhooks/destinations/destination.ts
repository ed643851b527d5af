import type { Caller } from "#contract/endpoint";

/**
 * `paused` by the operator, `disabled` by failures or by answers 410 of the receiver. Neither is sent to:
 * deliveries are held.
 */
export type DestinationState = "active" | "paused" | "disabled";

/** How a destination recognises this service, besides the signature. */
export type DestinationAuth =
  | { readonly kind: "none" }
  | { readonly kind: "api-key"; readonly header: string; readonly value: string }
  | {
      readonly kind: "oauth2";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
      /** Where the credentials stand in the token request (RFC 6749, 2.3.1). */
      readonly credentialsIn: "header" | "body";
    };

/** A former secret that signs beside the current secret until its time has passed. */
export type FormerSecret = { readonly secret: string; readonly signsUntil: string };

/** What the store holds of a destination in sealed form. */
export type DestinationSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: DestinationAuth;
  /** `whsec_` and the Base64 of 32 random bytes. */
  readonly secret: string;
  readonly formerSecrets: readonly FormerSecret[];
  /** CloudEvents HTTP webhook: ask the receiver for its consent (OPTIONS) before the first delivery. */
  readonly handshake: boolean;
  /** The URL for which the receiver has consented. */
  readonly consentedUrl?: string;
  readonly timeoutMs: number;
  /** Pauses between attempts in milliseconds. If absent, those of the deployment apply. */
  readonly retrySchedule?: readonly number[];
  /** Deliveries in flight. If absent, that of the deployment applies. */
  readonly maxConcurrent?: number;
};

/** A receiver of events, opened. It holds secrets: never log it, and never place it in an error. */
export type Destination = Omit<DestinationSettings, "secret" | "formerSecrets"> & {
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  readonly id: string;
  readonly name: string;
  readonly state: DestinationState;
  // Not a doc comment: the wildcard would end it.
  // Exact topics, `workflows/*/v1` or `*`.
  readonly topics: readonly string[];
  /** Whether events of one operation are delivered in sequence. */
  readonly isOrdered: boolean;
  /** Each change of the destination counts it up. */
  readonly revision: number;
  /** The current secret, then the former ones that still sign. */
  readonly secrets: readonly [current: string, ...former: string[]];
};
