import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import {
  authenticationHashField,
  facialResultField,
  livenessResultField,
  outcomeField,
  serviceRan,
  userEnvelopeFields,
} from "./envelope.ts";
import type { FailureCode } from "./failure.ts";
import type { UncheckedFields } from "./request.ts";
import { isGiven, requiredWhen } from "./request-rule.ts";
import {
  authenticateUserResult,
  updateUserTemplateResult,
  updateUserTemplateStatuses,
} from "./result-code.ts";
import { userId, userIdLengths } from "./user-id.ts";
import {
  base64,
  fmrAtScore,
  operationIdText,
  personalText,
  similarity,
  tracking,
  trackingToken,
} from "./wire.ts";

const tag = "Users";
const failures = [
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
  "token_replayed",
  "liveness_level_too_low",
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "engine_busy",
  "engine_failed",
  "stored_damaged",
  "stored_newer",
  "user_paused",
  "user_disabled",
] as const satisfies FailureCode[];

const description =
  "The first call for a userId enrols it where the person is live and matches the reference, " +
  "registeredTemplateRaw or image; later calls compare the person with the registered template, after a check that the reference " +
  "belongs to the user. serviceResultCode: 0 authenticated, -100 the template (or image) does not match the " +
  "identifier, -101 not a living person, -102 the templates do not match. In version 2, outcome separates evidence " +
  "against the person (rejected) from a missing comparison (retry): an image without a usable face " +
  "is answered with -102 at a first call and with -100 later. A best image that is no image within the " +
  "limits is answered too, with -101 (serviceLivenessResult 9 in version 2); such a reference is refused " +
  "(422). After five failed attempts in a row a user " +
  "is paused for 30 seconds (429), after 50 disabled until the operator acts (403). A template in place of " +
  "bestImageToken holds no image for liveness: it answers -101 unless the operator accepts it.";

const authenticateRequest = Type.Object({
  userId,
  registeredTemplateRaw: Type.Optional(
    base64(
      "template",
      "Registered template; mandatory when image is absent, which is used only without it. A face-image token, of any age, or " +
        "a best-image token is accepted in its place.",
    ),
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
  ...userEnvelopeFields(authenticateUserResult.authenticated.log),
  serviceFacialSimilarityResult: similarity,
  fmrAtScore,
  merchantReferenceId: personalText("identity", "Your reference.", {
    examples: ["login-2026-11-21-0815"],
  }),
  enrolmentRefusal: Type.Optional(
    Type.Enum(["ALREADY_REGISTERED", "BLACKLISTED_FACE_TEMPLATE"], {
      "x-name": "EnrolmentRefusal",
      description:
        "Additional field, with -100 on a first call: one-to-many search matched the face under another userId, or on the " +
        "operator's block list. A reason for finishTracking.",
    }),
  ),
  facialAuthenticationHash: authenticationHashField,
  registeredTemplateRaw: Type.Optional(
    base64("template", "The registered template for later authentications; for a caller without one."),
  ),
};

/** The registered template and the best image come first; the others count only where these are absent. */
const authenticateInputs = {
  reference: ["registeredTemplateRaw", "image"],
  probe: ["bestImageToken", "template"],
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
  description,
  inputs: authenticateInputs,
  oneUseToken: "bestImageToken",
  request: authenticateRequest,
  response: Type.Object(authenticateFields),
  failures: [...failures, "template_outdated", "search_unavailable"],
  rules: authenticateRules,
});

const listedUsers = (text: string, example: readonly string[]) =>
  Type.Array(Type.String(), { description: text, "x-personal": "identity", examples: [[...example]] });

/** DELETE /services/authenticateUser */
export const deleteUsersRoute = route({
  name: "deleteUsers",
  method: "DELETE",
  path: "/services/authenticateUser",
  scope: "user",
  tag,
  summary: "Deletes registered users",
  description:
    "Deletes all named users that are registered in one step, with their templates and the keys that sealed " +
    "them. A user who is not registered is no error. The log holds the counts, the lists the names.",
  request: Type.Object({
    userIds: Type.Array(Type.String(userIdLengths), {
      description: "Users to delete. An empty or missing list deletes no one and is refused.",
      minItems: 1,
      maxItems: 1000,
      "x-personal": "identity",
      examples: [["user-4711"]],
    }),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...userEnvelopeFields(`${serviceRan("authenticateUser")}: 1 deleted, 0 not found`),
    deletedUserIds: listedUsers("Additional field: the users that were deleted.", ["user-4711"]),
    notFoundUserIds: listedUsers("Additional field: the users that were not registered.", []),
  }),
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
  description,
  inputs: authenticateInputs,
  oneUseToken: "bestImageToken",
  request: authenticateRequest,
  response: Type.Object({
    ...authenticateFields,
    serviceFacialAuthenticationLog: Type.String({ examples: ["Positive"] }),
    serviceFacialAuthenticationResult: facialResultField,
    serviceLivenessResult: livenessResultField,
    serviceLivenessLog: Type.String({ examples: ["Live"] }),
    outcome: outcomeField,
  }),
  failures: [...failures, "template_outdated", "search_unavailable"],
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
    "serviceResultCode: 0 replaced, -100 the old template does not match the identifier: it shows another face (401), " +
    "-102 the old template shows this user's face but is not the registered one (401), -103 user not found (400). The new " +
    "template must show the same person. The old template may belong to an older recogniser: this call moves users to a new one.",
  statuses: updateUserTemplateStatuses,
  inputs: { old: "oldRegisteredTemplateRaw", reference: "newRegisteredTemplateRaw" },
  request: Type.Object({
    userId,
    oldRegisteredTemplateRaw: base64("template", "The currently registered template."),
    newRegisteredTemplateRaw: base64(
      "template",
      "The template for later authentications. A face-image or best-image token is accepted in its place.",
    ),
    extraData: Type.Optional(trackingToken("Token of the capture SDK with tracking information.")),
    operationId: Type.Optional(operationIdText("Operation identifier of the capture SDK.")),
    tracking: Type.Optional(tracking),
  }),
  response: Type.Object({
    ...userEnvelopeFields(updateUserTemplateResult.updated.log),
    registeredTemplateRaw: Type.Optional(
      base64("template", "Additional field: the new template, for a caller who sent a face-image token."),
    ),
  }),
  failures: [
    ...failures.filter((code) => code !== "token_replayed" && code !== "liveness_level_too_low"),
    "template_unusable",
    "template_mismatch",
    "search_unavailable",
  ],
});

/** In the order of the docs page. */
export const userRoutes: readonly Route[] = [
  authenticateUserRoute,
  authenticateUserV2Route,
  deleteUsersRoute,
  updateUserTemplateRoute,
];
