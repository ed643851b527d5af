/** `idType` values of documentValidation v2. */
export const documentTypesV2 = [
  "PASSPORT",
  "DRIVING_LICENSE",
  "ID_CARD",
  "RESIDENCE_PERMIT",
  "VISA",
] as const;

/** `idType` values of the first version of documentValidation. */
export const documentTypesV1 = ["PASSPORT", "DRIVING_LICENSE", "ID_CARD", "VISA"] as const;

/** `idType` values of the presentation-attack diagnostic, with both spellings of a licence. */
export const documentTypesPad = [
  "PASSPORT",
  "ID_CARD",
  "RESIDENCE_PERMIT",
  "DRIVERS_LICENSE",
  "DRIVING_LICENSE",
  "VISA",
] as const;

/** `verification.document.type` of a record. A residence permit is answered as ID_CARD, its format. */
export const documentTypesRecord = ["PASSPORT", "DRIVING_LICENSE", "ID_CARD", "VISA", "UNSUPPORTED"] as const;

export type DocumentTypeRecord = (typeof documentTypesRecord)[number];

/** Types with one data side: no back image is needed. */
export const singleSidedTypes: readonly string[] = ["PASSPORT", "VISA"];

/** `countryCode` of extractDocumentDataWeb for passports of any country. */
export const passportCountryCode = "PSP";
