/**
 * The objects of document events, which the interface leaves open: `ocr` of id_captured and `validation` of
 * id_validated. `version` counts changes that a reader must know; a new member is no such change.
 */
import { type Static, Type } from "typebox";
import { documentTypesV2 } from "./document-type.ts";
import { validationRecord } from "./document-validation.routes.ts";
import { choice, nullableText, personalText } from "./wire.ts";

const version = Type.Literal(1, { description: "Version of this object.", examples: [1] });

const read = (description: string, example: string) =>
  Type.Optional(personalText("document", description, { examples: [example] }));

/** Values that were read with confidence; any other is absent. */
const ocrFields = Type.Object(
  {
    documentNumber: read("Document number.", "F12345678"),
    personalNumber: read("National number of the holder.", "12345678-5"),
    serialNumber: read("Serial number of the card.", "A012345678"),
    documentCode: read("Document code of the MRZ.", "P"),
    lastName: read("Surnames.", "ERIKSSON"),
    firstName: read("First names.", "ANNA MARIA"),
    otherName: read("Another name.", "LINDGREN"),
    dateOfBirth: read("YYYY-MM-DD.", "1974-08-12"),
    yearOfBirth: read("YYYY.", "1974"),
    placeOfBirth: read("Place of birth.", "VALDIVIA"),
    gender: read("M, F or X.", "F"),
    nationality: read("ISO 3166-1 alpha-3.", "CHL"),
    issuer: read("Issuing country, ISO 3166-1 alpha-3.", "CHL"),
    dateOfIssue: read("YYYY-MM-DD.", "2022-04-15"),
    dateOfExpiry: read("YYYY-MM-DD.", "2032-04-15"),
    placeOfIssue: read("Place of issue.", "SANTIAGO"),
    authority: read("Issuing authority.", "REGISTRO CIVIL"),
    address: read("Address.", "CALLE 1 234"),
    district: read("District.", "MIRAFLORES"),
    province: read("Province.", "LIMA"),
    department: read("Department.", "LIMA"),
    civilStatus: read("Civil status.", "SOLTERA"),
    spouseName: read("Name of the spouse.", "JUAN SOTO"),
    fatherName: read("Name of the father.", "PEDRO ROJAS"),
    motherName: read("Name of the mother.", "MARIA DIAZ"),
    profession: read("Profession.", "INGENIERA"),
    bloodGroup: read("Blood group.", "O+"),
    taxNumber: read("Tax number.", "20123456789"),
    copy: read("Number or letter of the copy of the card.", "A"),
    residenceType: read("Kind of the residence.", "PERMANENTE"),
  },
  {
    description:
      "The values that were read with confidence, as in FIELDS of extractDocumentDataWeb: dates YYYY-MM-DD, countries " +
      "alpha-3. A value that could not be read is absent. Empty for documentValidation start, which reads later: " +
      "id_validated has the values then.",
  },
);

/** `ocr` of id_captured. */
export const ocrData = Type.Object(
  {
    version,
    type: Type.Union([choice(documentTypesV2, "Kind of the document."), Type.Null()], {
      description:
        "Kind of the document: as read, or as declared to documentValidation start. Null where nothing states it.",
      examples: ["PASSPORT"],
    }),
    country: nullableText(
      "document",
      "Issuing country, ISO 3166-1 alpha-3: as read, or as declared to documentValidation start.",
      "CHL",
    ),
    fields: ocrFields,
  },
  { description: "What was read when a document was captured." },
);

/** Static type of {@link ocrData}. */
export type OcrData = Static<typeof ocrData>;

/** `validation` of id_validated. */
export const validationData = Type.Object(
  { version, ...validationRecord.properties.verification.properties },
  {
    description:
      "The decision of a document validation, with the members of `verification` in the answer of data, so that a " +
      "receiver needs no call. A later decision about the same document, such as that of a reviewer, is another event.",
  },
);

/** Static type of {@link validationData}. */
export type ValidationData = Static<typeof validationData>;
