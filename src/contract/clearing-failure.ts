/**
 * Failures of pension clearing; part of `failureKinds`. Each unmet precondition of a verification token has
 * its own.
 */
export const clearingFailures = {
  clearing_not_identity: {
    status: 422,
    title: "The transaction is of another call than identity",
    detail:
      "`facts.endpoint` is the call of the transaction. Send the `serviceTransactionId` of an answer of /onboarding/v2/identity.",
    retry: "never",
  },
  clearing_face_not_positive: {
    status: 422,
    title: "The faces of the transaction are not those of one person",
    detail:
      "`facts.facialAuthenticationResult` is not 3. Verify the person again with /onboarding/v2/identity, and send that transaction.",
    retry: "never",
  },
  clearing_not_live: {
    status: 422,
    title: "The transaction has no living person",
    detail:
      "`facts.passiveLivenessResult` is not 3. Verify the person again with /onboarding/v2/identity, and send that transaction.",
    retry: "never",
  },
  /** Also for a validation that is not decided yet. */
  clearing_not_approved: {
    status: 422,
    title: "The document validation is not approved",
    detail:
      "`facts.verificationCode` is not 9001. Wait until /verify/documentValidation/v2/data answers 9001, or validate the document again.",
    retry: "never",
  },
  clearing_other_operation: {
    status: 422,
    title: "Transaction and document validation are of different operations",
    detail:
      "`facts.reason` says which of the two names an operation. Send the same `tracking` in both calls, or in neither, and verify again.",
    retry: "never",
  },
  clearing_other_person: {
    status: 422,
    title: "Transaction and document validation are of different persons",
    detail:
      "The face of the document and the selfie of the transaction do not match. Verify person and document again.",
    retry: "never",
  },
  /** Neither an equal image nor a comparison of faces can show it. */
  clearing_person_unproven: {
    status: 422,
    title: "Nothing shows that transaction and document validation are of one person",
    detail:
      "`facts.reason` says what is missing. Send the image of the document as `token1` of identity with method 3, byte for byte as " +
      "it was validated. Or name the same operation in `tracking` of both calls: then the kept images are compared.",
    retry: "never",
  },
  clearing_assurance_too_low: {
    status: 422,
    title: "The verification is weaker than the operator's policy asks for",
    detail:
      "`facts.missing` names each part with what is needed. Verify the person again: with a capture session and its turn challenge, " +
      "and with sharp images of the document. Operators: IDEM_CLEARING_ASSURANCE.",
    retry: "never",
  },
  /** The header Accept takes none of the forms, or a PDF alone where no signer is set. */
  certificate_form_unavailable: {
    status: 406,
    title: "The certificate has no form that the caller accepts",
    detail:
      "`facts.available` lists the media types. Send one of them in the header Accept, or `*/*`. Operators: a PDF needs a signer " +
      "(IDEM_SIGNER).",
    retry: "never",
  },
  callback_url_refused: {
    status: 422,
    title: "The callback URL cannot be used",
    detail: "`facts.reason` says why. Send an https URL of a public address.",
    retry: "never",
  },
} as const;
