import { type Static, Type } from "typebox";
import type { DocumentTypeRecord } from "#contract/document-type";
import { documentTypesRecord } from "#contract/document-type";
import { makeCheck } from "#contract/make-check";
import { portraitEvidences } from "#contract/portrait-evidence";
import { holderReasons, isReasonCode, reasonText } from "#contract/reason-code";
import { type VerificationStatus, verificationCode } from "#contract/verification-code";
import type { DocumentReading } from "../reading/reading.ts";
import type { FieldName } from "../values/field-name.ts";
import type { DocumentFields } from "./fields.ts";
import type { DeclaredType, Finding } from "./finding.ts";
import { typesOf } from "./findings/type.ts";
import type { NumberClaim } from "./history/history.ts";
import type { DocumentDecision } from "./judge.ts";

const nullable = Type.Union([Type.String(), Type.Null()]);

const corner = Type.Tuple([Type.Number(), Type.Number()]);

const statuses = [
  "Started",
  "Submitted",
  "Approved",
  "Declined",
  "Resubmission",
  "Expired/Abandoned",
  "Review",
] as const satisfies readonly VerificationStatus[];

/** A finding as it is stored for a reviewer. */
const keptFindingShape = Type.Object({
  name: Type.String(),
  stage: Type.String(),
  holds: Type.Union([Type.Boolean(), Type.Literal("unknown")]),
  code: Type.Integer(),
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});

export type KeptFinding = Static<typeof keptFindingShape>;

/** The finding without the values that only the judge needs. */
export const keptFinding = ({ name, stage, holds, code, evidence }: Finding): KeptFinding => ({
  name,
  stage,
  holds,
  code,
  evidence: { ...evidence },
});

/**
 * The record of a validation, with our own names; stored sealed, and translated by the endpoints. Dates are
 * YYYY-MM-DD.
 */
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
  /** Printed fields without a value, because several texts may be it; absent where there are none. */
  undecided: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        side: Type.Enum(["front", "back"]),
        candidates: Type.Array(Type.String()),
      }),
    ),
  ),
  /** For a reviewer; absent where there was no analysis. */
  findings: Type.Optional(Type.Array(keptFindingShape)),
  /** The statements of reviewers with their keys; the last one decided. */
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
  /**
   * The number claim of an approval by a reviewer, and the number's customers at the time of the analysis.
   */
  claim: Type.Optional(
    Type.Object({ number: Type.String(), customer: Type.String(), seen: Type.Array(Type.String()) }),
  ),
  /**
   * What shows that the portrait belongs to the document; absent where there was no analysis, and in records
   * of an earlier release.
   */
  portraitEvidence: Type.Optional(Type.Enum(portraitEvidences)),
  /**
   * Where the portrait is on the images that were sent; absent where none was read, and in records of an
   * earlier release.
   */
  portrait: Type.Optional(
    Type.Object({ image: Type.Enum(["front", "back"]), area: Type.Tuple([corner, corner, corner, corner]) }),
  ),
});

export type VerificationRecord = Static<typeof verificationRecord>;

/** A claim under the names that stored records have for its keyed hashes. */
export const recordedClaim = ({
  numberHash,
  customerHash,
  seen,
}: NumberClaim): NonNullable<VerificationRecord["claim"]> => ({
  number: numberHash,
  customer: customerHash,
  seen: [...seen],
});

/** The claim that a stored record holds. */
export const claimOf = ({ claim }: Pick<VerificationRecord, "claim">): NumberClaim | undefined =>
  claim && { numberHash: claim.number, customerHash: claim.customer, seen: claim.seen };

/** The shape of a stored record. */
export const recordShape = makeCheck(verificationRecord);

/**
 * Least confidence of a value that is reported: an unreliable reading must not look like a fact. A clear MRZ
 * is reported even where its check digits are wrong, because that is the document's content.
 */
export const reportedConfidenceMin = 0.9;

/** The value of a field that is reliable enough to be reported, else null. */
export const reportedValue = (fields: DocumentFields, name: FieldName): string | null => {
  const field = fields.values[name];
  return field !== undefined && field.confidence >= reportedConfidenceMin ? field.value : null;
};

/**
 * Where the portrait of a reading is: the reference of a face comparison is this part of the image, and no
 * other face.
 */
export const portraitPlaceOf = ({
  front: { portrait },
  swapped,
}: Pick<DocumentReading, "front" | "swapped">): Pick<VerificationRecord, "portrait"> => {
  if (portrait === undefined) return {};
  const [a, b, c, d] = portrait.area;
  return { portrait: { image: swapped ? "back" : "front", area: [[...a], [...b], [...c], [...d]] } };
};

/** The record of a decided validation. Values that no source of this release has are null. */
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
    country: reportedValue(fields, "issuer"),
    number: reportedValue(fields, "documentNumber"),
    issued: reportedValue(fields, "dateOfIssue"),
    expires: reportedValue(fields, "dateOfExpiry"),
    placeOfIssue: reportedValue(fields, "placeOfIssue"),
    issuedBy: reportedValue(fields, "authority"),
  },
  person: {
    firstName: reportedValue(fields, "firstName"),
    lastName: reportedValue(fields, "lastName"),
    nationality: reportedValue(fields, "nationality"),
    sex: reportedValue(fields, "sex"),
    dateOfBirth: reportedValue(fields, "dateOfBirth"),
    yearOfBirth: reportedValue(fields, "yearOfBirth"),
    idNumber: idNumberOf(fields),
    placeOfBirth: reportedValue(fields, "placeOfBirth"),
  },
  ...undecidedOf(fields),
});

const undecidedOf = ({ printed }: DocumentFields): Pick<VerificationRecord, "undecided"> => {
  const undecided = (["front", "back"] as const).flatMap((side) =>
    (printed[side]?.undecided ?? []).map(({ name, candidates }) => ({
      name,
      side,
      candidates: [...candidates],
    })),
  );
  return undecided.length === 0 ? {} : { undecided };
};

/**
 * The holder's number for life. The model states which one it is; a passport has it after its expiry in the
 * MRZ.
 */
const idNumberOf = (fields: DocumentFields): string | null =>
  reportedValue(fields, fields.readBy?.personNumber ?? "personalNumber");

/** The record while the analysis runs: the declaration, without findings. */
export const submittedRecord = (declared: { readonly country: string; readonly type: DeclaredType }) =>
  blankRecord(declared, "Submitted", null);

/**
 * The record of an abandoned validation. It keeps the read values and the reasons of the last resubmission.
 */
export const endedRecord = (record: VerificationRecord, decidedAt: Date): VerificationRecord => ({
  ...record,
  status: "Expired/Abandoned",
  reason: null,
  reasonCode: null,
  otherReasonCodes: [...(record.reasonCode === null ? [] : [record.reasonCode]), ...record.otherReasonCodes],
  decidedAt: decidedAt.toISOString(),
});

/** The record of a failed analysis (648). It is not the user's fault, so the images may be sent again. */
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

/** The interface's record has no residence permit: it is reported as an identity card. */
const shapeOf = (type: DeclaredType): DocumentTypeRecord => (type === "RESIDENCE_PERMIT" ? "ID_CARD" : type);

/** The type that was found. Without data the type is unsupported: the declaration is no evidence. */
const recordType = (fields: DocumentFields, declared: DeclaredType): DocumentTypeRecord => {
  const found = typesOf({ fields });
  const [first] = found;
  if (first === undefined) {
    return "UNSUPPORTED";
  }
  return shapeOf(found.includes(declared) ? declared : first);
};

/**
 * A reason that may be stored unsealed; null for a reason about the holder, or one of an external provider
 * only.
 */
export const openReason = (code: number | null): number | null =>
  code === null || holderReasons.includes(code) || !isReasonCode(code) ? null : code;

/** The reasons of a record that may be stored unsealed. */
export const openReasonsOf = ({ reasonCode, otherReasonCodes }: VerificationRecord) => ({
  reasonCode: openReason(reasonCode),
  otherReasonCodes: otherReasonCodes.filter((code) => openReason(code) !== null),
});

/** The part of a decision that is stored unsealed, in the transaction and in the evidence. */
export const openResultOf = (id: string, attempt: number, record: VerificationRecord) => {
  const { reasonCode, otherReasonCodes: others } = openReasonsOf(record);
  return { scanReference: id, attempt, code: codeOfStatus(record.status), reasonCode, others };
};

/** The numeric code of a status. */
export const codeOfStatus = (status: VerificationStatus) => verificationCode[status];
