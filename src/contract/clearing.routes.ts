import { type Static, Type } from "typebox";
import {
  type CertificateContent,
  certificateShape,
  scanReference,
  transactionExample,
} from "./clearing-certificate.ts";
import { type Route, route } from "./endpoint.ts";
import type { FileAnswer } from "./file-answer.ts";
import { choice, numberOf, personalText, text, time } from "./wire.ts";

const tag = "Pension clearing";
/** 32 letters, the form of the clearing entity. */
const verificationToken = "abcdefghijklmnopqrstuvwxyzABCDEF";
const serviceTransactionId = text("Transaction of the identity answer.", {
  "x-name": "IdentityTransactionId",
  maxLength: 64,
  examples: [transactionExample],
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

/** In the order of the docs page. */
export const clearingRoutes: readonly Route[] = [
  verifyClearingRoute,
  clearingCertificateRoute,
  verifyPreviredRoute,
  previredCertificateRoute,
  startPreviredRoute,
];
