import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import {
  authenticationHashField,
  envelopeFields,
  facialResultField,
  livenessResultField,
  outcomeField,
  transactionFields,
} from "./envelope.ts";
import { faceQualityComponents } from "./face-quality.ts";
import type { FailureCode } from "./failure.ts";
import { base64, choice, fmrAtScore, similarity, text, tracking } from "./wire.ts";

const tag = "Faces";
const imageFailures = [
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
] as const satisfies FailureCode[];
const tokenFailures = [
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
] as const satisfies FailureCode[];
const bestImageToken = base64("token", "Tokenized best image of the capture widget.");

/** POST /onboarding/v2/identity */
export const identityRoute = route({
  name: "identity",
  method: "POST",
  path: "/onboarding/v2/identity",
  scope: "face",
  tag,
  cost: 4,
  summary: "Passive liveness and comparison of two faces",
  description:
    "Compares a reference face with the tokenized best image of the capture widget and judges whether the best " +
    "image shows a living person. A negative result is an answer (HTTP 200), not an error. So is a best " +
    "image that cannot be decoded (passiveLivenessResult 9); an undecodable reference is refused (422).",
  inputs: { reference: "token1", bestImage: "bestImageToken" },
  oneUseToken: "bestImageToken",
  request: Type.Object({
    token1: base64(
      "face",
      "Reference: an open image for method 3, a token of a face image for method 5. A face-image token has no age limit here; a " +
        "best-image token is taken too.",
    ),
    bestImageToken,
    method: choice(
      ["3", "5"],
      "3: token1 is an open image. 5: token1 is a face-image token. Both are compared with bestImageToken.",
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...envelopeFields("identity"),
    facialAuthenticationResult: facialResultField,
    facialAuthenticationLog: Type.String({
      description: "Event value of the comparison.",
      examples: ["Positive"],
    }),
    facialAuthenticationSimilarity: similarity,
    fmrAtScore,
    passiveLivenessResult: livenessResultField,
    passiveLivenessLog: Type.String({ description: "Event value of the liveness.", examples: ["Live"] }),
    outcome: outcomeField,
    facialAuthenticationHash: authenticationHashField,
  }),
  failures: [...tokenFailures, "token_replayed", "liveness_level_too_low", ...imageFailures, "engine_busy"],
});

/** POST /services/authenticateFacial */
export const authenticateFacialRoute = route({
  name: "authenticateFacial",
  method: "POST",
  path: "/services/authenticateFacial",
  scope: "face",
  tag,
  cost: 3,
  summary: "Comparison of two faces without liveness",
  description:
    "Compares two faces, each given as an open image, a face-image token or a template token. No liveness is " +
    "judged: a call that decides on a person should use /onboarding/v2/identity.",
  inputs: { first: "token1", second: "token2" },
  request: Type.Object({
    token1: base64(
      "face",
      "First face: image (methods 1, 3), template token (2) or face-image token (4, 5), in whose place a best-image token is taken too.",
    ),
    token2: base64("face", "Second face: image (methods 1, 4) or template token (methods 2, 3, 5)."),
    method: choice(
      ["1", "2", "3", "4", "5"],
      "1 image and image, 2 template and template, 3 image and template, 4 face-image token and image, " +
        "5 face-image token and template.",
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...envelopeFields("authenticateFacial"),
    serviceFacialAuthenticationResult: facialResultField,
    serviceFacialAuthenticationLog: Type.String({ description: "Event value.", examples: ["Positive"] }),
    serviceFacialSimilarityResult: similarity,
    fmrAtScore,
    outcome: outcomeField,
    facialAuthenticationHash: authenticationHashField,
  }),
  failures: [...tokenFailures, ...imageFailures, "engine_busy"],
});

const livenessResponse = Type.Object({
  ...envelopeFields("evaluatePassiveLiveness"),
  serviceResultLog: Type.String({ description: "Event value of the liveness.", examples: ["Live"] }),
  serviceLivenessResult: livenessResultField,
  outcome: outcomeField,
});

/** POST /services/evaluatePassiveLiveness */
export const evaluatePassiveLivenessRoute = route({
  name: "evaluatePassiveLiveness",
  method: "POST",
  path: "/services/evaluatePassiveLiveness",
  scope: "face",
  tag,
  cost: 2,
  summary: "Passive liveness of an open face image",
  description:
    "An attack is an answer (HTTP 200, serviceResultCode 0, serviceLivenessResult 17). So is an image that cannot be " +
    "decoded, whatever its format, or has too many pixels (serviceLivenessResult 9). An image with too many bytes is refused " +
    "before (422).",
  request: Type.Object({
    imageBuffer: base64("face", "Open face image: JPEG or PNG, or beyond the interface WebP or AVIF."),
    tracking: Type.Optional(tracking),
  }),
  response: livenessResponse,
  failures: ["image_too_large", "liveness_level_too_low", "engine_busy"],
});

/** POST /services/evaluatePassiveLivenessToken */
export const evaluatePassiveLivenessTokenRoute = route({
  name: "evaluatePassiveLivenessToken",
  method: "POST",
  path: "/services/evaluatePassiveLivenessToken",
  scope: "face",
  tag,
  cost: 2,
  summary: "Passive liveness of a tokenized best image",
  description:
    "An attack is an answer. So is an image that cannot be decoded, or has too many pixels or bytes " +
    "(serviceLivenessResult 9). One call of this kind judges a token; the same request again gets its answer.",
  inputs: { bestImage: "imageBuffer" },
  oneUseToken: "imageBuffer",
  request: Type.Object({
    imageBuffer: base64("token", "Tokenized best image of the capture widget."),
    tracking: Type.Optional(tracking),
  }),
  response: livenessResponse,
  failures: [...tokenFailures, "token_replayed", "liveness_level_too_low", "engine_busy"],
});

const percentOf = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

const faceQuality = Type.Union(
  [
    Type.Object({
      score: percentOf("Suitability of the image for a comparison."),
      components: Type.Array(
        Type.Object({
          name: choice(faceQualityComponents, "Component of ISO/IEC 29794-5."),
          value: Type.Union([percentOf("0 bad, 100 good."), Type.Null()]),
        }),
      ),
    }),
    Type.Null(),
  ],
  {
    description:
      "Additional field. Quality of the image by components of ISO/IEC 29794-5; api/face-quality.md explains " +
      "each. A value is null where the image does not allow its measurement, the whole object where there is no face.",
    examples: [
      {
        score: 93,
        components: faceQualityComponents.map((name) => ({ name, value: name === "mouthClosed" ? 71 : 96 })),
      },
    ],
  },
);

/** POST /services/extractFacial */
export const extractFacialRoute = route({
  name: "extractFacial",
  method: "POST",
  path: "/services/extractFacial",
  scope: "face",
  tag,
  cost: 2,
  summary: "Estimates of age, glasses, gender and eye distance",
  inputs: { face: "tokenBuffer" },
  request: Type.Object({ tokenBuffer: base64("face", "Face image, open or tokenized.") }),
  response: Type.Object({
    ...envelopeFields("extractFacial"),
    serviceFacialExtractionResult: Type.String({
      description:
        "JSON text: age (integer), ageInterval (additional field: from, to, coverage), glasses (Eye; Sun for lenses that " +
        "hide the eyes; None for a bare face; null where it is unsure), gender (Male, Female; None where unsure or without a face), iod (pixels between the " +
        "pupils), faceConfidence (0 to 1). Values are estimates; age and iod are absent, and glasses is null, where " +
        "they could not be estimated. ageInterval was chosen to hold the true age of 90 % of adults with such an estimate, in " +
        "whole years; it is absent under 20 and from 70 on, where too few faces were measured. Neither the age nor its " +
        "interval is an age gate: the mean error is some six years, the interval was not measured on children, and of 13 to " +
        "17 year olds only about one in four is estimated under 18. Take an age limit from a document's birth date.",
      "x-personal": "face",
      examples: [
        '{"age":34,"ageInterval":{"from":23,"to":47,"coverage":0.9},"glasses":"None","gender":"Female","iod":112,"faceConfidence":0.98}',
      ],
    }),
    faceQuality,
  }),
  failures: [...tokenFailures, ...imageFailures, "engine_busy", "engine_failed"],
});

/** POST /services/detokenize */
export const detokenizeRoute = route({
  name: "detokenize",
  method: "POST",
  path: "/services/detokenize",
  scope: "token",
  tag,
  summary: "The open image of a token that the identity endpoint judged",
  description:
    "Opens the token that the named transaction used. A transaction of another tenant, of the other environment (live " +
    "or test), or one that used another token, is not found. Each opening is a transaction of its own.",
  inputs: { bestImage: "bestImageToken" },
  request: Type.Object({
    bestImageToken: base64("token", "The token that was sent to the identity endpoint."),
    transactionId: text("serviceTransactionId of the identity answer.", {
      maxLength: 64,
      examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
    }),
  }),
  response: Type.Object({
    ...transactionFields,
    imageBuffer: base64("face", "The open image."),
  }),
  failures: ["token_unreadable", "token_wrong_kind", "not_found"],
});

/** In the order of the docs page. */
export const faceRoutes: readonly Route[] = [
  identityRoute,
  authenticateFacialRoute,
  evaluatePassiveLivenessRoute,
  evaluatePassiveLivenessTokenRoute,
  extractFacialRoute,
  detokenizeRoute,
];
