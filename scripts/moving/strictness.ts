import type { FailureCode } from "#contract/failure";

/** What an operation asks for beyond the interface. It is always a decision on security, and the operator can end it. */
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
  reason: "a template holds no image, so that nobody has to be present",
  switch: "`IDEM_TEMPLATE_WITHOUT_PICTURE`",
};

/** What no failure shows, by the route's name. */
export const strictRoutes: Readonly<Record<string, readonly Strictness[]>> = {
  authenticateUser: [templateWithoutImage],
  authenticateUserV2: [templateWithoutImage],
  // It answers a refused token as a wrong field.
  padDiagnostic: [tokenAge],
};
