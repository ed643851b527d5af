import { type Static, type TSchema, Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import type { FileAnswer } from "./file-answer.ts";
import { portraitEvidences } from "./portrait-evidence.ts";
import { choice, nullableText, numberOf, personalText, similarity, text, time } from "./wire.ts";

const tag = "Pension clearing";
/** 32 letters, the form of the clearing entity. */
const verificationToken = "abcdefghijklmnopqrstuvwxyzABCDEF";
const transactionExample = "2db602ee-3564-4304-af95-92a52eaae12d";
const serviceTransactionId = text("Transaction of the identity answer.", {
  "x-name": "IdentityTransactionId",
  maxLength: 64,
  examples: [transactionExample],
});
const scanReference = text("Reference of the document validation.", {
  "x-name": "ValidatedScanReference",
  maxLength: 128,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});

/** Failures of the preconditions of a token. */
export const preconditionFailures = [
  "not_found",
  "clearing_not_identity",
  "clearing_face_not_positive",
  "clearing_not_live",
  "clearing_not_approved",
  "clearing_assurance_too_low",
  "clearing_other_operation",
  "clearing_other_person",
  "clearing_person_unproven",
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "engine_busy",
  "engine_failed",
  "stored_damaged",
  "stored_newer",
] as const satisfies Route["failures"];

/** POST /services/clearing/{serviceTransactionId}/verify */
export const verifyClearingRoute = route({
  name: "verifyClearing",
  method: "POST",
  path: "/services/clearing/{serviceTransactionId}/verify",
  scope: "clearing",
  tag,
  summary: "Verification token of a transaction for the clearing entity",
  description:
    "Needs facialAuthenticationResult 3 and passiveLivenessResult 3 of an identity call, and verification code 9001 of a document " +
    "validation. Both must be of one operation, or name none, and of one person: the front of the document is `token1` of identity " +
    "(method 3), or the operation keeps its images and their faces match. Each call makes a new token.",
  cost: 2,
  request: Type.Object({ serviceTransactionId, scanReference }),
  response: Type.Object({
    token: Type.String({
      description: "Verification token, 32 letters. It opens the certificate. Store it securely.",
      "x-personal": "token",
      examples: [verificationToken],
    }),
    expiresAt: time("Additional field. The token opens the certificate until then."),
    certificateUrl: Type.String({
      description:
        "Additional field. Address of the certificate with the token, without the key: append `&apiKey=` and the key of certificates.",
      "x-personal": "token",
      examples: [
        `https://idem.example/services/clearing/${transactionExample}/certificate?token=${verificationToken}`,
      ],
    }),
  }),
  shownOnce: {
    secrets: ["token", "certificateUrl"],
    names: ["serviceTransactionId"],
    next: "Ask for another token with a new Idempotency-Key. The former one ends with its time.",
  },
  failures: preconditionFailures,
});

const personShape = Type.Object(
  {
    firstName: nullableText("identity", "First names.", "ANNA MARIA"),
    lastName: nullableText("identity", "Surnames.", "ERIKSSON"),
    idNumber: nullableText("identity", "National identity number."),
    dateOfBirth: nullableText("identity", "YYYY-MM-DD.", "1974-08-12"),
  },
  { description: "As the document shows them." },
);

const documentShape = Type.Object({
  type: text("Kind of the document.", { examples: ["ID_CARD"] }),
  country: nullableText("document", "Issuing country, ISO 3166-1 alpha-3.", "CHL"),
  number: nullableText("document", "Document number.", "F12345678"),
});

/** A figure of a count; null where nothing was counted. */
const counted = <Figure extends TSchema>(figure: Figure, description: string, example: number) =>
  Type.Union([figure, Type.Null()], { description, examples: [example] });

/** The content of a certificate; its JSON form. */
export const certificateShape = Type.Object({
  environment: Type.Enum(["live", "test"], {
    type: "string",
    description: "Environment of the key that verified. A certificate of test proves nothing about a person.",
    examples: ["live"],
  }),
  serviceTransactionId: Type.String({
    description: "Transaction of the identity call.",
    examples: [transactionExample],
  }),
  codigoVerificacion: Type.String({
    description: "The 16 bytes of the transaction's UUID in URL-safe Base64 without padding.",
    examples: ["LbYC7jVkQwSvlZKlLqrhLQ"],
  }),
  facialAuthenticationResult: Type.Integer({ examples: [3] }),
  facialAuthenticationSimilarity: similarity,
  countedFalseMatchRate: counted(
    Type.Number({ minimum: 1e-4, maximum: 1 }),
    "False match rate that was counted at this score or below it, over `countedPairs`. Null where none was counted: " +
      "at a low score, and for an added recogniser or an own cohort.",
    0.0001,
  ),
  countedPairs: counted(
    Type.Integer({ minimum: 1 }),
    "Number of pairs of different persons over which `countedFalseMatchRate` was counted.",
    7_255_541,
  ),
  countedFalseMatchRateWorstGroup: counted(
    Type.Number({ minimum: 1e-4, maximum: 1 }),
    "The same within the demographic group where it is highest, over `countedPairsWorstGroup`.",
    0.01,
  ),
  countedPairsWorstGroup: counted(
    Type.Integer({ minimum: 1 }),
    "Number of pairs within a group over which `countedFalseMatchRateWorstGroup` was counted.",
    44_850,
  ),
  passiveLivenessResult: Type.Integer({ examples: [3] }),
  documentValidationCode: Type.Integer({ examples: [9001] }),
  scanReference,
  verifiedAt: time("UTC time of the identity call."),
  documentDecidedAt: Type.Union([Type.String(), Type.Null()], {
    description: "UTC time of the document's approval; null where it is not kept any more.",
    examples: ["2026-11-21T09:30:04.000Z"],
  }),
  samePersonBy: Type.Enum(["image", "faces"], {
    type: "string",
    description:
      "What joins person and document. image: the identity call compared the selfie with the image of this document. faces: the " +
      "portrait of the document was compared with the selfie.",
    examples: ["image"],
  }),
  portraitEvidence: Type.Union([Type.Enum(portraitEvidences, { type: "string" }), Type.Null()], {
    description:
      "What shows that the portrait belongs to the document; null where the validation is not kept any more, or states none.",
    examples: ["print-consistent"],
  }),
  personIsKept: Type.Boolean({
    description:
      "False after the retention of the document validation: `person` and `document` are null then.",
    examples: [true],
  }),
  person: Type.Union([personShape, Type.Null()], {
    examples: [{ firstName: "ANNA MARIA", lastName: "ERIKSSON", idNumber: null, dateOfBirth: "1974-08-12" }],
  }),
  document: Type.Union([documentShape, Type.Null()], {
    examples: [{ type: "ID_CARD", country: "CHL", number: "F12345678" }],
  }),
  provider: text("The provider of the verification.", {
    maxLength: 200,
    examples: ["Example Verification Ltd"],
  }),
  hashes: Type.Object(
    {
      facialAuthenticationHash: Type.Union([Type.String(), Type.Null()], {
        description: "Keyed hash of the identity answer, 128 hexadecimal digits.",
        examples: ["0A".repeat(64)],
      }),
      policyVersion: text("Version of the thresholds.", { examples: ["face-1"] }),
      models: Type.Record(Type.String(), Type.String(), {
        description: "SHA-256 (hex) of the weights of each model.",
        examples: [{ recogniser: "5e".repeat(32) }],
      }),
    },
    { description: "What makes the verification reproducible." },
  ),
  tokenExpiresAt: time("UTC time until which the token opens this certificate."),
  openingsLeft: Type.Integer({
    minimum: 0,
    description:
      "How often the token opens this certificate again, at most: other openings at the same time count too.",
    examples: [9],
  }),
  issuedAt: time("UTC time of this answer."),
});

export type CertificateContent = Static<typeof certificateShape>;

/** Query fields that carry the credentials which the interface calls url_usuario and url_clave. */
const credential = (name: string) =>
  Type.Optional(
    text(
      `${name} of the tenant's clearing credentials, where they are set and no header Authorization is sent.`,
      {
        maxLength: 200,
        "x-personal": "token",
        examples: [name === "url_usuario" ? "clearing" : "a long password"],
      },
    ),
  );

/** GET /services/clearing/{serviceTransactionId}/certificate */
export const clearingCertificateRoute = route({
  name: "clearingCertificate",
  method: "GET",
  path: "/services/clearing/{serviceTransactionId}/certificate",
  scope: "certificate",
  tag,
  keyInQuery: "apiKey",
  files: ["text/html", "application/pdf"],
  summary: "Certificate of a verification, opened by the clearing entity",
  description:
    "Token and key travel in the query, as the clearing entity's form requires. It is a separate key with the " +
    "certificate scope only; the header x-api-key takes it too, and both together only where they are equal. By `Accept` the answer is " +
    "JSON, a page in Spanish, or a PDF that the service signs. Where the operator has set clearing credentials for the tenant, " +
    "they are needed too: `Authorization: Basic`, or `usuario` and `clave` in the query. A wrong, used-up, expired or foreign token " +
    "answers the same 404. A browser gets a refusal as a page in Spanish too. Each opening counts as a use of the token, and is evidence.",
  cost: 2,
  request: Type.Object({
    serviceTransactionId,
    token: text("Verification token.", {
      maxLength: 128,
      examples: [verificationToken],
    }),
    usuario: credential("url_usuario"),
    clave: credential("url_clave"),
  }),
  response: Type.Unsafe<CertificateContent | FileAnswer>(certificateShape),
  failures: [
    "not_found",
    "certificate_form_unavailable",
    "stored_damaged",
    "stored_newer",
    "signature_unproven",
    "timestamp_failed",
    "signer_unusable",
    "engine_busy",
    "engine_failed",
  ],
});

/** POST /services/previred/{serviceTransactionId}/verify: another name of verifyClearing. */
export const verifyPreviredRoute = route({
  ...verifyClearingRoute,
  name: "verifyPrevired",
  path: "/services/previred/{serviceTransactionId}/verify",
  summary: "Another name of /services/clearing/{serviceTransactionId}/verify",
});

/** GET /services/previred/{serviceTransactionId}/certificate: another name of clearingCertificate. */
export const previredCertificateRoute = route({
  ...clearingCertificateRoute,
  name: "previredCertificate",
  path: "/services/previred/{serviceTransactionId}/certificate",
  summary: "Another name of /services/clearing/{serviceTransactionId}/certificate",
});

/**
 * What the callback of the older flow says: the hash opens the certificate, or its time was over before this
 * attempt.
 */
export const callbackStatuses = { succeeded: 200, failed: 410 } as const;

export type CallbackStatus = keyof typeof callbackStatuses;

const callbackBody = Type.Object({
  timestamp: Type.Integer({
    description: "Of this attempt, in seconds since 1970.",
    examples: [1_795_253_405],
  }),
  transactionId: text("As the call answered it. The header webhook-id is the same.", {
    examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"],
  }),
  statusCode: numberOf(callbackStatuses, "Reported status", 200),
  status: choice(
    ["succeeded", "failed"],
    "succeeded: `hash` opens the certificate. failed: its time was over before this attempt; call again.",
  ),
});

export type CallbackBody = Static<typeof callbackBody>;

/** POST /services/previred: the older flow, whose result arrives at a callback. */
export const startPreviredRoute = route({
  name: "startPrevired",
  method: "POST",
  path: "/services/previred",
  scope: "clearing",
  tag,
  deprecated: true,
  summary: "Older flow of pension clearing, with a callback",
  description:
    "Checks the same preconditions as verify, answers `hash`, and then posts " +
    '`{"timestamp", "transactionId", "statusCode": 200, "status": "succeeded"}` to `callbackUrl`. `hash` is a verification token: it ' +
    "opens the certificate of `identityTransactionId`. An attempt after its time says `statusCode` 410 and `status` failed. The " +
    "callback is repeated as events are, until a 2xx, and signed as Standard Webhooks: its secret is `whsec_` and the Base64 of the " +
    "40 characters of `hash`. Use verify in new integrations.",
  cost: 2,
  callback: {
    field: "callbackUrl",
    description:
      "Sent at least once, with the same webhook-id. `webhook-signature` follows Standard Webhooks 1.0; its secret is `whsec_` and the " +
      "Base64 of the 40 characters of `hash`.",
    body: callbackBody,
  },
  request: Type.Object({
    customerId: personalText("identity", "Your own name for the person.", {
      minLength: 1,
      maxLength: 128,
      examples: ["customer-4711"],
    }),
    identityTransactionId: text("Transaction of the identity answer.", {
      maxLength: 64,
      examples: [transactionExample],
    }),
    documentValidationScanReference: scanReference,
    ipVerified: personalText("contact", "Address of the person's device, as your server met it.", {
      minLength: 1,
      maxLength: 64,
      examples: ["192.0.2.7"],
    }),
    callbackUrl: text("Receives the callback: https, a public address.", {
      maxLength: 2000,
      examples: ["https://fund.example/clearing"],
    }),
  }),
  response: Type.Object({
    timestamp: Type.Integer({ description: "Seconds since 1970.", examples: [1_795_253_400] }),
    transactionId: text("Transaction of this call; the callback names it.", {
      examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"],
    }),
    hash: Type.String({
      description: "40 hexadecimal digits, made at random.",
      "x-personal": "token",
      examples: ["0123456789abcdef0123456789abcdef01234567"],
    }),
  }),
  failures: [...preconditionFailures, "callback_url_refused"],
});
