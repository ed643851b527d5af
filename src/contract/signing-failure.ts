/** Failures of signing and of the files to sign; part of `failureKinds`. */
export const signingFailures = {
  /**
   * The file is no PDF, or is damaged beyond repair: it has no header, no pages, or objects that no reader
   * finds.
   */
  pdf_unreadable: {
    status: 422,
    title: "The file is no PDF that can be read",
    detail:
      "`facts.reason` says what is wrong. Nothing was signed. Check that the whole file arrived, and how it was encoded; open " +
      "it in a viewer and save it anew. Where `facts.setting` stands, the file is readable only after a repair, and viewers may show " +
      "it differently. Operators: that setting may repair such a file, which is signed where nothing is lost of what its pages show.",
    retry: "never",
  },
  /** Idem's own verifier reads each signed file before it is answered or kept. */
  signature_unproven: {
    status: 500,
    title: "The signed file did not pass its verification",
    detail:
      "Nothing was answered as signed, and nothing is kept. Report it with the request id. Operators: the log names what the " +
      "verifier found; send the file to the makers of Idem if you may.",
    retry: "never",
  },
  /** Asked for by a command that extends signatures. */
  pdf_unsigned: {
    status: 422,
    title: "The PDF holds no signature",
    detail: "There is nothing to extend. Sign the file first: idem sign FILE --out OUT.",
    retry: "never",
  },
  /** The file has more bytes, objects, pages or nesting than allowed. It is judged before the work. */
  pdf_too_large: {
    status: 422,
    title: "The PDF is larger than allowed",
    detail:
      "`facts` name the size and the limit. The file was not taken. Send a smaller file. Operators: IDEM_SIGNING_MB_MAX is the " +
      "limit of a file in megabytes.",
    retry: "never",
  },
  /** Encrypted with a user password or for certificates; an owner password alone is no obstacle. */
  pdf_needs_password: {
    status: 422,
    title: "The PDF opens only with a password",
    detail:
      "Nothing was signed. Send a file that opens without a password. One that only forbids changes (an owner password) is accepted.",
    retry: "never",
  },
  /** DocMDP 1 (ISO 32000-2, 12.8.2.2), or a field lock (12.7.5.5). */
  pdf_signing_forbidden: {
    status: 422,
    title: "An earlier signature of the PDF forbids another one",
    detail:
      "`facts.reason` says which: a certification that allows no change, or the lock of a signed field. A further signature would " +
      "make the earlier one invalid. Sign the file before it is certified or locked.",
    retry: "never",
  },
  /**
   * Its bytes, its value, or a later change that it does not allow. Whether its signer is trusted does not
   * matter.
   */
  pdf_signature_broken: {
    status: 422,
    title: "An earlier signature of the PDF is broken",
    detail:
      "`facts.field` names the signature, `facts.reason` what is wrong with it. Another signature or an extension would not mend it, and " +
      "nothing was added. Get the file again from its source; idem verify-pdf FILE shows every signature.",
    retry: "never",
  },
  /** The file is a form, and its PDF pages are only a notice. */
  pdf_xfa_only: {
    status: 422,
    title: "The PDF is a dynamic XFA form",
    detail:
      "Its pages show a notice, and the content is not in them: a signature would not cover what a person reads. Print the form " +
      "to a plain PDF and send that.",
    retry: "never",
  },
  /** A repair would change signed bytes. */
  pdf_damaged_and_signed: {
    status: 422,
    title: "The PDF is damaged and already signed",
    detail:
      "A repair would make the earlier signature invalid. `facts.reason` says what is damaged. Nothing was signed. Get the file " +
      "again from its source.",
    retry: "never",
  },
  pdf_page_missing: {
    status: 422,
    title: "The PDF has no page with this number",
    detail: "`facts` name `pageNumber` and `pageCount`. Pages count from 1.",
    retry: "never",
  },
  /** In part or whole beyond the page, or without an area. */
  pdf_position_outside: {
    status: 422,
    title: "The position of the signature is not on the page",
    detail:
      "`facts` name the position, and width and height of the page. The numbers are `x1,y1,x2,y2` in points (1/72 inch) from the " +
      "lower left corner of the page as a viewer shows it; x2 is greater than x1, and y2 greater than y1.",
    retry: "never",
  },
  /** Neither its lines nor an image could be seen. */
  pdf_position_small: {
    status: 422,
    title: "The position of the signature is too small to show it",
    detail:
      "`facts` name the position, its width and height as the page is displayed, and the least of both in points (1/72 inch). " +
      "Send `x1,y1,x2,y2` with a larger distance between x1 and x2, or y1 and y2.",
    retry: "never",
  },
  pdf_position_unreadable: {
    status: 422,
    title: "The position of the signature is not four numbers",
    detail:
      "`facts.sent` is its start. Send `x1,y1,x2,y2`: four numbers of points with commas between them, such as `50,50,250,120`.",
    retry: "never",
  },
  signature_image_unreadable: {
    status: 422,
    title: "The image of the handwritten signature cannot be used",
    detail:
      "`facts.reason` says what is wrong. Send a still PNG, with or without transparency, or a JPEG, within the limits for images.",
    retry: "never",
  },
  /**
   * The authentication did not approve the person, or the transaction is of a call that authenticates no one.
   */
  transaction_not_positive: {
    status: 422,
    title: "The transaction is no positive authentication",
    detail:
      "`facts.endpoint` is the call of the transaction. Sign with the `serviceTransactionId` of an answer that has " +
      "`facialAuthenticationHash`: identity with both results 3, authenticateFacial with result 3, or authenticateUser with code 0.",
    retry: "never",
  },
  /** By the deployment's limit, IDEM_SIGNING_AUTHENTICATION_MINUTES. */
  transaction_too_old: {
    status: 422,
    title: "The authentication is too old to sign with",
    detail:
      "`facts` name `ageMinutes` and `ageMinutesMax`. Authenticate the person again, and sign with the new transaction and its hash.",
    retry: "never",
  },
  /** Also for a hash of another transaction. */
  authentication_hash_wrong: {
    status: 422,
    title: "The hash does not belong to this transaction",
    detail:
      "Send `facialAuthenticationHash` and `serviceTransactionId` of one and the same answer, unchanged: 128 hexadecimal characters.",
    retry: "never",
  },
  contact_unreadable: {
    status: 422,
    title: "The contact is no e-mail address",
    detail: "Send the person's address in `endUserContactInfo`, such as `anna@example.org`.",
    retry: "never",
  },
  /** No authority of the list gave a token that verifies. Nothing was signed or stored. */
  timestamp_failed: {
    status: 502,
    title: "No time-stamp authority gave a valid time-stamp",
    detail:
      "Nothing was signed or stored: try again later. Operators: the log names each authority and its fault; " +
      "IDEM_TIMESTAMP_URL is the list.",
    retry: "later",
  },
  /** Expired, not yet valid, revoked or unreachable; also where its revocation cannot be asked. */
  signer_unusable: {
    status: 503,
    title: "The deployment's signing key cannot be used",
    detail:
      "`facts.reason` says why: expired, not yet valid, revoked, status unknown, or unreachable. Nothing was signed. Operators: see the log and " +
      "docs/guides/integrate/signing.md.",
    retry: "later",
  },
  /**
   * Found while a bundle is made. The service hands out no bundle, unless the operator asks for it anyway.
   */
  evidence_damaged: {
    status: 409,
    title: "The evidence of the operation was changed, or a part is missing",
    detail:
      "`facts.faults` name each place and what differs. No bundle was made: `anyway=true` makes one that states the faults. " +
      "Operators: idem evidence verify checks the whole chain; docs/guides/understand/evidence.md says what a fault means.",
    retry: "never",
  },
} as const;
