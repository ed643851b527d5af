/**
 * The two OCR objects of one fictitious passport, as the services write them: a test compares both with the
 * output for this MRZ.
 */

const lines = [
  "P<CHLERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "F123456789CHL7408122F3204153<<<<<<<<<<<<<<<8",
];

const mrz = {
  FORMAT: "TD3",
  LINES: lines,
  ACCEPTED: true,
  CHECK_DIGITS: { documentNumber: true, birth: true, expiry: true, optional: true, composite: true },
  OPTIONAL_DATA_1: null,
  OPTIONAL_DATA_2: null,
  DOCUMENT_CODE: "P",
  DOCUMENT_NUMBER: "F12345678",
  LAST_NAME: "ERIKSSON",
  FIRST_NAME: "ANNA MARIA",
  DATE_OF_BIRTH: "1974-08-12",
  YEAR_OF_BIRTH: "1974",
  GENDER: "F",
  NATIONALITY: "CHL",
  ISSUER: "CHL",
  DATE_OF_EXPIRY: "2032-04-15",
};

/** A value that only the MRZ holds; `raw` as printed there. */
const fromMrz = (value: string, confirmedBy: readonly string[] = [], raw = value) => ({
  VALUE: value,
  SOURCES: ["mrz"],
  CONFIDENCE: 0.99,
  CONFIRMED_BY: confirmedBy,
  SEEN: [{ SOURCE: "mrz", SIDE: "front", RAW: raw, CONFIDENCE: 0.99, BOX: null }],
});

/** `serviceDocument` of the web service, and `serviceDocumentData` of the diagnostic. */
export const exampleWebDocument = {
  CHECKS: {},
  SUBTYPE: "PASSPORT",
  FRONTSIDE: { FIELD_DATA: {}, MRZ_DATA: mrz },
  BACKSIDE: { FIELD_DATA: {}, MRZ_DATA: mrz },
  FIELDS: {
    DOCUMENT_NUMBER: fromMrz("F12345678", ["check-digit"]),
    LAST_NAME: fromMrz("ERIKSSON"),
    FIRST_NAME: fromMrz("ANNA MARIA"),
    DATE_OF_BIRTH: fromMrz("1974-08-12", ["check-digit"], "740812"),
    YEAR_OF_BIRTH: fromMrz("1974"),
    GENDER: fromMrz("F"),
    NATIONALITY: fromMrz("CHL"),
    ISSUER: fromMrz("CHL"),
    DATE_OF_EXPIRY: fromMrz("2032-04-15", ["check-digit"], "320415"),
  },
  SCORING: {
    FIELDS_TOTAL: 12,
    FIELDS_RETURNED: 9,
    OVERALL_RATING: 0.99,
    FRONT_CONFIDENCE: 0.99,
    FRONT_SHA256: "ab".repeat(32),
    BACK_SHA256: "cd".repeat(32),
  },
  DOC_MODEL: null,
  COUNTRY_CODE: "CHL",
  ASK4BACK: false,
} as const;

/** `serviceDocument` of the mobile service. */
export const exampleMobileDocument = {
  "Back/MRZ/FullName": "ANNA MARIA ERIKSSON",
  FirstName: "ANNA MARIA",
  LastName: "ERIKSSON",
  DateOfBirth: "1974-08-12",
  DateOfExpiry: "2032-04-15",
  DateOfIssue: null,
  DocumentNumber: "F12345678",
  PersonalNumber: null,
  Gender: "F",
  Nationality: "CHL",
  Issuer: "CHL",
  NfcKey: "F12345678974081223204153",
  DocumentCaptured: null,
} as const;

const image = {
  passed: true,
  resolution: { value: 1440, minimum: 720, passed: true, recommended: 1080 },
  background: { value: 0.12, minimum: 0.05, passed: true },
  jpegQuality: { value: 90, minimum: 70, passed: true },
  text: { passed: true },
  light: { passed: true },
};

/**
 * `result` of the diagnostic for the same passport. A second image without text is not judged where the first
 * was read.
 */
export const exampleDiagnosis = {
  decision: "Credible",
  reasons: [],
  IQA: { passed: true, frontSideImage: image, backSideImage: { ...image, text: { passed: null } } },
} as const;
