/** Failures that only a caller with the scope `webhook` can receive; part of `failureKinds`. */
export const destinationFailures = {
  destination_limit: {
    status: 409,
    title: "The tenant has as many destinations as it may have",
    detail:
      "`facts.countMax` is the limit of one environment. Nothing was stored. Remove a destination, or let one take more topics.",
    retry: "never",
  },
  /** Optimistic locking: nothing was written. */
  destination_changed: {
    status: 409,
    title: "The destination was changed at the same moment",
    detail: "Nothing was written. Read the destination and repeat the change if it is still wanted.",
    retry: "later",
  },
  destination_state_refused: {
    status: 409,
    title: "The state of the destination does not allow this",
    detail:
      "`facts.state` and `facts.reason` name it. pause needs an active destination, resume a paused one, enable a disabled one. " +
      "A destination that waits for the consent of its receiver (reason handshake) becomes active by its handshake.",
    retry: "never",
  },
  destination_secret_limit: {
    status: 409,
    title: "Too many former secrets of the destination still sign",
    detail:
      "Nothing was changed. Wait until a former secret ends, or rotate with `formerHours` 0: then the new secret signs alone.",
    retry: "never",
  },
} as const;
