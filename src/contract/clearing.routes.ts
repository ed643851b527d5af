import { Type } from "typebox";
import { route } from "./endpoint.ts";
import { text, time } from "./wire.ts";

const tag = "Pension clearing";
/** 32 letters, the form of the clearing entity. */
const verificationToken = "abcdefghijklmnopqrstuvwxyzabcdef";
const serviceTransactionId = text("Transaction of the identity answer.", {
  maxLength: 64,
  examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
});

/** POST /services/clearing/{serviceTransactionId}/verify */
export const verifyClearingRoute = route({
  name: "verifyClearing",
  method: "POST",
  path: "/services/clearing/{serviceTransactionId}/verify",
  scope: "clearing",
  tag,
  summary: "Verification token of a transaction for the clearing entity",
  description: "Needs facialAuthenticationResult 3, passiveLivenessResult 3 and verification code 9001.",
  request: Type.Object({
    serviceTransactionId,
    scanReference: text("Reference of the document validation.", {
      maxLength: 128,
      examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
    }),
  }),
  response: Type.Object({
    token: Type.String({
      description: "Verification token. Store it securely.",
      "x-personal": "token",
      examples: [verificationToken],
    }),
  }),
  failures: ["not_found"],
});

/** GET /services/clearing/{serviceTransactionId}/certificate */
export const clearingCertificateRoute = route({
  name: "clearingCertificate",
  method: "GET",
  path: "/services/clearing/{serviceTransactionId}/certificate",
  scope: "clearing",
  tag,
  keyInQuery: "apiKey",
  summary: "Certificate of a verification, opened by the clearing entity",
  description:
    "Token and key travel in the query, as the clearing entity's form requires. It is a separate key with the " +
    "clearing scope only.",
  request: Type.Object({
    serviceTransactionId,
    token: text("Verification token.", {
      maxLength: 128,
      examples: [verificationToken],
    }),
  }),
  response: Type.Object({
    serviceTransactionId: Type.String({ examples: ["2db602ee-3564-4304-af95-92a52eaae12d"] }),
    facialAuthenticationResult: Type.Integer({ examples: [3] }),
    passiveLivenessResult: Type.Integer({ examples: [3] }),
    documentValidationCode: Type.Integer({ examples: [9001] }),
    verifiedAt: time("UTC time of the verification."),
  }),
  failures: ["not_found"],
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
