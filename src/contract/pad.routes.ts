import { Type } from "typebox";
import { documentTypesPad } from "./document-type.ts";
import { route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
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
  summary: "Presentation-attack diagnostic of document pictures",
  description:
    "Pictures of at least 720 px (1080 px recommended), background of at least 5 % of the document's width " +
    "around it, JPEG quality of at least 70. The header app-name is required when a mobile app calls directly.",
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
        "JSON text: result.decision (Credible, Doubtful, Spoof, Error), result.reasons, an optional result.IQA " +
        "object and api_version.",
      examples: ['{"result":{"decision":"Credible","reasons":[]},"api_version":"1"}'],
    }),
    serviceDocumentData: Type.String({
      description: "JSON text of the document's fields.",
      "x-personal": "document",
      examples: ['{"FirstName":"ANNA MARIA","LastName":"ERIKSSON","DocumentNumber":"F12345678"}'],
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
