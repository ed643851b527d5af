import { Type } from "typebox";
import { documentTypesPad } from "./document-type.ts";
import { route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleDiagnosis, exampleWebDocument } from "./example-document.ts";
import { padApiVersion } from "./pad.ts";
import { knownCountry } from "./request-rule.ts";
import { validationCode } from "./validation-code.ts";
import { base64, choice, country } from "./wire.ts";

/** POST /verify/pad/diagnostic */
export const padDiagnosticRoute = route({
  needsAppName: true,
  name: "padDiagnostic",
  method: "POST",
  path: "/verify/pad/diagnostic",
  scope: "document",
  tag: "Document validation",
  cost: 6,
  summary: "Presentation-attack diagnostic of document pictures",
  description:
    "Pictures of at least 720 px (1080 px recommended), background of at least 5 % of the document's width " +
    "around it, JPEG quality of at least 70, text that can be read. A picture that does not meet one is never Credible (what cannot be measured, such as the ground around a document " +
    "without an outline, fails nothing), and " +
    "its traces make no Spoof; result.IQA says which requirement it misses. The header app-name is required when a mobile app " +
    "calls directly. A document with one side is sent with any second picture of it.",
  request: Type.Object({
    frontSideImage: base64("document", "Picture of the front."),
    backSideImage: base64("document", "Picture of the back."),
    face: Type.Optional(base64("face", "Picture of the holder's face.")),
    tokenized: Type.Boolean({ description: "Whether the pictures are tokens.", examples: [false] }),
    countryCode: country("Issuing country, ISO 3166-1 alpha-3."),
    idType: choice(documentTypesPad, "Kind of the document.", {
      "x-code": validationCode.documentTypeUnsupported.code,
    }),
  }),
  response: Type.Object({
    ...envelopeFields("padDiagnostic"),
    serviceResult: Type.String({
      description:
        "JSON text: result.decision (Credible, Doubtful, Spoof, Error), result.reasons (an array, empty where nothing was " +
        "found, which may be Doubtful nevertheless: docs/guides/diagnostic.md), result.IQA (for each picture the requirements with value, minimum and passed; null where it could not be " +
        "measured) and api_version. Error: nothing of a document could be looked at. Which trace led to a reason stands in " +
        "the transaction, for the operator alone.",
      examples: [JSON.stringify({ result: exampleDiagnosis, api_version: padApiVersion })],
    }),
    serviceDocumentData: Type.String({
      description:
        "JSON text of the document's fields, in the groups of serviceDocument of extractDocumentDataWeb.",
      "x-personal": "document",
      examples: [JSON.stringify(exampleWebDocument)],
    }),
  }),
  failures: [
    "token_unreadable",
    "token_wrong_kind",
    "token_expired",
    "image_unreadable",
    "image_unsupported",
    "image_too_large",
    "engine_busy",
    "engine_failed",
    "upstream_failed",
  ],
  rules: (fields) => knownCountry(fields, "countryCode"),
});
