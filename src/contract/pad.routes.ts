import { Type } from "typebox";
import { documentTypesPad } from "./document-type.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleDiagnosis, exampleWebDocument } from "./example-document.ts";
import { padApiVersion } from "./pad.ts";
import { knownCountry } from "./request-rule.ts";
import { validationCode } from "./validation-code.ts";
import { base64, choice, country } from "./wire.ts";

/** POST /verify/pad/diagnostic */
export const padDiagnosticRoute = route({
  name: "padDiagnostic",
  method: "POST",
  path: "/verify/pad/diagnostic",
  scope: "document",
  tag: "Document validation",
  cost: 6,
  summary: "Presentation-attack diagnostic of document images",
  description:
    "Images of at least 720 px (1080 px recommended), background of at least 5 % of the document's width " +
    "around it, JPEG quality of at least 70, readable text. Credible is what document validation " +
    "would approve, also where the document is expired or of a country that is not served. " +
    "Where it would not, an image that misses a requirement is Doubtful (a property that cannot be measured, such " +
    "as the background of a document without an outline, misses nothing), and its traces make no Spoof; result.IQA " +
    "names the missed requirement. For a document with one side, send any second image of it. An image or token " +
    "that is refused is a wrong field (400).",
  refusesInputsAsRequest: true,
  inputs: { front: "frontSideImage", back: "backSideImage", face: "face" },
  request: Type.Object({
    frontSideImage: base64("document", "Image of the front."),
    backSideImage: base64("document", "Image of the back."),
    face: Type.Optional(
      base64("face", "Image of the holder's face; tokenized, a face-image or a best-image token."),
    ),
    tokenized: Type.Boolean({ description: "Whether the images are tokens.", examples: [false] }),
    countryCode: country("Issuing country, ISO 3166-1 alpha-3."),
    idType: choice(documentTypesPad, "Kind of the document.", {
      "x-code": validationCode.documentTypeUnsupported.code,
    }),
  }),
  response: Type.Object({
    ...envelopeFields("padDiagnostic"),
    serviceResult: Type.String({
      description:
        "JSON text: result.decision (Credible, Doubtful, Spoof, Error), result.reasons (an array; each Doubtful has " +
        "a reason or a missed requirement: docs/guides/understand/documents.md), result.IQA (for each image the requirements with value, minimum and passed; null where it could not be " +
        "measured) and api_version. Error: no part of a document could be examined. The trace behind a reason is stored in " +
        "the transaction, for the operator only.",
      examples: [JSON.stringify({ result: exampleDiagnosis, api_version: padApiVersion })],
    }),
    serviceDocumentData: Type.String({
      description:
        "JSON text of the document's fields, in the groups of serviceDocument of extractDocumentDataWeb.",
      "x-personal": "document",
      examples: [JSON.stringify(exampleWebDocument)],
    }),
  }),
  failures: ["engine_busy", "engine_failed", "upstream_failed"],
  rules: (fields) => knownCountry(fields, "countryCode"),
});

/** In the order of the docs page. */
export const padRoutes: readonly Route[] = [padDiagnosticRoute];
