/**
 * Most keys of a tenant and environment that are active or were made within the last day, counted where a key
 * is made by a call.
 */
export const activeKeysMax = 200;

/** Failures that only a caller with the scope `key` can receive; part of `failureKinds`. */
export const keyFailures = {
  key_scope_refused: {
    status: 403,
    title: "The calling key does not hold every scope of the key that it would make, renew or revoke",
    detail:
      "`facts.scopes` names the scopes that it lacks. Nothing was stored. A key makes, renews and revokes only keys whose scopes it " +
      "holds itself; the command idem keys has no such limit.",
    retry: "never",
  },
  key_ended: {
    status: 409,
    title: "The key is not active",
    detail: "`facts.state` is expired or revoked. Nothing was stored. Create a key in its place.",
    retry: "never",
  },
  key_limit: {
    status: 409,
    title: "The tenant has as many API keys as it may have",
    detail:
      "`facts.countMax` is the limit of one environment: keys that are active, and keys that were made within the last day. Nothing was " +
      "stored. Revoke keys that are not used.",
    retry: "later",
  },
} as const;
