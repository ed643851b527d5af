import { exampleFile, exampleTransactionId } from "../example.ts";
import { listSignedDocumentsRoute, showSignedDocumentRoute } from "../signed-document.routes.ts";
import { digitalSignRoute } from "../signing.routes.ts";
import { verifySignatureRoute } from "../verify-signature.routes.ts";
import { exampleContract } from "./contract-file.ts";
import type { ExampleCall } from "./example-call.ts";

const keepsDocuments = { IDEM_SIGNED_DOCUMENT_DAYS: "30" };

/** Examples of signatures, in an order that works: on the ground of the example `identity`, soon after it. */
export const signingCalls: readonly ExampleCall[] = [
  {
    name: "signed",
    route: digitalSignRoute,
    summary: "Signs a contract visibly, on the ground of the authentication of the example `identity`.",
    fields: {
      endUserContactInfo: "anna@example.org",
      file: exampleContract,
      signingData: {
        facialAuthenticationHash: "0123456789ABCDEF".repeat(8),
        serviceTransactionId: exampleTransactionId,
      },
      signingLocation: { city: "Santiago", country: "CHL", ipAddress: "203.0.113.7" },
      signingType: "1",
      signatureData: { pageNumber: 1, signatureFieldPosition: "72,72,322,132" },
    },
    taken: [
      {
        field: "signingData.facialAuthenticationHash",
        from: "identity",
        member: "facialAuthenticationHash",
      },
      { field: "signingData.serviceTransactionId", from: "identity", member: "serviceTransactionId" },
    ],
    alone: "not_found",
  },
  {
    name: "verified",
    route: verifySignatureRoute,
    summary:
      "Verifies the contract of the example `signed`: its signature and the document time-stamp over it.",
    fields: { file: exampleFile },
    taken: [{ field: "file", from: "signed", member: "serviceDocument" }],
    alone: "pdf_unreadable",
  },
  {
    name: "unsigned",
    route: verifySignatureRoute,
    summary: "The contract before it was signed: it holds no signature.",
    fields: { file: exampleContract },
  },
  {
    name: "signedDocuments",
    route: listSignedDocumentsRoute,
    summary:
      "The kept documents: here that of the example `signed`. Without IDEM_SIGNED_DOCUMENT_DAYS there are none.",
    fields: {},
    settings: keepsDocuments,
  },
  {
    name: "signedDocument",
    route: showSignedDocumentRoute,
    summary:
      "The contract of the example `signed` with its newest time-stamp. Needs IDEM_SIGNED_DOCUMENT_DAYS.",
    fields: { id: exampleTransactionId },
    taken: [{ field: "id", from: "signed", member: "serviceTransactionId" }],
    alone: "not_found",
    settings: keepsDocuments,
  },
];
