import type { Caller } from "#contract/endpoint";

/** The row of a call under a retry key, as its attempts name it. */
export type ClaimName = {
  readonly tenantId: string;
  /** Keyed hash of key, environment and route: 64 hex characters. */
  readonly name: string;
};

/** The claim of one attempt. Another attempt with the same name has another transaction id. */
export type HeldClaim = ClaimName & { readonly transactionId: string };

/** An attempt that wants to run. */
export type Claim = HeldClaim & {
  readonly keyId: string;
  readonly environment: Caller["environment"];
  /** Keyed hash of path parameters and body: 64 hex characters. */
  readonly request: string;
  /** Id of the key that owns the call: the first one of its renewals. */
  readonly owner: string;
  readonly now: Date;
  /** Until then no other attempt may run. */
  readonly leasedUntil: Date;
  /** Rows that were claimed at this time or before are forgotten. */
  readonly forgottenBefore: Date;
};

/** What the store has for an attempt. */
export type Claimed =
  /** The attempt holds the claim and must run. */
  | { readonly kind: "claimed" }
  /** Another attempt runs. */
  | { readonly kind: "running" }
  /** The name belongs to another request. */
  | { readonly kind: "reused" }
  /** The name belongs to a call of another owner. */
  | { readonly kind: "taken" }
  /** The sealed answer of an earlier attempt. */
  | { readonly kind: "answered"; readonly transactionId: string; readonly sealed: Uint8Array }
  /** An earlier attempt was committed and left no answer. */
  | { readonly kind: "lost"; readonly transactionId: string };

/** The columns that decide. */
export type ClaimState = {
  readonly request: string;
  /** Null in a row of a release before owners: its answer is given to no retry. */
  readonly owner: string | null;
  readonly claimedAt: number;
  readonly leasedUntil: number;
  readonly isAnswered: boolean;
};

/** State of a row for a new attempt. `forgotten` is free; `abandoned` has no answer and its lease is over. */
export type ClaimVerdict = "running" | "reused" | "taken" | "answered" | "forgotten" | "abandoned";

/**
 * Judges a row for a new attempt. A running call is never forgotten. Another owner learns no more than that
 * the name is taken.
 */
export const judgeClaim = (
  row: ClaimState,
  { request, owner, now, forgottenBefore }: Pick<Claim, "request" | "owner" | "now" | "forgottenBefore">,
): ClaimVerdict => {
  const isRunning = !row.isAnswered && row.leasedUntil > now.getTime();
  if (!isRunning && row.claimedAt <= forgottenBefore.getTime()) return "forgotten";
  if (row.owner !== owner) return "taken";
  if (row.request !== request) return "reused";
  if (row.isAnswered) return "answered";
  return isRunning ? "running" : "abandoned";
};
