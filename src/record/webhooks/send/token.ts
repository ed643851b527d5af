import type { Destination, DestinationAuth } from "../destinations/destination.ts";

/** A destination that asks for an OAuth token. */
export type OAuthDestination = Destination & {
  readonly auth: Extract<DestinationAuth, { readonly kind: "oauth2" }>;
};

/** An access token. `serial` counts the tokens of its destination. */
export type AccessToken = { readonly value: string; readonly serial: number };

/** `status` is that of the token server; `reason` holds no secret and no text of the server. */
export type TokenFault = { readonly status?: number; readonly reason: string };

export type TokenNeeds = {
  readonly msMax: number;
  readonly signal?: AbortSignal;
  /** The receiver refused it: another one is needed. */
  readonly refused?: AccessToken;
};

/**
 * The current token of a destination, renewed where it is due. Rejects only when `signal` aborts. Made by
 * `makeTakeToken` (take-token.ts).
 */
export type TakeToken = (
  destination: OAuthDestination,
  needs: TokenNeeds,
) => Promise<AccessToken | TokenFault>;
