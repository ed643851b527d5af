import { isIP } from "node:net";
import { Type } from "typebox";
import { isIsoCountry } from "./country.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import type { FailureCode } from "./failure.ts";
import { type RequestFault, type UncheckedFields, wrong } from "./request.ts";
import { validationCode } from "./validation-code.ts";
import { base64, choice, country, file, personalText, text, tracking, writtenFile } from "./wire.ts";

/** Failures of every file that has to be read. */
export const pdfFailures = [
  "pdf_unreadable",
  "pdf_too_large",
  "pdf_needs_password",
] as const satisfies FailureCode[];

/** Level of a signature in an answer. */
export const signatureLevelField = choice(
  ["B-LTA", "B-LT", "B-T", "B-B"],
  "Level of the PAdES baseline (ETSI EN 319 142-1): with archive time-stamp, with validation data, with time-stamp, or the signature alone.",
  { "x-name": "SignatureLevel" },
);

const envelope = envelopeFields("digitalSign");

const location = Type.Object({
  city: personalText("contact", "City of signing.", { maxLength: 200, examples: ["Santiago"] }),
  country: country("Country of signing, ISO 3166-1 alpha-3."),
  geoLocationPosition: Type.Optional(personalText("contact", "Coordinates.", { maxLength: 100 })),
  ipAddress: Type.Optional(
    personalText("contact", "IP address of the signer, version 4 or 6.", {
      maxLength: 64,
      examples: ["203.0.113.7"],
    }),
  ),
});

/**
 * A fault where the address of the signer is no IP address. It holds the value, which the answer repeats to
 * its sender alone.
 */
const addressFaults = ({ ipAddress }: UncheckedFields): readonly RequestFault[] =>
  typeof ipAddress !== "string" || isIP(ipAddress) !== 0
    ? []
    : [wrong("ipAddress", `is ${JSON.stringify(ipAddress.slice(0, 64))}, and must be an IP address`)];

/**
 * A place is a country. A document may also state an organisation, a specimen or a person without a
 * nationality; a place may not.
 */
const countryFaults = ({ country: code }: UncheckedFields): readonly RequestFault[] =>
  typeof code === "string" && /^[A-Z]{3}$/.test(code) && !isIsoCountry(code)
    ? [wrong("country", "is no ISO 3166-1 alpha-3 code", validationCode.documentCountryUnsupported.code)]
    : [];

/**
 * Control characters, and those that turn the direction of the text around them (Unicode, UAX #9): the
 * statement would read otherwise.
 */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const cityFaults = ({ city }: UncheckedFields): readonly RequestFault[] =>
  typeof city === "string" && unseen.test(city)
    ? [wrong("city", "holds a control character, or one that turns the direction of the text")]
    : [];

const locationFaults = (place: unknown): readonly RequestFault[] => {
  if (typeof place !== "object" || place === null) return [];
  const fields: UncheckedFields = { ...place };
  return [...countryFaults(fields), ...cityFaults(fields), ...addressFaults(fields)].map((fault) => ({
    ...fault,
    field: `signingLocation.${fault.field}`,
  }));
};

/** POST /services/digitalSign */
export const digitalSignRoute = route({
  name: "digitalSign",
  method: "POST",
  path: "/services/digitalSign",
  scope: "signing",
  tag: "Signing",
  cost: 4,
  summary: "Signs a PDF",
  description:
    "Signs on the ground of a positive authentication of the same tenant and environment, by incremental update: earlier signatures " +
    "stay valid. The signature is PAdES baseline (B-LTA by default) with trusted time-stamps and what its validation needs. " +
    "It states who was authenticated, when, where and with which figures, in the signature dictionary and in the attached file " +
    "idem-statement.json. Signing again with the same authentication is allowed while it is young enough.",
  request: Type.Object({
    endUserContactInfo: personalText("contact", "E-mail address of the signer.", {
      minLength: 3,
      maxLength: 254,
      examples: ["anna@example.org"],
    }),
    file: file("document", "PDF to sign."),
    signingData: Type.Object({
      facialAuthenticationHash: text(
        "`facialAuthenticationHash` of the answer of a positive authentication (identity, authenticateFacial, authenticateUser).",
        {
          maxLength: 256,
          examples: ["0123456789ABCDEF".repeat(8)],
        },
      ),
      serviceTransactionId: text("The transaction of that answer.", {
        maxLength: 64,
        examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
      }),
    }),
    signingLocation: location,
    signingType: choice(["1"], "1 is the default signing: the level of the deployment. There is no other."),
    signatureData: Type.Optional(
      Type.Object(
        {
          handSignature: Type.Optional(
            base64(
              "signature",
              "Image of the handwritten signature, PNG (transparent or not) or JPEG. Absent: the visible signature has its lines alone.",
            ),
          ),
          pageNumber: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 100_000,
              description: "Page of the visible signature, counted from 1. Absent: the last page.",
              examples: [1],
            }),
          ),
          signatureFieldPosition: Type.Optional(
            text(
              "`x1,y1,x2,y2` in points (1/72 inch) from the lower left corner of the page as a viewer shows it, after its rotation: " +
                "lower left and upper right corner of the visible signature, at least 20 points wide and 10 high. " +
                "Absent: 36,36,236,96.",
              { maxLength: 100, examples: ["50,50,250,120"] },
            ),
          ),
        },
        { description: "Makes the signature visible. Absent or empty: an invisible signature." },
      ),
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    serviceTransactionId: envelope.serviceTransactionId,
    serviceResultCode: envelope.serviceResultCode,
    serviceResultLog: envelope.serviceResultLog,
    timestamp: envelope.timestamp,
    serviceDocument: writtenFile("The signed PDF."),
  }),
  failures: [
    "not_found",
    "transaction_not_positive",
    "transaction_too_old",
    "authentication_hash_wrong",
    "contact_unreadable",
    ...pdfFailures,
    "pdf_signing_forbidden",
    "pdf_signature_broken",
    "pdf_xfa_only",
    "pdf_damaged_and_signed",
    "pdf_page_missing",
    "pdf_position_outside",
    "pdf_position_small",
    "pdf_position_unreadable",
    "signature_image_unreadable",
    "signature_unproven",
    "timestamp_failed",
    "signer_unusable",
    "engine_busy",
    "engine_failed",
  ],
  rules: ({ signingLocation }) => locationFaults(signingLocation),
});

/** In the order of the docs page. */
export const signingRoutes: readonly Route[] = [digitalSignRoute];
