import { Type } from "typebox";
import { route, type UncheckedFields } from "./endpoint.ts";
import { outcomeField, transactionFields, userEnvelopeFields } from "./envelope.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import type { FailureCode } from "./failure.ts";
import { livenessNumber } from "./liveness.ts";
import { isGiven, requiredWhen } from "./request-rule.ts";
import { base64, numberOf, personalText, similarity, tracking } from "./wire.ts";

const tag = "Users";
const userId = personalText("identity", "Your unique identifier of the user; persisted with the template.", {
  minLength: 2,
  maxLength: 256,
  examples: ["user-4711"],
});
const failures = [
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
  "token_replayed",
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "engine_busy",
  "engine_failed",
] as const satisfies FailureCode[];

const authenticateRequest = Type.Object({
  userId,
  registeredTemplateRaw: Type.Optional(
    base64("template", "Registered template; mandatory when image is absent."),
  ),
  image: Type.Optional(
    base64("face", "Image of a civil registry; mandatory when registeredTemplateRaw is absent."),
  ),
  bestImageToken: Type.Optional(
    base64("token", "Tokenized best image of this authentication; mandatory when template is absent."),
  ),
  template: Type.Optional(base64("template", "Template; mandatory when bestImageToken is absent.")),
  merchantReferenceId: personalText(
    "identity",
    "Your reference of this authentication; should not hold personal data.",
    {
      minLength: 1,
      maxLength: 256,
      examples: ["login-2026-11-21-0815"],
    },
  ),
  tracking: Type.Optional(tracking),
});

const authenticateRules = (fields: UncheckedFields) => [
  ...requiredWhen(fields, !isGiven(fields["image"]), "registeredTemplateRaw", "when image is absent"),
  ...requiredWhen(fields, !isGiven(fields["template"]), "bestImageToken", "when template is absent"),
];

const authenticateFields = {
  ...userEnvelopeFields,
  serviceFacialSimilarityResult: similarity,
  merchantReferenceId: personalText("identity", "Your reference.", {
    examples: ["login-2026-11-21-0815"],
  }),
  registeredTemplateRaw: Type.Optional(base64("template", "Template for later authentications.")),
};

/** POST /services/authenticateUser */
export const authenticateUserRoute = route({
  name: "authenticateUser",
  method: "POST",
  path: "/services/authenticateUser",
  scope: "user",
  tag,
  cost: 4,
  summary: "Liveness and facial match of a user",
  description:
    "The first call for a userId establishes it. serviceResultCode: 0 authenticated, -100 the template does not " +
    "match the identifier, -101 not a living person, -102 the templates do not match.",
  request: authenticateRequest,
  response: Type.Object(authenticateFields),
  failures,
  rules: authenticateRules,
});

/** DELETE /services/authenticateUser */
export const deleteUsersRoute = route({
  name: "deleteUsers",
  method: "DELETE",
  path: "/services/authenticateUser",
  scope: "user",
  tag,
  summary: "Deletes registered users",
  request: Type.Object({
    userIds: Type.Array(Type.String({ minLength: 2, maxLength: 256 }), {
      description: "Users to delete. An empty or missing list deletes no one and is refused.",
      minItems: 1,
      maxItems: 1000,
      "x-personal": "identity",
      examples: [["user-4711"]],
    }),
  }),
  response: Type.Object(userEnvelopeFields),
  failures: [],
});

/** POST /services/authenticateUser/v2 */
export const authenticateUserV2Route = route({
  name: "authenticateUserV2",
  method: "POST",
  path: "/services/authenticateUser/v2",
  scope: "user",
  tag,
  cost: 4,
  summary: "Liveness and facial match of a user, with both results",
  request: authenticateRequest,
  response: Type.Object({
    ...authenticateFields,
    serviceFacialAuthenticationLog: Type.String({ examples: ["Positive"] }),
    serviceFacialAuthenticationResult: numberOf(
      facialAuthenticationNumber,
      "Comparison; 3 is the same person",
      3,
    ),
    serviceLivenessResult: numberOf(livenessNumber, "Liveness; 3 is a living person", 3),
    serviceLivenessLog: Type.String({ examples: ["Live"] }),
    outcome: outcomeField,
  }),
  failures,
  rules: authenticateRules,
});

/** POST /services/updateUserTemplate */
export const updateUserTemplateRoute = route({
  name: "updateUserTemplate",
  method: "POST",
  path: "/services/updateUserTemplate",
  scope: "user",
  tag,
  cost: 2,
  summary: "Replaces the template of a user",
  description:
    "serviceResultCode: 0 replaced, -100 the old template does not match the identifier (401), -102 the old " +
    "template is not the registered one (401), -103 user not found (400).",
  request: Type.Object({
    userId,
    oldRegisteredTemplateRaw: base64("template", "The template registered now."),
    newRegisteredTemplateRaw: base64("template", "The template for later authentications."),
    extraData: Type.Optional(base64("token", "Token of the capture SDK with tracking information.")),
    operationId: Type.Optional(
      Type.String({ description: "Operation identifier of the capture SDK.", maxLength: 128 }),
    ),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({ ...transactionFields, ...userEnvelopeFields }),
  failures: ["token_unreadable", "token_wrong_kind", "token_expired", "engine_busy", "engine_failed"],
});
