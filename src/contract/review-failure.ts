/** Failures that only a reviewing person can meet; part of `failureKinds`. */
export const reviewFailures = {
  /** Somebody else has it before him; his hold ends by itself. */
  review_held: {
    status: 409,
    title: "Somebody else has claimed this review",
    detail: "Take another, or come back: a claim ends by itself. The list says when.",
    retry: "later",
  },
  /** Also where the own claim has ended meanwhile: then nothing was written. */
  review_not_held: {
    status: 409,
    title: "This review is not claimed by this key",
    detail: "Claim it first. A claim ends after some minutes; claiming again prolongs it.",
    retry: "never",
  },
  /** By a person, by the analysis of better pictures, or because nobody went on with it. */
  review_decided: {
    status: 409,
    title: "This document is decided and waits for nobody",
    detail:
      "Nothing was written. The decision stands where the caller of documentValidation reads it, in `data`. The list says what still waits.",
    retry: "never",
  },
  /** Four eyes. */
  review_needs_another: {
    status: 409,
    title: "A second person must look at this review",
    detail:
      "This key has said something already. Another person, with a key of its own, claims and decides it.",
    retry: "never",
  },
  /** What he was shown does not say so: then nothing was written. */
  review_outdated: {
    status: 409,
    title: "The document's number has become another customer's since it was analysed",
    detail:
      "It cannot be approved as it was shown. Ask for better pictures: their analysis says whose the number is, and whoever decides then knows it. Or decline it.",
    retry: "never",
  },
} as const;
