/** Failures of the sandbox; part of `failureKinds`. */
export const sandboxFailures = {
  /**
   * A live key never meets a persona; a test key names one of this release. The refusal of a live key is
   * evidence.
   */
  persona_refused: {
    status: 422,
    title: "The image is a persona of the sandbox",
    detail:
      "`facts.reason` is `live` where the key is of the live environment: personas serve test keys only. It is `unknown` where " +
      "this release has no persona of that name: GET /sandbox/v1/personas lists them. Nothing was judged.",
    retry: "never",
  },
} as const;
