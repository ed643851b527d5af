import { Type } from "typebox";
import { route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleFile } from "./example.ts";
import { knownCountry } from "./request-rule.ts";
import { base64, choice, country, personalText, text } from "./wire.ts";

const envelope = envelopeFields("digitalSign");

const location = Type.Object({
  city: personalText("contact", "City of signing.", { maxLength: 200, examples: ["Santiago"] }),
  country: country("Country of signing, ISO 3166-1 alpha-3."),
  geoLocationPosition: Type.Optional(personalText("contact", "Coordinates.", { maxLength: 100 })),
  ipAddress: Type.Optional(personalText("contact", "Address of the signer.", { maxLength: 64 })),
});

/** POST /services/digitalSign */
export const digitalSignRoute = route({
  name: "digitalSign",
  method: "POST",
  path: "/services/digitalSign",
  scope: "signing",
  tag: "Signing",
  cost: 4,
  summary: "Signs a PDF",
  description: "The signature carries a trusted timestamp and long-term validation data.",
  request: Type.Object({
    endUserContactInfo: personalText("contact", "E-mail address of the signer.", {
      minLength: 3,
      maxLength: 254,
      examples: ["anna@example.org"],
    }),
    file: base64("document", "PDF to sign.", { examples: [exampleFile] }),
    signingData: Type.Object({
      facialAuthenticationHash: text("Hash from the answer of civilValidation.", {
        maxLength: 256,
        examples: ["0123456789ABCDEF".repeat(8)],
      }),
      serviceTransactionId: text("Transaction of the authentication.", {
        maxLength: 64,
        examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
      }),
    }),
    signingLocation: location,
    signingType: choice(["1"], "1 is the default signing."),
    signatureData: Type.Optional(
      Type.Object({
        handSignature: Type.Optional(base64("signature", "Image of the handwritten signature.")),
        pageNumber: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100_000, description: "Page, counted from 1.", examples: [1] }),
        ),
        signatureFieldPosition: Type.Optional(
          text("Four comma-separated numbers.", { maxLength: 100, examples: ["50,50,250,120"] }),
        ),
      }),
    ),
  }),
  response: Type.Object({
    serviceTransactionId: envelope.serviceTransactionId,
    serviceResultCode: envelope.serviceResultCode,
    serviceResultLog: envelope.serviceResultLog,
    timestamp: envelope.timestamp,
    serviceDocument: base64("document", "The signed PDF.", { examples: [exampleFile] }),
  }),
  failures: ["not_found", "upstream_failed", "engine_busy", "engine_failed"],
  rules: (fields) => {
    const place = fields["signingLocation"];
    const isObject = typeof place === "object" && place !== null;
    return isObject
      ? knownCountry({ ...place }, "country").map((fault) => ({ ...fault, field: "signingLocation.country" }))
      : [];
  },
});
