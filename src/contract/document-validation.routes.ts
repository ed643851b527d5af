import { Type } from "typebox";
import { documentTypesRecord, documentTypesV1, documentTypesV2, singleSidedTypes } from "./document-type.ts";
import { type Route, route } from "./endpoint.ts";
import type { FailureCode } from "./failure.ts";
import { imageTypes } from "./image-type.ts";
import { portraitEvidences } from "./portrait-evidence.ts";
import { knownCountry, requiredWhen } from "./request-rule.ts";
import { validationCode } from "./validation-code.ts";
import { scanStatuses, verificationCode } from "./verification-code.ts";
import {
  base64,
  choice,
  country,
  nullableText,
  numberOf,
  personalText,
  responseTime,
  text,
  time,
  tracking,
} from "./wire.ts";

const tag = "Document validation";

const scanReference = text("Reference from the answer of start.", {
  "x-name": "ScanReference",
  maxLength: 128,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});
const merchantIdScanReference = Type.Optional(
  personalText(
    "identity",
    "Your own reference. It should not hold personal data. A request with the same bytes within ten minutes (or what the " +
      "operator sets) counts as a retry and gets the same scanReference; an Idempotency-Key takes its place.",
    { "x-name": "MerchantReference", maxLength: 100, examples: ["order-4711"] },
  ),
);
const resubmitted = Type.Optional(
  text(
    "Additional field: a validation with the decision 9103, for which these are better images. It keeps its reference and " +
      "counts as its next attempt. A start without it is a first attempt. Only where the operator's policy sets " +
      "`countsMerchantReference`, a start with the same merchantIdScanReference counts as the next attempt too, under a " +
      "new reference.",
    { "x-name": "ResubmittedReference", maxLength: 128, examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"] },
  ),
);
const deprecatedType = Type.Optional(
  Type.Union([Type.String({ maxLength: 128 }), Type.Integer()], {
    description: "Accepted and not used.",
    deprecated: true,
  }),
);
const documentType = <const Values extends string[]>(values: readonly [...Values]) =>
  choice(values, "Kind of the document.", { "x-code": validationCode.documentTypeUnsupported.code });
const mimeType = Type.Optional(
  choice(
    imageTypes,
    "Format of the images; the interface names PNG and JPEG alone. An image of another format is refused (1402); absent, the bytes decide.",
  ),
);

const startFailures = [
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "engine_busy",
  "engine_failed",
  "not_found",
  "transition_refused",
  "stored_newer",
] as const satisfies FailureCode[];

const startResponse = Type.Object({
  timestamp: responseTime,
  scanReference,
  type: Type.Optional(
    Type.String({
      description: "The declared kind. Will be removed.",
      deprecated: true,
      examples: ["PASSPORT"],
    }),
  ),
});

const referenceRequest = Type.Object({ scanReference, type: deprecatedType });

const statusResponse = Type.Object({
  timestamp: responseTime,
  scanReference,
  status: choice(
    scanStatuses,
    "PENDING until the analysis ends; then DONE, or FAILED when the analysis was not possible.",
    { examples: ["DONE"] },
  ),
});

const identityText = (description: string, example?: string) =>
  nullableText("identity", description, example);
const documentText = (description: string, example?: string) =>
  nullableText("document", description, example);

const document = Type.Object(
  {
    type: choice(documentTypesRecord, "Kind of the document."),
    country: documentText("Issuing country, ISO 3166-1 alpha-3.", "CHL"),
    number: documentText("Document number.", "F12345678"),
    validFrom: documentText("Issue date, YYYY-MM-DD; no MRZ carries it."),
    validUntil: documentText("Expiry date, YYYY-MM-DD.", "2032-04-15"),
    placeOfIssue: documentText("Place of issue."),
    firstIssue: documentText("Date of first issue, YYYY-MM-DD."),
    issueNumber: documentText("Issue number."),
    issuedBy: documentText("Issuing authority."),
  },
  { "x-name": "DocumentFields" },
);

const person = Type.Object(
  {
    firstName: identityText("First names.", "ANNA MARIA"),
    lastName: identityText("Surnames.", "ERIKSSON"),
    idNumber: identityText("National identity number."),
    citizenship: identityText("Citizenship, ISO 3166-1 alpha-3."),
    nationality: identityText("Nationality, ISO 3166-1 alpha-3.", "CHL"),
    gender: identityText("M, F or X.", "F"),
    placeOfBirth: identityText("Place of birth."),
    dateOfBirth: identityText("YYYY-MM-DD.", "1974-08-12"),
    yearOfBirth: identityText("YYYY.", "1974"),
  },
  { "x-name": "PersonFields" },
);

const verification = Type.Object({
  scanReference,
  code: numberOf(verificationCode, "Decision", 9001, { "x-name": "DocumentDecision" }),
  status: choice(
    ["Started", "Submitted", "Approved", "Declined", "Resubmission", "Expired/Abandoned", "Review"],
    "Decision in words.",
    { examples: ["Approved"] },
  ),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: "Reason of the rejection; null when approved.",
    examples: [null],
  }),
  reasonCode: Type.Union([Type.Integer(), Type.Null()], {
    "x-name": "ReasonCode",
    description:
      "Code of the reason; null when approved. One of the interface's 91 codes, unless the operator sets " +
      "IDEM_REASON_CODES=extended. The table: api/reason-codes.md.",
    examples: [null],
  }),
  merchantScanReference: identityText("Your own reference.", "order-4711"),
  acceptanceTime: time("When the images were accepted."),
  decisionTime: Type.Union([Type.String(), Type.Null()], {
    description: "When it was decided; null before.",
    examples: ["2026-11-21T09:30:01.412Z"],
  }),
  document,
  person,
  attempt: Type.Integer({
    minimum: 1,
    description: "Additional field: number of the decided attempt; the first is 1.",
    examples: [1],
  }),
  portraitEvidence: Type.Optional(
    Type.Enum(portraitEvidences, {
      "x-name": "PortraitEvidence",
      type: "string",
      description:
        "Additional field: what shows that the portrait belongs to the document, weakest first: unproven (nothing), print-consistent (its " +
        "print fits the card around it, as far as the images show that), reference (the registered user), ghost (a second image " +
        "of the same face on the document), registry, chip. A good forgery fits print-consistent, and one that shows another person in " +
        "portrait and second image fits ghost. Absent before the analysis.",
      examples: ["print-consistent"],
    }),
  ),
  additionalReasonCodes: Type.Optional(
    Type.Array(Type.Integer(), {
      description:
        "Additional field: the exact code where reasonCode is the interface's nearest one, then further findings, for the " +
        "operator. Do not show them to the person.",
    }),
  ),
});

/** The document validation record, as answered by the data steps. */
export const validationRecord = Type.Object(
  {
    status: choice(["Success", "Fail"], "Success when the analysis ran, with any decision."),
    verification,
  },
  { "x-name": "ValidationRecord" },
);

/** POST /verify/documentValidation/v2/start */
export const startValidationRoute = route({
  name: "startDocumentValidation",
  method: "POST",
  path: "/verify/documentValidation/v2/start",
  scope: "document",
  tag,
  cost: 6,
  summary: "Starts the validation of a document",
  description: "Answers at once. Poll status until it is no longer PENDING, then read data.",
  inputs: { front: "documentFrontRawImage", back: "documentBackRawImage" },
  retryReference: "merchantIdScanReference",
  request: Type.Object({
    country: country("Issuing country, ISO 3166-1 alpha-3."),
    idType: documentType(documentTypesV2),
    documentFrontRawImage: base64("document", "Image of the front."),
    documentBackRawImage: Type.Optional(
      base64("document", "Image of the back; not needed for PASSPORT and VISA."),
    ),
    merchantIdScanReference,
    documentRawImageMimeType: mimeType,
    scanReference: resubmitted,
    tracking: Type.Optional(tracking),
  }),
  response: startResponse,
  failures: startFailures,
  rules: (fields) => [
    ...knownCountry(fields, "country"),
    ...requiredWhen(
      fields,
      isTwoSided(fields["idType"]),
      "documentBackRawImage",
      "for documents with two sides",
    ),
  ],
});

const isTwoSided = (idType: unknown): boolean =>
  documentTypesV2.some((type) => type === idType && !singleSidedTypes.includes(type));

/** POST /verify/documentValidation/v2/status */
export const validationStatusRoute = route({
  name: "documentValidationStatus",
  method: "POST",
  path: "/verify/documentValidation/v2/status",
  scope: "document",
  tag,
  summary: "State of a document validation",
  request: referenceRequest,
  response: statusResponse,
  failures: ["not_found"],
});

/** POST /verify/documentValidation/v2/data */
export const validationDataRoute = route({
  name: "documentValidationData",
  method: "POST",
  path: "/verify/documentValidation/v2/data",
  scope: "document",
  tag,
  summary: "Decision and data of a document validation",
  request: referenceRequest,
  response: validationRecord,
  failures: ["not_found", "stored_damaged", "stored_newer"],
});

/** POST /verify/documentValidation/start (first version) */
export const startValidationV1Route = route({
  name: "startDocumentValidationV1",
  method: "POST",
  path: "/verify/documentValidation/start",
  scope: "document",
  tag,
  cost: 6,
  deprecated: true,
  summary: "Starts the validation of a document (first version)",
  inputs: { front: "frontsideImage", back: "backsideImage" },
  retryReference: "merchantIdScanReference",
  request: Type.Object({
    country: country("Issuing country, ISO 3166-1 alpha-3."),
    idType: documentType(documentTypesV1),
    frontsideImage: base64("document", "Image of the front."),
    backsideImage: Type.Optional(base64("document", "Image of the back.")),
    merchantIdScanReference,
    scanReference: resubmitted,
    tracking: Type.Optional(tracking),
  }),
  response: startResponse,
  failures: startFailures,
  rules: (fields) => knownCountry(fields, "country"),
});

/** POST /verify/documentValidation/status (first version) */
export const validationStatusV1Route = route({
  ...validationStatusRoute,
  name: "documentValidationStatusV1",
  path: "/verify/documentValidation/status",
  deprecated: true,
  summary: "State of a document validation (first version)",
});

/** POST /verify/documentValidation/data (first version) */
export const validationDataV1Route = route({
  ...validationDataRoute,
  name: "documentValidationDataV1",
  path: "/verify/documentValidation/data",
  deprecated: true,
  summary: "Decision and data of a document validation (first version)",
  description: "Answers the record of the second version.",
});

/** In the order of the docs page. */
export const documentValidationRoutes: readonly Route[] = [
  startValidationRoute,
  validationStatusRoute,
  validationDataRoute,
  startValidationV1Route,
  validationStatusV1Route,
  validationDataV1Route,
];
