/** Failures of verifications; part of `failureKinds`. */
export const verificationFailures = {
  capture_steps_missing: {
    status: 409,
    title: "The capture session does not capture what this flow needs",
    detail:
      "`facts.steps` names the missing steps. Open a session with them, or let the verification open one (`capture`).",
    retry: "never",
  },
} as const;
