import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { DocumentTypeRecord } from "#contract/document-type";
import { documentTypesRecord } from "#contract/document-type";
import { holderReasons, isReasonCode, reasonText } from "#contract/reason-code";
import { type VerificationStatus, verificationCode } from "#contract/verification-code";
import type { FieldName } from "./field-name.ts";
import type { DocumentFields } from "./fields.ts";
import type { DeclaredType, Finding } from "./finding.ts";
import { typesOf } from "./findings/type.ts";
import type { DocumentDecision } from "./judge.ts";

const nullable = Type.Union([Type.String(), Type.Null()]);

const statuses = [
  "Started",
  "Submitted",
  "Approved",
  "Declined",
  "Resubmission",
  "Expired/Abandoned",
  "Review",
] as const satisfies readonly VerificationStatus[];

/** A finding as it is kept for whoever reviews the document. */
const keptFindingShape = Type.Object({
  name: Type.String(),
  stage: Type.String(),
  holds: Type.Union([Type.Boolean(), Type.Literal("unknown")]),
  code: Type.Integer(),
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});

export type KeptFinding = Static<typeof keptFindingShape>;

/** The finding without what only the judge needs. */
export const keptFinding = ({ name, stage, holds, code, evidence }: Finding): KeptFinding => ({
  name,
  stage,
  holds,
  code,
  evidence: { ...evidence },
});

/** What a validation answers, in plain words; stored sealed, and translated at the door. Dates are YYYY-MM-DD. */
const verificationRecord = Type.Object({
  status: Type.Enum(statuses),
  reason: nullable,
  reasonCode: Type.Union([Type.Integer(), Type.Null()]),
  otherReasonCodes: Type.Array(Type.Integer()),
  decidedAt: nullable,
  document: Type.Object({
    type: Type.Enum(documentTypesRecord),
    country: nullable,
    number: nullable,
    issued: nullable,
    expires: nullable,
    placeOfIssue: Type.Optional(nullable),
    issuedBy: Type.Optional(nullable),
  }),
  person: Type.Object({
    firstName: nullable,
    lastName: nullable,
    nationality: nullable,
    sex: nullable,
    dateOfBirth: nullable,
    yearOfBirth: nullable,
    idNumber: Type.Optional(nullable),
    placeOfBirth: Type.Optional(nullable),
  }),
  /** For a reviewer; absent where nothing was found out. */
  findings: Type.Optional(Type.Array(keptFindingShape)),
  /** What persons said of it, and with which keys, the last one the word that counted. */
  statements: Type.Optional(
    Type.Array(
      Type.Object({
        keyId: Type.String(),
        decision: Type.String(),
        reasonCode: Type.Union([Type.Integer(), Type.Null()]),
        note: Type.String(),
      }),
    ),
  ),
  /** What an approval by a person claims, and whose the number was when it was analysed. */
  claim: Type.Optional(
    Type.Object({ number: Type.String(), customer: Type.String(), seen: Type.Array(Type.String()) }),
  ),
});

export type VerificationRecord = Static<typeof verificationRecord>;

const check = Compile(verificationRecord);

/** Parses a stored record; throws when it is none, because only this service writes them. */
export const parseRecord = (value: unknown): VerificationRecord => check.Parse(value);

/**
 * A value below this is not shown: an unsure reading must not look like a fact. Clear zones are shown even where
 * their check digits are wrong, since that is what the document says.
 */
export const sureFrom = 0.9;

/** The value of a field that is sure enough to be answered, else null. */
export const sureValue = (fields: DocumentFields, name: FieldName): string | null => {
  const field = fields.values[name];
  return field !== undefined && field.confidence >= sureFrom ? field.value : null;
};

/** The record of a decided validation. What no source of this release can tell is null. */
export const recordOf = (
  fields: DocumentFields,
  declared: DeclaredType,
  decision: DocumentDecision,
  decidedAt: Date,
): VerificationRecord => ({
  status: decision.status,
  reason: decision.reason,
  reasonCode: decision.reasonCode,
  otherReasonCodes: [...decision.others],
  decidedAt: decidedAt.toISOString(),
  document: {
    type: recordType(fields, declared),
    country: sureValue(fields, "issuer"),
    number: sureValue(fields, "documentNumber"),
    issued: sureValue(fields, "dateOfIssue"),
    expires: sureValue(fields, "dateOfExpiry"),
    placeOfIssue: sureValue(fields, "placeOfIssue"),
    issuedBy: sureValue(fields, "authority"),
  },
  person: {
    firstName: sureValue(fields, "firstName"),
    lastName: sureValue(fields, "lastName"),
    nationality: sureValue(fields, "nationality"),
    sex: sureValue(fields, "sex"),
    dateOfBirth: sureValue(fields, "dateOfBirth"),
    yearOfBirth: sureValue(fields, "yearOfBirth"),
    idNumber: idNumberOf(fields),
    placeOfBirth: sureValue(fields, "placeOfBirth"),
  },
});

/** The number that is the holder's for life: which one that is the model says; a passport's is behind its expiry. */
const idNumberOf = (fields: DocumentFields): string | null =>
  sureValue(fields, fields.readBy?.personNumber ?? "personalNumber");

/** The record while the analysis runs: what was declared, nothing found yet. */
export const submittedRecord = (declared: { readonly country: string; readonly type: DeclaredType }) =>
  blankRecord(declared, "Submitted", null);

/** The record of a validation that nobody went on with: what was read stays, and why it was asked again is kept beside it. */
export const endedRecord = (record: VerificationRecord, decidedAt: Date): VerificationRecord => ({
  ...record,
  status: "Expired/Abandoned",
  reason: null,
  reasonCode: null,
  otherReasonCodes: [...(record.reasonCode === null ? [] : [record.reasonCode]), ...record.otherReasonCodes],
  decidedAt: decidedAt.toISOString(),
});

/** The record of an analysis that could not be made (648): not the person's fault, so it may be sent again. */
export const failedRecord = (
  declared: { readonly country: string; readonly type: DeclaredType },
  decidedAt: Date,
): VerificationRecord => blankRecord(declared, "Resubmission", decidedAt);

const technicalIssues = 648;

const blankRecord = (
  declared: { readonly country: string; readonly type: DeclaredType },
  status: VerificationStatus,
  decidedAt: Date | null,
): VerificationRecord => ({
  status,
  reason: decidedAt === null ? null : reasonText(technicalIssues),
  reasonCode: decidedAt === null ? null : technicalIssues,
  otherReasonCodes: [],
  decidedAt: decidedAt?.toISOString() ?? null,
  document: {
    type: shapeOf(declared.type),
    country: declared.country,
    number: null,
    issued: null,
    expires: null,
  },
  person: {
    firstName: null,
    lastName: null,
    nationality: null,
    sex: null,
    dateOfBirth: null,
    yearOfBirth: null,
  },
});

/** The interface's record knows no residence permit: it is answered as the card that it is. */
const shapeOf = (type: DeclaredType): DocumentTypeRecord => (type === "RESIDENCE_PERMIT" ? "ID_CARD" : type);

/** What was found, where data was found; a document of which nothing is known is not what was declared. */
const recordType = (fields: DocumentFields, declared: DeclaredType): DocumentTypeRecord => {
  const found = typesOf({ fields });
  const [first] = found;
  if (first === undefined) {
    return "UNSUPPORTED";
  }
  return shapeOf(found.includes(declared) ? declared : first);
};

/** A reason that may stand unsealed; null for one that tells of the holder, or that only a provider outside knows. */
export const openReason = (code: number | null): number | null =>
  code === null || holderReasons.includes(code) || !isReasonCode(code) ? null : code;

/** The reasons of a record that may stand unsealed. */
export const openReasonsOf = ({ reasonCode, otherReasonCodes }: VerificationRecord) => ({
  reasonCode: openReason(reasonCode),
  otherReasonCodes: otherReasonCodes.filter((code) => openReason(code) !== null),
});

/** What of a decision stands beside the sealed record, in the transaction and in the evidence. */
export const openResultOf = (id: string, attempt: number, record: VerificationRecord) => {
  const { reasonCode, otherReasonCodes: others } = openReasonsOf(record);
  return { scanReference: id, attempt, code: codeOfStatus(record.status), reasonCode, others };
};

/** Number of a status, for whoever needs it beside the word. */
export const codeOfStatus = (status: VerificationStatus) => verificationCode[status];
