import { Type } from "typebox";
import { isCountryCode } from "./country.ts";
import { passportCountryCode } from "./document-type.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleToken } from "./example.ts";
import { exampleMobileDocument, exampleWebDocument } from "./example-document.ts";
import type { FailureCode } from "./failure.ts";
import { knownCountry, requiredWhen } from "./request-rule.ts";
import { base64, country, tracking } from "./wire.ts";

const tag = "Documents";

const failures = [
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "engine_busy",
  "engine_failed",
] as const satisfies FailureCode[];

const documentToken = { examples: [exampleToken("document-image")] };

const serviceDocument = (description: string, example: string) =>
  Type.String({ description, "x-personal": "document", examples: [example] });

/** POST /services/extractDocumentData */
export const extractDocumentDataRoute = route({
  name: "extractDocumentData",
  method: "POST",
  path: "/services/extractDocumentData",
  scope: "document",
  tag,
  cost: 4,
  summary: "Fields of a document captured by the mobile widget",
  inputs: { capture: "tokenOcr", front: "tokenOcr", back: "tokenOcr" },
  request: Type.Object({
    tokenOcr: base64("token", "Token of the mobile document widget with the result of the capture.", {
      examples: [exampleToken("ocr")],
    }),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...envelopeFields("extractDocumentData"),
    serviceDocument: serviceDocument(
      "JSON text with flat keys such as Back/MRZ/FullName, FirstName, DocumentNumber. The keys depend " +
        "on the document; a value that could not be read is null.",
      JSON.stringify(exampleMobileDocument),
    ),
  }),
  failures,
});

/** POST /services/extractDocumentDataWeb */
export const extractDocumentDataWebRoute = route({
  name: "extractDocumentDataWeb",
  method: "POST",
  path: "/services/extractDocumentDataWeb",
  scope: "document",
  tag,
  cost: 6,
  summary: "Fields of a document from tokenized images of its front and back",
  description:
    "countryCode may be left out where the tenant or the deployment has a default country. For passports it is PSP and only " +
    "the front is needed.",
  inputs: { front: "tokenFrontDocument", back: "tokenBackDocument" },
  request: Type.Object({
    tokenFrontDocument: base64("token", "Tokenized image of the front.", documentToken),
    tokenBackDocument: Type.Optional(
      base64("token", "Tokenized image of the back; not needed for PSP.", documentToken),
    ),
    countryCode: Type.Optional(
      country("Issuing country, ISO 3166-1 alpha-3, or PSP for a passport of any country."),
    ),
    decompose: Type.Optional(
      Type.Boolean({
        description:
          "Return portrait and signature as DECOMPOSED.FACE and DECOMPOSED.SIGNATURE (Base64 JPEG), and the portrait as a " +
          "sealed face-image token (DECOMPOSED.FACE_TOKEN) for method 5 of identity and authenticateFacial; null where none is found.",
        default: false,
        examples: [false],
      }),
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...envelopeFields("extractDocumentDataWeb"),
    serviceDocument: serviceDocument(
      "JSON text with the groups CHECKS, SUBTYPE, FRONTSIDE, BACKSIDE, FIELDS, SCORING, DOC_MODEL, COUNTRY_CODE, " +
        "ASK4BACK and, with decompose, DECOMPOSED (FACE, SIGNATURE, FACE_TOKEN). BACKSIDE.MRZ_DATA always holds the MRZ, from " +
        "whichever side it is on, because integrators look for it there; FRONTSIDE.MRZ_DATA is present only where the MRZ " +
        "is on the front, as in a passport. For an MRZ that was not read clearly, LINES, the values and each of CHECK_DIGITS are null. " +
        "FIELD_DATA holds printed text by its label, DOC_MODEL names the country's model (api/document-models.md). " +
        "FIELDS is additional: each corroborated value, merged from MRZ, barcodes and VIZ (VALUE), with its SOURCES, CONFIDENCE " +
        "(0 to 1), its confirmation (CONFIRMED_BY) and its readings by source (SEEN). SCORING.FIELDS_TOTAL counts the fields " +
        "that such a document may have: ten of every document, those that its model prints, and those that a source " +
        "held; FIELDS_RETURNED counts those in FIELDS. A value that could not be read is null, and absent from FIELDS.",
      JSON.stringify(exampleWebDocument),
    ),
  }),
  failures,
  rules: (fields) =>
    fields["countryCode"] === passportCountryCode
      ? []
      : [
          ...requiredWhen(
            fields,
            isTwoSided(fields["countryCode"]),
            "tokenBackDocument",
            "unless countryCode is PSP",
          ),
          ...knownCountry(fields, "countryCode"),
        ],
});

/**
 * The meaning of a wrong code is unknown, so nothing follows from it. An absent code means the default
 * country.
 */
const isTwoSided = (countryCode: unknown): boolean =>
  countryCode === undefined || (typeof countryCode === "string" && isCountryCode(countryCode));

/** In the order of the docs page. */
export const ocrRoutes: readonly Route[] = [extractDocumentDataRoute, extractDocumentDataWebRoute];
