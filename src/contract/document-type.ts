/** `idType` that documentValidation v2 takes. */
export const documentTypesV2 = [
  "PASSPORT",
  "DRIVING_LICENSE",
  "ID_CARD",
  "RESIDENCE_PERMIT",
  "VISA",
] as const;

/** `idType` that the first version of documentValidation takes. */
export const documentTypesV1 = ["PASSPORT", "DRIVING_LICENSE", "ID_CARD", "VISA"] as const;

/** `idType` that the presentation-attack diagnostic takes: it knows both spellings of a licence. */
export const documentTypesPad = [
  "PASSPORT",
  "ID_CARD",
  "RESIDENCE_PERMIT",
  "DRIVERS_LICENSE",
  "DRIVING_LICENSE",
  "VISA",
] as const;

/** `verification.document.type` of a record. A residence permit is answered as ID_CARD, its shape. */
export const documentTypesRecord = ["PASSPORT", "DRIVING_LICENSE", "ID_CARD", "VISA", "UNSUPPORTED"] as const;

export type DocumentTypeRecord = (typeof documentTypesRecord)[number];

/** Types with one side that carries data: no back picture is asked for. */
export const singleSidedTypes: readonly string[] = ["PASSPORT", "VISA"];

/** `countryCode` that extractDocumentDataWeb takes for passports of any country. */
export const passportCountryCode = "PSP";
