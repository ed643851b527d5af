/** Validation codes of the interface: the problem's `code` where one fits. */
export const validationCode = {
  queryIdLength: { code: 1001, meaning: "Query ID must be 20 to 40 symbols" },
  queryIdNotUuid: { code: 1002, meaning: "Query ID must be a UUID v4" },
  queryIdUsed: { code: 1003, meaning: "Query ID already used" },
  mandatoryMissing: { code: 1102, meaning: "Mandatory parameters missing" },
  parameterInvalid: { code: 1104, meaning: "Invalid parameters" },
  timestampTooOld: { code: 1201, meaning: "Timestamp older than one hour" },
  timestampFormat: { code: 1202, meaning: "Timestamp format incorrect" },
  dateFormat: { code: 1203, meaning: "Date not ISO 8601 YYYY-MM-DD" },
  featuresUnsupported: { code: 1301, meaning: "Requested features unsupported" },
  returnUrlNotHttps: { code: 1302, meaning: "Only HTTPS return URLs allowed" },
  statusInvalid: { code: 1303, meaning: "Invalid status" },
  transitionInvalid: { code: 1304, meaning: "Cannot transition to the given status" },
  idNumberMissing: { code: 1308, meaning: "ID number missing" },
  ssnNeedsName: { code: 1309, meaning: "SSN validation needs first and last name, or full name" },
  ssnNeedsBirthOrAddress: { code: 1310, meaning: "SSN validation needs date of birth or address" },
  imageNotFound: { code: 1400, meaning: "Image data not found" },
  imageNotBase64: { code: 1401, meaning: "Image not valid Base64" },
  imageContextUnsupported: { code: 1402, meaning: "Image context unsupported" },
  imagePropertyMissing: { code: 1403, meaning: "Image property missing" },
  vendorDataTooLong: { code: 1500, meaning: "vendorData longer than 1000 symbols" },
  vendorDataNotString: { code: 1501, meaning: "vendorData not a string" },
  headerMissing: { code: 1801, meaning: "Authorization header missing" },
  keyNotUuid: { code: 1802, meaning: "Key is not a UUID" },
  integrationNotFound: { code: 1803, meaning: "Integration not found" },
  integrationNotActive: { code: 1804, meaning: "Integration not active" },
  signatureNotSha256: { code: 1812, meaning: "Signature is not SHA-256" },
  legacyMismatch: { code: 1813, meaning: "Legacy signature mismatch" },
  legacyMismatchOther: { code: 1814, meaning: "Legacy signature mismatch" },
  hmacMismatch: { code: 1818, meaning: "HMAC mismatch" },
  hmacMismatchOther: { code: 1819, meaning: "HMAC mismatch" },
  birthDateInvalid: { code: 2003, meaning: "Date of birth not a valid date" },
  documentNumberLength: { code: 2101, meaning: "Document number not 6 to 9 characters" },
  documentNumberCharacters: { code: 2102, meaning: "Document number has characters other than A-Z, 0-9" },
  documentTypeUnsupported: { code: 2103, meaning: "Document type unsupported" },
  documentCountryUnsupported: { code: 2104, meaning: "Document country unsupported" },
} as const;

type ValidationCodeName = keyof typeof validationCode;
export type ValidationCode = (typeof validationCode)[ValidationCodeName]["code"];

/** The codes that this release sends; the others exist for the interface only. */
export const sentValidationCodes: ReadonlySet<ValidationCode> = new Set([
  validationCode.mandatoryMissing.code,
  validationCode.parameterInvalid.code,
  validationCode.transitionInvalid.code,
  validationCode.imageNotFound.code,
  validationCode.imageNotBase64.code,
  validationCode.imageContextUnsupported.code,
  validationCode.documentTypeUnsupported.code,
  validationCode.documentCountryUnsupported.code,
]);
