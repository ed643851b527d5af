/**
 * Inputs of a check beside the document images of the request. `outside`: no field of the interface provides
 * them.
 */
type ReasonNeed = "pictures" | "face" | "history" | "request" | "chip" | "provider" | "person" | "outside";

/**
 * The strongest decision that a service may make on this reason alone, under the check's own conditions (two
 * sources agree, an exact match, an operator's limit); every weaker decision is allowed too.
 */
type ReasonStrength = "decline" | "resubmit" | "review" | "never";

type Reason = {
  readonly meaning: string;
  readonly needs: readonly ReasonNeed[];
  readonly alone: ReasonStrength;
};

/**
 * Every reason code of document validation. Where one signal is not enough to decline, `alone` is "review".
 */
export const reasons = {
  101: { meaning: "Physical document not used", needs: ["pictures"], alone: "review" },
  102: { meaning: "Suspected tampering", needs: ["pictures"], alone: "review" },
  103: { meaning: "Holder does not match document photo", needs: ["face"], alone: "decline" },
  104: {
    meaning: "Name entered differs from name on document",
    needs: ["request", "pictures"],
    alone: "decline",
  },
  105: { meaning: "Suspicious behaviour", needs: ["history", "person"], alone: "review" },
  106: { meaning: "Known fraud", needs: ["history"], alone: "decline" },
  107: { meaning: "Velocity or abuse", needs: ["history"], alone: "decline" },
  108: { meaning: "Duplicated end-user", needs: ["history"], alone: "decline" },
  109: { meaning: "Duplicated device", needs: ["history"], alone: "review" },
  110: { meaning: "Duplicated ID", needs: ["history"], alone: "decline" },
  111: { meaning: "Session fraudulently accessed", needs: ["history", "request"], alone: "decline" },
  112: { meaning: "Restricted IP location", needs: ["request", "provider"], alone: "decline" },
  113: { meaning: "Identity farming", needs: ["history", "person"], alone: "review" },
  120: { meaning: "Portrait does not match reference photo", needs: ["face"], alone: "decline" },
  121: { meaning: "User ID missing", needs: ["request"], alone: "decline" },
  122: { meaning: "No reference found", needs: ["history"], alone: "decline" },
  123: { meaning: "Registry checks failed", needs: ["provider"], alone: "decline" },
  124: { meaning: "Face already in collection", needs: ["history"], alone: "decline" },
  126: { meaning: "Potential PEP match", needs: ["provider"], alone: "review" },
  127: { meaning: "Face match with blocklist", needs: ["history"], alone: "decline" },
  128: { meaning: "End-user id mismatch", needs: ["history"], alone: "decline" },
  129: { meaning: "Invalid workflow", needs: ["request"], alone: "decline" },
  201: { meaning: "Video or photos missing", needs: ["request"], alone: "resubmit" },
  202: { meaning: "Face not clearly visible", needs: ["face"], alone: "resubmit" },
  203: { meaning: "Full document not visible", needs: ["pictures"], alone: "resubmit" },
  204: { meaning: "Poor image quality", needs: ["pictures"], alone: "resubmit" },
  205: { meaning: "Document damaged", needs: ["pictures", "person"], alone: "resubmit" },
  206: { meaning: "Document type not supported", needs: ["pictures"], alone: "resubmit" },
  207: { meaning: "Document expired", needs: ["pictures"], alone: "resubmit" },
  501: {
    meaning: "High probability of a fraudulent attempt",
    needs: ["pictures", "history"],
    alone: "review",
  },
  502: { meaning: "Multiple parties present", needs: ["face"], alone: "review" },
  503: { meaning: "Attempted deceit", needs: ["pictures", "face"], alone: "review" },
  504: { meaning: "Deceit, device screen", needs: ["pictures"], alone: "review" },
  505: { meaning: "Deceit, printout", needs: ["pictures"], alone: "review" },
  506: { meaning: "Presented document tampered", needs: ["pictures"], alone: "review" },
  507: { meaning: "Tampered, data cross reference", needs: ["pictures"], alone: "decline" },
  508: { meaning: "Tampered, similarity to specimen", needs: ["pictures", "history"], alone: "decline" },
  509: { meaning: "Holder does not match photo", needs: ["face"], alone: "decline" },
  510: { meaning: "Document type not supported", needs: ["pictures", "request"], alone: "decline" },
  511: { meaning: "Document expired", needs: ["pictures"], alone: "decline" },
  515: { meaning: "Deceit, screen used for face", needs: ["face"], alone: "decline" },
  526: { meaning: "Deceit, photos streamed", needs: ["chip", "request"], alone: "decline" },
  527: { meaning: "No proof-of-address data", needs: ["outside"], alone: "never" },
  528: { meaning: "Proof of address too old", needs: ["outside"], alone: "never" },
  530: { meaning: "Under 13", needs: ["pictures", "request"], alone: "decline" },
  531: { meaning: "Under 14", needs: ["pictures", "request"], alone: "decline" },
  532: { meaning: "Under 16", needs: ["pictures", "request"], alone: "decline" },
  533: { meaning: "Under 18", needs: ["pictures", "request"], alone: "decline" },
  534: { meaning: "Under 20", needs: ["pictures", "request"], alone: "decline" },
  535: { meaning: "Under 21", needs: ["pictures", "request"], alone: "decline" },
  536: { meaning: "Under 25", needs: ["pictures", "request"], alone: "decline" },
  537: { meaning: "Portrait cropping failed", needs: ["pictures"], alone: "decline" },
  539: { meaning: "Resubmission limit exceeded", needs: ["history"], alone: "decline" },
  540: { meaning: "Low confidence score", needs: ["pictures"], alone: "decline" },
  541: { meaning: "Name differs from initialisation data", needs: ["request", "pictures"], alone: "decline" },
  542: { meaning: "CPF validation failed", needs: ["pictures", "provider"], alone: "decline" },
  543: { meaning: "Reference face poor quality", needs: ["face"], alone: "decline" },
  544: { meaning: "Registry did not respond", needs: ["provider"], alone: "review" },
  545: { meaning: "Reference image missing", needs: ["request"], alone: "decline" },
  546: { meaning: "Face quality insufficient", needs: ["face"], alone: "decline" },
  547: { meaning: "Face missing", needs: ["face"], alone: "decline" },
  548: { meaning: "Deceit, face reference missing", needs: ["face"], alone: "review" },
  549: { meaning: "NFC validation failed", needs: ["chip"], alone: "decline" },
  602: { meaning: "Type not supported", needs: ["pictures"], alone: "resubmit" },
  603: { meaning: "Video missing", needs: ["request"], alone: "never" },
  605: { meaning: "Face image missing", needs: ["request", "face"], alone: "resubmit" },
  606: { meaning: "Face not clearly visible", needs: ["face"], alone: "resubmit" },
  608: { meaning: "Front missing", needs: ["request", "pictures"], alone: "resubmit" },
  609: { meaning: "Back missing", needs: ["request", "pictures"], alone: "resubmit" },
  614: { meaning: "Front not fully in frame", needs: ["pictures"], alone: "resubmit" },
  615: { meaning: "Back not fully in frame", needs: ["pictures"], alone: "resubmit" },
  619: { meaning: "Data not visible", needs: ["pictures"], alone: "resubmit" },
  620: { meaning: "Document expired", needs: ["pictures"], alone: "resubmit" },
  621: { meaning: "Annulled or damaged", needs: ["pictures", "person"], alone: "review" },
  625: { meaning: "Surname not collected", needs: ["pictures"], alone: "resubmit" },
  626: { meaning: "First names not collected", needs: ["pictures"], alone: "resubmit" },
  627: { meaning: "Birth date not collected", needs: ["pictures"], alone: "resubmit" },
  628: { meaning: "Issue date not collected", needs: ["pictures"], alone: "resubmit" },
  629: { meaning: "Expiry date not collected", needs: ["pictures"], alone: "resubmit" },
  630: { meaning: "Gender not collected", needs: ["pictures"], alone: "resubmit" },
  631: { meaning: "Document number not collected", needs: ["pictures"], alone: "resubmit" },
  632: { meaning: "Personal number not collected", needs: ["pictures"], alone: "resubmit" },
  633: { meaning: "Nationality not collected", needs: ["pictures"], alone: "resubmit" },
  634: { meaning: "Home address not collected", needs: ["pictures"], alone: "resubmit" },
  635: { meaning: "Document and face missing", needs: ["request", "face"], alone: "resubmit" },
  636: { meaning: "Not real, screen", needs: ["pictures"], alone: "resubmit" },
  637: { meaning: "Not real, printout", needs: ["pictures"], alone: "resubmit" },
  640: { meaning: "No consent", needs: ["request"], alone: "never" },
  641: { meaning: "Multiple faces", needs: ["face"], alone: "resubmit" },
  642: { meaning: "Multiple documents", needs: ["pictures"], alone: "resubmit" },
  643: { meaning: "Face crop from front failed", needs: ["pictures"], alone: "resubmit" },
  644: { meaning: "Citizen identifier not collected", needs: ["pictures"], alone: "resubmit" },
  645: { meaning: "Resubmit, OCR not collected", needs: ["pictures"], alone: "resubmit" },
  646: { meaning: "Age not estimated", needs: ["face"], alone: "resubmit" },
  647: { meaning: "Document not recognised", needs: ["pictures"], alone: "resubmit" },
  648: { meaning: "Technical issues", needs: ["request"], alone: "resubmit" },
  649: { meaning: "Foreigner information not collected", needs: ["pictures"], alone: "resubmit" },
  650: { meaning: "Process number not collected", needs: ["pictures"], alone: "resubmit" },
  651: { meaning: "Occupation not collected", needs: ["pictures"], alone: "resubmit" },
  652: { meaning: "Employer not collected", needs: ["pictures"], alone: "never" },
  653: { meaning: "Residence permit type not collected", needs: ["pictures"], alone: "resubmit" },
  654: { meaning: "Driver licence number not collected", needs: ["pictures"], alone: "resubmit" },
  655: { meaning: "Additional name not collected", needs: ["pictures"], alone: "resubmit" },
  657: { meaning: "Open passport image missing", needs: ["request", "pictures"], alone: "resubmit" },
  662: { meaning: "Remarks not collected", needs: ["pictures"], alone: "never" },
} as const satisfies Readonly<Record<number, Reason>>;

export type ReasonCode = keyof typeof reasons;

/** Whether the interface's table has the code: a provider's table may be longer. */
export const isReasonCode = (code: number): code is ReasonCode => code in reasons;

/** Reasons about the holder, the holder's age or office: always personal data. */
export const holderReasons: readonly number[] = [
  126, 530, 531, 532, 533, 534, 535, 536,
] satisfies readonly ReasonCode[];

/** Text of `verification.reason`. */
export const reasonText = (code: ReasonCode): string => reasons[code].meaning;

/**
 * Requests for another image, and the reason for the same fault without another attempt: at the last attempt,
 * or where a check is certain.
 */
export const strongReasons: Readonly<Partial<Record<ReasonCode, ReasonCode>>> = {
  206: 510,
  207: 511,
  602: 510,
  605: 547,
  606: 546,
  619: 540,
  620: 511,
  636: 504,
  637: 505,
  641: 502,
  643: 537,
  645: 540,
};
