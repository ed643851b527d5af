import { Type } from "typebox";
import { level, pageFields, sessionId } from "./capture-fields.ts";
import { addressFaults } from "./capture-origin.ts";
import { singleSidedTypes } from "./document-type.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleImage, exampleToken } from "./example.ts";
import type { FailureCode } from "./failure.ts";
import { missing, type RequestFault, type UncheckedFields, wrong } from "./request.ts";
import { isGiven, knownCountry, requiredWhen } from "./request-rule.ts";
import { userId } from "./user-id.ts";
import { documentFlows, selfieFlows, type VerificationFlow, verificationFlows } from "./verification.ts";
import { expectedDocument, flow, verificationAnswer, verificationId } from "./verification-fields.ts";
import { base64, operationIdText, personalText } from "./wire.ts";

const scope = "verification";
const tag = "Verifications";

const imageFields = ["selfie", "documentFront", "documentBack"] as const;
const sources = ["captureSessionId", "capture"] as const;

const flowOf = ({ flow: named }: UncheckedFields): VerificationFlow | undefined =>
  verificationFlows.find((one) => one === named);

const isObject = (value: unknown): value is UncheckedFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that the flow does not use: a caller who sends one expects something else. */
const strayFaults = (fields: UncheckedFields, named: VerificationFlow): readonly RequestFault[] => {
  const stray: readonly (readonly [string, boolean])[] = [
    ["selfie", !selfieFlows.includes(named)],
    ["documentFront", !documentFlows.includes(named)],
    ["documentBack", !documentFlows.includes(named)],
    ["document", !documentFlows.includes(named)],
    ["userId", named !== "selfie_of_user"],
    ["age", named !== "age_over"],
    ["level", !selfieFlows.includes(named)],
  ];
  return stray
    .filter(([field, isStray]) => isStray && isGiven(fields[field]))
    .map(([field]) => wrong(field, `is not used by the flow ${named}`));
};

/** Images come from one source: own images, a session that exists, or a session that is opened now. */
const sourceFaults = (fields: UncheckedFields, named: VerificationFlow): readonly RequestFault[] => {
  const chosen = sources.filter((source) => isGiven(fields[source]));
  const [source, second] = chosen;
  if (second !== undefined) return [wrong(second, `must be absent where ${source} is given`)];
  if (source !== undefined) {
    return imageFields
      .filter((field) => isGiven(fields[field]))
      .map((field) => wrong(field, `must be absent where ${source} is given`));
  }
  const { document } = fields;
  const type = isObject(document) ? document["type"] : undefined;
  const isTwoSided = typeof type === "string" && !singleSidedTypes.includes(type);
  const hasDocument = documentFlows.includes(named);
  const when = "without captureSessionId and capture";
  return [
    ...requiredWhen(fields, selfieFlows.includes(named), "selfie", when),
    ...requiredWhen(fields, hasDocument, "documentFront", when),
    ...requiredWhen(fields, hasDocument && isTwoSided, "documentBack", "for documents with two sides"),
  ];
};

const neededFaults = (fields: UncheckedFields, named: VerificationFlow): readonly RequestFault[] => [
  ...(documentFlows.includes(named) && !isGiven(fields["document"])
    ? [missing("document", `is required for the flow ${named}`)]
    : []),
  ...requiredWhen(fields, named === "selfie_of_user", "userId", "for the flow selfie_of_user"),
  ...requiredWhen(fields, named === "age_over", "age", "for the flow age_over"),
];

const within = (field: string, faults: readonly RequestFault[]): readonly RequestFault[] =>
  faults.map((fault) => ({ ...fault, field: `${field}.${fault.field}` }));

const placeFaults = ({ document, capture, captureSessionId, operationId }: UncheckedFields) => [
  ...(isObject(document) ? within("document", knownCountry(document, "country")) : []),
  ...(isObject(capture) ? within("capture", addressFaults(capture)) : []),
  ...(isGiven(captureSessionId) && isGiven(operationId)
    ? [wrong("operationId", "must be absent where captureSessionId is given: the session has an operation")]
    : []),
];

const imageFailures = [
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "token_unreadable",
  "token_wrong_kind",
  "token_expired",
  "liveness_level_too_low",
  "user_unknown",
  "user_paused",
  "user_disabled",
  "not_found",
  "capture_ended",
  "capture_expired",
  "capture_steps_missing",
  "capture_paused",
  "engine_busy",
  "engine_failed",
] as const satisfies FailureCode[];

/** POST /verify/v1/verifications */
export const createVerificationRoute = route({
  name: "createVerification",
  method: "POST",
  path: "/verify/v1/verifications",
  scope,
  tag,
  cost: 10,
  summary: "Verifies a person in one call",
  description:
    "Beyond the interface. One call in place of documentValidation, extractDocumentDataWeb and identity (or authenticateUser), with the same " +
    "judgements, records, events and evidence. Images come with the call, from a capture session that exists, or from one that is opened now. " +
    "The answer comes at once; ask for the verification until `nextStep` is neither wait nor wait_for_review. A restart of the service " +
    "loses nothing. The operation stays open for finishTracking.",
  inputs: { selfie: "selfie", front: "documentFront", back: "documentBack", session: "captureSessionId" },
  request: Type.Object(
    {
      flow,
      customerId: Type.Optional(
        personalText("identity", "Your own name for the person, as in the events of the operation.", {
          minLength: 1,
          maxLength: 36,
          examples: ["customer-4711"],
        }),
      ),
      operationId: Type.Optional(
        operationIdText("Operation that the verification joins; absent: a new one."),
      ),
      level: Type.Optional(level),
      document: Type.Optional(expectedDocument),
      userId: Type.Optional(userId),
      age: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 120,
          description: "Years that the holder must have.",
          examples: [18],
        }),
      ),
      selfie: Type.Optional(
        base64("face", "Best image of the face, as a token; a test key may send an open image."),
      ),
      documentFront: Type.Optional(
        base64("document", "Image of the front, or its token of a capture session."),
      ),
      documentBack: Type.Optional(
        base64("document", "Image of the back, or its token; not needed for PASSPORT and VISA."),
      ),
      captureSessionId: Type.Optional(sessionId),
      capture: Type.Optional(
        Type.Object(pageFields, {
          description:
            "Opens a capture session for the images of the flow, whose page address the answer has.",
          examples: [{ languages: ["es"] }],
        }),
      ),
    },
    {
      examples: [
        {
          flow: "document_and_selfie",
          customerId: "customer-4711",
          document: { country: "CHL", type: "PASSPORT" },
          selfie: exampleToken("best-image"),
          documentFront: exampleImage,
        },
      ],
    },
  ),
  response: Type.Object({ ...envelopeFields("createVerification"), ...verificationAnswer }),
  shownOnce: {
    secrets: ["capture.token", "capture.url"],
    names: ["verificationId", "capture.sessionId", "operationId"],
    next:
      "Cancel its session with POST /capture/v1/sessions/{sessionId}/cancel, then create another verification with a new " +
      "Idempotency-Key.",
  },
  failures: imageFailures,
  rules: (fields) => {
    const named = flowOf(fields);
    if (named === undefined) return placeFaults(fields);
    return [
      ...strayFaults(fields, named),
      ...neededFaults(fields, named),
      ...sourceFaults(fields, named),
      ...placeFaults(fields),
    ];
  },
});

/** GET /verify/v1/verifications/{verificationId} */
export const showVerificationRoute = route({
  name: "showVerification",
  method: "GET",
  path: "/verify/v1/verifications/{verificationId}",
  scope,
  tag,
  summary: "Shows a verification",
  description:
    "Beyond the interface. One object with capture, face, document, decision, reasons and next step. A verification of another tenant or " +
    "environment answers as one that does not exist.",
  request: Type.Object({ verificationId }),
  response: Type.Object({ ...envelopeFields("showVerification"), ...verificationAnswer }),
  failures: ["not_found", "stored_damaged", "stored_newer"],
});

/** In the order of the docs page. */
export const verificationRoutes: readonly Route[] = [createVerificationRoute, showVerificationRoute];
