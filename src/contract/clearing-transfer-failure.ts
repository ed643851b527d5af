/** Failures of transfers through the clearing entity; part of `failureKinds`. */
export const clearingTransferFailures = {
  clearing_not_configured: {
    status: 409,
    title: "This deployment transfers nothing for the tenant and environment of the key",
    detail:
      "Nothing was asked and nothing stored. The operator names the clearing entity (IDEM_CLEARING_URL for live keys, " +
      "IDEM_CLEARING_TEST_URL for test keys) and a key of this tenant that opens certificates (docs/guides/integrate/clearing.md). " +
      "`facts.lacks` names the missing part: entity, certificate key, or certificate user (IDEM_CLEARING_USER or " +
      "IDEM_CLEARING_TEST_USER, as `idem clearing credentials` set it).",
    retry: "never",
  },
  clearing_transfer_exists: {
    status: 409,
    title: "The transaction has a transfer already",
    detail:
      "`facts.transferId` names it. Read its state. A transfer that is refused or unclear is resumed; only after it is abandoned " +
      "may the transaction have another one.",
    retry: "never",
  },
  clearing_affiliate_missing: {
    status: 422,
    title: "The document does not show every field of the affiliate",
    detail: "`facts.fields` names them. Send them in `affiliate`.",
    retry: "never",
  },
  clearing_affiliate_refused: {
    status: 422,
    title: "The RUT is not that of the affiliate",
    detail:
      "`facts.reason`: rut-invalid, its form or check digit is wrong; rut-of-another, the document shows another RUT. Nothing was sent.",
    retry: "never",
  },
  clearing_transfer_state: {
    status: 409,
    title: "The state of the transfer does not allow this",
    detail:
      "`facts.state` is its state. Only a refused or unclear transfer is resumed. A transfer with a token, or with a call under way, is " +
      "not abandoned.",
    retry: "never",
  },
  clearing_statement_missing: {
    status: 409,
    title: "The transfer needs a statement about its ticket",
    detail:
      "The clearing entity may have made a ticket. Ask the entity, then send the ticket in `ticket`, or `withoutTicket: true` where " +
      "it made none. Without that a second ticket could be made.",
    retry: "never",
  },
  clearing_transfer_changed: {
    status: 409,
    title: "The transfer changed at the same moment",
    detail: "Nothing was written. Read the transfer and decide again.",
    retry: "later",
  },
} as const;
