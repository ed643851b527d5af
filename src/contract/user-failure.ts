/** Failures of registered users; part of `failureKinds`. */
export const userFailures = {
  /** Too many failures in a row; only the operator ends it. */
  user_disabled: {
    status: 403,
    title: "This user is disabled after too many failed attempts",
    detail: "Nothing was judged. The operator checks the user and enables it: idem users enable.",
    retry: "never",
  },
  /** The pause after several failures in a row. */
  user_paused: {
    status: 429,
    title: "Too many failed attempts in a row for this user",
    detail: "Wait for the seconds that the header Retry-After names. Nothing was judged.",
    retry: "later",
  },
  /** A verification of a user compares with a registered face, and enrols none. */
  user_unknown: {
    status: 409,
    title: "No user is registered under this userId",
    detail: "A verification of a user enrols no one. Register the user first with authenticateUser.",
    retry: "never",
  },
} as const;
