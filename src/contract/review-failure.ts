/** Failures that only a reviewer can receive; part of `failureKinds`. */
export const reviewFailures = {
  /** Another reviewer holds the review; that claim ends by itself. */
  review_held: {
    status: 409,
    title: "Another reviewer has claimed this review",
    detail: "Take another review, or try later: a claim ends by itself. The list shows when.",
    retry: "later",
  },
  /** Also sent after the own claim of the caller has ended. Nothing was written. */
  review_not_held: {
    status: 409,
    title: "This review is not claimed by this key",
    detail: "Claim it first. A claim ends after some minutes; claim again to prolong it.",
    retry: "never",
  },
  /** By a person, by the analysis of better images, or by expiry. */
  review_decided: {
    status: 409,
    title: "This document is decided and waits for no review",
    detail:
      "Nothing was written. The caller of documentValidation reads the decision in `data`. The list shows the open reviews.",
    retry: "never",
  },
  /** Four-eyes principle. */
  review_needs_another: {
    status: 409,
    title: "A second reviewer must decide this review",
    detail: "This key has decided already. Another person must claim and decide it with another key.",
    retry: "never",
  },
  /** The reviewer saw older data. Nothing was written. */
  review_outdated: {
    status: 409,
    title: "Another customer has used the document's number since the analysis",
    detail:
      "It cannot be approved on the data shown. Ask for better images, whose analysis includes the other customer, or decline it.",
    retry: "never",
  },
} as const;
