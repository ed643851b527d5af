import type { FailureCode } from "#contract/failure";

/**
 * What an operation asks for beyond the interface. It is a decision on security, which the operator can end,
 * or one on the protocol, which a caller can avoid. Failures of every operation stand in the guide's own
 * table of statuses.
 */
export type Strictness = {
  readonly what: string;
  readonly reason: string;
  /** The setting or command that ends it, or what a caller does instead. */
  readonly switch: string;
};

const tokenAge: Strictness = {
  what: "a token of a capture is accepted for ten minutes, except as a reference",
  reason: "an old capture does not show that the person is present",
  switch: "`IDEM_TOKEN_AGE_SECONDS`",
};

/** What follows from a failure that a route declares. */
export const strictFailures: Partial<Record<FailureCode, Strictness>> = {
  token_replayed: {
    what: "a best-image token serves one operation (409)",
    reason: "a copied token must not open a second operation",
    switch: "`IDEM_BEST_IMAGE_TOKEN_USES`",
  },
  token_expired: tokenAge,
  operation_finished: {
    what: "a call that names an ended operation by `operationId` is refused, and another end of it too (409)",
    reason: "the events of an operation are complete once it has ended",
    switch:
      "a new `operationId` for each verification, or `extraData` alone; `IDEM_OPERATION_MINUTES` until it expires",
  },
  user_paused: {
    what: "five failures in a row pause a user for 30 seconds (429)",
    reason: "guessing by many attempts (NIST SP 800-63B-4, 3.2.3)",
    switch: "`idem users enable`",
  },
  user_disabled: {
    what: "fifty failures in a row disable a user (403)",
    reason: "guessing by many attempts (NIST SP 800-63B-4, 3.2.3)",
    switch: "`idem users enable`",
  },
  template_mismatch: {
    what: "the new template must show the same person (422)",
    reason: "a stolen key must not give an identifier to another face",
    switch: "delete the user and enrol again",
  },
};

const templateWithoutImage: Strictness = {
  what: "a `template` in place of `bestImageToken` is answered with -101",
  reason: "a template holds no image, so that the person need not be present",
  switch: "`IDEM_TEMPLATE_WITHOUT_PICTURE`",
};

/** Of an operation whose equal requests count as retries without an `Idempotency-Key` of the caller. */
export const strictRetry: Strictness = {
  what: "an equal request is refused while the first one runs, or once the answer of the first is lost (409)",
  reason: "a retry must not carry a call out twice",
  switch:
    "the same request again after the seconds of `Retry-After`; another token or reference for a new call",
};

/** What no failure shows, by the route's name. */
const personProof: Strictness = {
  what: "a token is issued only where an equal image or the kept images show that person and document belong together (422)",
  reason: "a certificate for another person moves the pension of that person",
  switch: "the image of the document as `token1` of identity, or one operation for both calls",
};

export const strictRoutes: Readonly<Record<string, readonly Strictness[]>> = {
  authenticateUser: [templateWithoutImage],
  authenticateUserV2: [templateWithoutImage],
  civilValidation: [
    {
      what: "a number that the rules of its country refuse is not asked for (400)",
      reason: "a question about a wrong number has a price, and may be about another person",
      switch: "the number as the document prints it",
    },
  ],
  digitalSign: [
    {
      what: "an authentication older than 30 minutes, or one of another tenant or environment, carries no signature (422, 404)",
      reason: "a signature states that the person was present",
      switch: "`IDEM_SIGNING_AUTHENTICATION_MINUTES`",
    },
  ],
  verifyClearing: [personProof],
  verifyPrevired: [personProof],
  startPrevired: [personProof],
  finishTracking: [
    {
      what: "an end whose operation is not found is refused: no earlier call had this id or token (404)",
      reason: "an unknown operation has no events that an end could complete",
      switch: "`operationId` beside the token, as in `tracking.operationId` of the calls",
    },
  ],
  // It answers a refused token as a wrong field.
  padDiagnostic: [tokenAge],
};
