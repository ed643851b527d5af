import type { Static } from "typebox";
import type { validationRecord } from "#contract/document-validation.routes";
import type { ValidationData } from "#contract/event-document";
import { interfaceReasonOf, type ReasonCodes } from "#contract/interface-reason";
import { isReasonCode, reasonText } from "#contract/reason-code";
import { codeOfStatus } from "../decision/verification-record.ts";
import type { FoundValidation } from "../validation/find-validation.ts";

/**
 * The document validation record on the wire; both versions answer it. Unknown values are null. `reasonCodes`
 * states whether the interface's codes or the exact ones are in front.
 */
export const wireRecord = (
  { id, status, acceptedAt, merchantReference, attempt, record }: FoundValidation,
  reasonCodes: ReasonCodes,
): Static<typeof validationRecord> => ({
  status: status === "FAILED" ? "Fail" : "Success",
  verification: {
    scanReference: id,
    code: codeOfStatus(record.status),
    status: record.status,
    ...reasonsOf(record, reasonCodes),
    merchantScanReference: merchantReference,
    acceptanceTime: acceptedAt.toISOString(),
    decisionTime: record.decidedAt,
    document: {
      type: record.document.type,
      country: record.document.country,
      number: record.document.number,
      validFrom: record.document.issued,
      validUntil: record.document.expires,
      placeOfIssue: record.document.placeOfIssue ?? null,
      firstIssue: null,
      issueNumber: null,
      issuedBy: record.document.issuedBy ?? null,
    },
    person: {
      firstName: record.person.firstName,
      lastName: record.person.lastName,
      idNumber: record.person.idNumber ?? null,
      // The nationality on an identity document is the citizenship of its holder.
      citizenship: record.person.nationality,
      nationality: record.person.nationality,
      gender: record.person.sex,
      placeOfBirth: record.person.placeOfBirth ?? null,
      dateOfBirth: record.person.dateOfBirth,
      yearOfBirth: record.person.yearOfBirth,
    },
    attempt,
    ...(record.portraitEvidence !== undefined && { portraitEvidence: record.portraitEvidence }),
  },
});

/** `validation` of id_validated: the record, as data answers it. */
export const makeDescribeValidation =
  (reasonCodes: ReasonCodes) =>
  (found: FoundValidation): ValidationData => ({
    version: 1,
    ...wireRecord(found, reasonCodes).verification,
  });

const reasonsOf = (
  { reason, reasonCode, otherReasonCodes }: FoundValidation["record"],
  reasonCodes: ReasonCodes,
) => {
  const sent = reasonCode === null || reasonCodes === "extended" ? reasonCode : interfaceReasonOf(reasonCode);
  const isReplaced = reasonCode !== null && sent !== reasonCode;
  const others = [...(isReplaced ? [reasonCode] : []), ...otherReasonCodes.filter((code) => code !== sent)];
  return {
    reason: isReplaced && sent !== null && isReasonCode(sent) ? reasonText(sent) : reason,
    reasonCode: sent,
    ...(others.length > 0 ? { additionalReasonCodes: others } : {}),
  };
};
