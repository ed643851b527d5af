import { Type } from "typebox";
import { civilCode, comparedFields, registryFields } from "./civil-code.ts";
import { registryCountries } from "./country.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields, facialResultField, outcomeField } from "./envelope.ts";
import { exampleToken } from "./example.ts";
import type { RequestFault, UncheckedFields } from "./request.ts";
import { isGiven, requiredWhen } from "./request-rule.ts";
import { validationCode } from "./validation-code.ts";
import { base64, choice, nullableText, personalText, similarity, tracking } from "./wire.ts";

const reported = nullableText("identity", "As reported by the registry.", null, {
  "x-name": "RegistryValue",
});

const civilServiceData = Type.Object(
  Object.fromEntries(registryFields.map((name) => [name, Type.Optional(reported)])),
  { description: "Only with returnPII. Which fields are present depends on the registry." },
);

const codes = Object.values(civilCode);

const civilDataValidation = Type.Array(
  Type.Object({
    field: choice(comparedFields, "A field of `civilServiceData`."),
    code: choice(
      codes.map(({ code }) => code),
      codes.map(({ code, message, meaning }) => `${code} ${message}: ${meaning}`).join(" "),
    ),
    message: choice(
      codes.map(({ message }) => message),
      "The code in words.",
    ),
  }),
  {
    description:
      "One entry for each field of which the call or the registry has a value. FACIAL compares no data: it has an entry only " +
      "where the registry does not have the person.",
  },
);

const images = "for platform WEB, and for FACIAL without documentNumber";
const captures = "for platform MOBILE, and for FACIAL without documentNumber";

/**
 * Conditional fields, in the order of the interface's table. documentNumber is never asked for: the table
 * requires it for FACIAL and states beside it what FACIAL needs without it (decision 0041). The use case asks
 * them again where a document gave the country, the number, the code or the sex.
 */
export const civilRules = (fields: UncheckedFields): readonly RequestFault[] => {
  const { operation, platform, countryCode } = fields;
  const hasNumber = isGiven(fields["documentNumber"]);
  const isFacial = operation === "FACIAL";
  const comparesFaces = isFacial || operation === "FULL";
  const isFacialWithoutNumber = isFacial && !hasNumber;
  const isMobile = platform === "MOBILE";
  const asksImages = platform === "WEB" || isFacialWithoutNumber;
  const faceCountry = countryCode === "ARG" || countryCode === "PAN";
  return [
    ...requiredWhen(fields, asksImages, "imageFrontDocument", images),
    ...requiredWhen(fields, asksImages, "imageBackDocument", images),
    ...requiredWhen(
      fields,
      platform === "WEB" || (isMobile && isFacial && hasNumber),
      "countryCode",
      "for platform WEB, and for FACIAL with documentNumber",
    ),
    ...requiredWhen(fields, isMobile || isFacialWithoutNumber, "tokenOcr", captures),
    ...requiredWhen(fields, comparesFaces && faceCountry, "bestImage", "for ARG and PAN"),
    ...requiredWhen(fields, comparesFaces, "templateRaw", "for FACIAL and FULL"),
    ...requiredWhen(fields, countryCode === "ECU", "documentCode", "for ECU"),
    ...requiredWhen(fields, countryCode === "ARG" && hasNumber, "gender", "for ARG with documentNumber"),
  ];
};

/** POST /services/civilValidation */
export const civilValidationRoute = route({
  name: "civilValidation",
  withoutExample: "it needs a registry that the operator configures",
  method: "POST",
  path: "/services/civilValidation",
  scope: "registry",
  tag: "Civil registries",
  cost: 6,
  summary: "Facial match and data validation against a civil registry",
  description:
    "Asks the civil registry of the country for the person with this number, once, and compares its data with the document, its " +
    "photo with the face, or both. WEB reads the two images, MOBILE the token of the capture. A value that is not sent is taken " +
    "from the document; where it gives the country, the number, the code or the sex, the rules of the request are asked again. " +
    "Each question stands in the evidence before it leaves.",
  request: Type.Object({
    operation: choice(
      ["FACIAL", "DATA", "FULL"],
      "FACIAL compares faces, DATA validates data, FULL does both.",
    ),
    platform: choice(["WEB", "MOBILE"], "Source of the images."),
    documentNumber: Type.Optional(
      personalText("identity", "Number of the document. FACIAL without it needs images and tokenOcr.", {
        maxLength: 64,
        examples: ["0912345675"],
      }),
    ),
    imageFrontDocument: Type.Optional(base64("document", `Front of the document; required ${images}.`)),
    imageBackDocument: Type.Optional(base64("document", `Back of the document; required ${images}.`)),
    countryCode: Type.Optional(
      choice(registryCountries, "Country of the registry.", {
        "x-code": validationCode.documentCountryUnsupported.code,
      }),
    ),
    tokenOcr: Type.Optional(
      base64("token", `Token of the mobile document widget; required ${captures}.`, {
        examples: [exampleToken("ocr")],
      }),
    ),
    bestImage: Type.Optional(base64("face", "Open best image; required for FACIAL and FULL in ARG and PAN.")),
    gender: Type.Optional(
      choice(["M", "F"], "Required for ARG with documentNumber.", { "x-personal": "identity" }),
    ),
    templateRaw: Type.Optional(
      base64(
        "template",
        "Template, or a face-image or best-image token: a person who comes for the first time has no template. Required for FACIAL and FULL.",
      ),
    ),
    documentCode: Type.Optional(
      personalText("identity", "Código dactilar, required for ECU; procedure number for ARG.", {
        maxLength: 64,
        examples: ["V3333V3222"],
      }),
    ),
    documentValidation: Type.Optional(
      Type.Boolean({ description: "Also start a document validation.", examples: [false] }),
    ),
    returnPII: Type.Optional(
      Type.Boolean({
        description: "Return personal data of document and registry. Without it neither is returned.",
        examples: [true],
      }),
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...envelopeFields("civilValidation"),
    civilDataValidation: Type.Optional(civilDataValidation),
    serviceFacialAuthenticationResult: Type.Optional(facialResultField),
    serviceFacialSimilarityResult: Type.Optional(similarity),
    serviceFacialAuthenticationHash: Type.Optional(
      Type.String({
        description:
          "Only where the faces are of one person: a keyed hash over the tenant, the transaction, its result numbers and the hashes " +
          "of its images, 128 upper-case hex characters. digitalSign takes it together with the transaction.",
        examples: ["0123456789ABCDEF".repeat(8)],
      }),
    ),
    serviceDocument: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "Only with returnPII and a document that was read: its fields, as extractDocumentDataWeb (WEB) or extractDocumentData " +
          "(MOBILE) answers them.",
        examples: [{ FirstName: "ANNA MARIA", LastName: "ERIKSSON", DocumentNumber: "0912345675" }],
        "x-personal": "document",
      }),
    ),
    civilServiceData: Type.Optional(civilServiceData),
    scanReference: Type.Optional(Type.String({ description: "With documentValidation." })),
    type: Type.Optional(Type.String({ description: "Will be removed.", deprecated: true })),
    outcome: Type.Optional(outcomeField),
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
    "registry_not_configured",
  ],
  inputs: {
    front: "imageFrontDocument",
    back: "imageBackDocument",
    capture: "tokenOcr",
    template: "templateRaw",
    bestImage: "bestImage",
  },
  rules: civilRules,
});

/** In the order of the docs page. */
export const civilValidationRoutes: readonly Route[] = [civilValidationRoute];
