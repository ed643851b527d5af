import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { signatureLevelField } from "./signing.routes.ts";
import { responseTime, text, time, writtenFile } from "./wire.ts";

const tag = "Signing";
const base = "/operator/signed-documents";
const beyond =
  "Beyond the interface, for a console of the operator. Documents are kept where IDEM_SIGNED_DOCUMENT_DAYS is above 0.";

const nullableTime = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description,
    examples: ["2031-11-21T09:30:00.000Z"],
  });

const documentFields = {
  id: Type.String({
    description: "`serviceTransactionId` of the signing.",
    examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
  }),
  signedAt: time("When it was signed."),
  bytes: Type.Integer({ minimum: 0, description: "Of the newest version.", examples: [120_000] }),
  sha256: Type.String({
    description: "Of the newest version, hex.",
    examples: ["0123456789abcdef".repeat(4)],
  }),
  level: signatureLevelField,
  extendedAt: nullableTime("When the newest time-stamp was added; null without an extension."),
  provableUntil: nullableTime(
    "End of the last time-stamp's certificate; null without a document time-stamp.",
  ),
};

/** GET /operator/signed-documents */
export const listSignedDocumentsRoute = route({
  name: "listSignedDocuments",
  method: "GET",
  path: base,
  scope: "tracking",
  tag,
  cost: 2,
  summary: "Lists the kept signed documents of the key's tenant and environment, the newest first",
  description: `${beyond} Up to 50 a page.`,
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 160, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp: responseTime,
    documents: Type.Array(Type.Object(documentFields)),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Send it as `after` for the next page; null on the last page.",
      examples: [null],
    }),
  }),
  failures: [],
});

/** GET /operator/signed-documents/{id} */
export const showSignedDocumentRoute = route({
  name: "showSignedDocument",
  method: "GET",
  path: `${base}/{id}`,
  scope: "tracking",
  tag,
  cost: 4,
  summary: "A kept signed document with its newest time-stamp",
  description: beyond,
  request: Type.Object({
    id: text("`serviceTransactionId` of the signing.", {
      maxLength: 64,
      examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
    }),
  }),
  response: Type.Object({
    timestamp: responseTime,
    ...documentFields,
    document: writtenFile("The signed PDF."),
  }),
  failures: ["not_found", "stored_damaged", "stored_newer"],
});

/** In the order of the docs page. */
export const signedDocumentRoutes: readonly Route[] = [listSignedDocumentsRoute, showSignedDocumentRoute];
