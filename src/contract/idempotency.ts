/**
 * Idempotency keys on the wire: draft-ietf-httpapi-idempotency-key-header-07, with the failures and bounds of
 * this service. The draft leaves the key's format, its lifetime and the fingerprint to the service.
 */

/** Most characters of a key. A UUID has 36; the bound is that of Stripe, whose clients many callers use. */
export const idempotencyKeyLengthMax = 255;

/** Name of the header of a replayed answer; its value is `true`. */
export const replayedHeader = "idempotent-replayed";

/**
 * Failures of a POST with a key, or with a reference or a one-use token that acts as one; part of
 * `failureKinds`.
 */
export const idempotencyFailures = {
  /** The draft proposes 422 (2.7); one status for both conflicts of a key is simpler for a caller. */
  idempotency_key_reused: {
    status: 409,
    title: "The Idempotency-Key was used for another request",
    detail:
      "Nothing was carried out. Under one key send the same bytes to the same path, or create a new key for a new call.",
    retry: "never",
  },
  /** Draft, 5: a key of the client is part of the name, so that no client gets the answer of another. */
  idempotency_key_taken: {
    status: 409,
    title: "The Idempotency-Key belongs to a call of another API key",
    detail:
      "Nothing was carried out. Repeat a call with the API key that sent it first, or with the key that a renewal made in its place. For " +
      "a call of your own create a new Idempotency-Key.",
    retry: "never",
  },
  /** An answer with a secret is stored nowhere. A caller who lost the secret makes a new one. */
  idempotency_secret_shown: {
    status: 409,
    title: "The call was carried out, and its answer held a secret that is shown once",
    detail:
      "The secret is not stored, so no retry gets it. The other members of `facts` name what the call made, and `facts.next` says how to " +
      "replace it. If the first answer did not arrive, do that now.",
    retry: "never",
  },
  /** Draft, 2.6: a retry while the first attempt runs. */
  idempotency_call_running: {
    status: 409,
    title: "The first attempt of this call is still running",
    detail:
      "Send the same request again after the seconds that the header Retry-After names: it gets the answer of the first call.",
    retry: "later",
  },
  /**
   * The service ended between the commit of the call and the storing of its answer, or the tenant's keys were
   * destroyed since.
   */
  idempotency_answer_lost: {
    status: 409,
    title: "The call was carried out once, but its answer is lost",
    detail:
      "It is not carried out again. `facts.transactionId` names it, and `facts.result` holds its recorded numbers and references as " +
      "JSON. A new key would carry it out a second time.",
    retry: "never",
  },
} as const;
