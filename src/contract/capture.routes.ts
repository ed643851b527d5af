import { Type } from "typebox";
import type { Base64Parts } from "./base64.ts";
import { captureStepNames } from "./capture.ts";
import {
  documentAsked,
  expiresAt,
  level,
  pageFields,
  pageToken,
  pageUrl,
  sessionId,
  state,
  stepName,
  stepState,
  withoutExample,
} from "./capture-fields.ts";
import { addressFaults } from "./capture-origin.ts";
import { type Route, route } from "./endpoint.ts";
import { envelopeFields } from "./envelope.ts";
import { exampleToken } from "./example.ts";
import { type RequestFault, type UncheckedFields, wrong } from "./request.ts";
import { knownCountry } from "./request-rule.ts";
import { operationIdText, personalText, text, time } from "./wire.ts";

const scope = "capture";
const tag = "Capture";

const operationId = text(
  "Operation of the session: send it as `tracking.operationId` of the calls that use its tokens.",
  {
    examples: ["0f8fad5b-d9cb-469f-a165-70867728950e"],
  },
);

const doubledFaults = ({ steps }: UncheckedFields): readonly RequestFault[] =>
  Array.isArray(steps) && new Set(steps).size < steps.length
    ? [wrong("steps", "must not name a step twice")]
    : [];

const countryFaults = ({ document }: UncheckedFields): readonly RequestFault[] =>
  typeof document === "object" && document !== null
    ? knownCountry({ ...document }, "country").map((fault) => ({
        ...fault,
        field: `document.${fault.field}`,
      }))
    : [];

/** POST /capture/v1/sessions */
export const createCaptureRoute = route({
  name: "createCapture",
  withoutExample,
  method: "POST",
  path: "/capture/v1/sessions",
  scope,
  tag,
  summary: "Opens a capture session for a page",
  description:
    "Beyond the interface. Called by the integrator's backend, never by a page. `token` opens this session alone, for a page of " +
    "`origin`; give it to the page, or send the person to `url`. The session lives for a fixed time. Its operation is open from now on.",
  request: Type.Object({
    steps: Type.Array(stepName, {
      description: "What is captured, in this order.",
      minItems: 1,
      maxItems: captureStepNames.length,
      examples: [["face"]],
    }),
    customerId: Type.Optional(
      personalText("identity", "Your own name for the person, as in the events of the operation.", {
        minLength: 1,
        maxLength: 36,
        examples: ["customer-4711"],
      }),
    ),
    operationId: Type.Optional(operationIdText("Operation that the session joins; absent: a new one.")),
    level: Type.Optional(level),
    ...pageFields,
    document: Type.Optional(documentAsked),
  }),
  response: Type.Object({
    ...envelopeFields("createCapture"),
    sessionId,
    token: pageToken,
    url: pageUrl,
    expiresAt,
    operationId,
  }),
  shownOnce: {
    secrets: ["token", "url"],
    names: ["sessionId", "operationId"],
    next: "Cancel the session with POST /capture/v1/sessions/{sessionId}/cancel, then open another with a new Idempotency-Key.",
  },
  rules: (fields) => [...doubledFaults(fields), ...addressFaults(fields), ...countryFaults(fields)],
  failures: ["capture_paused"],
});

const token = (kind: Parameters<typeof exampleToken>[0], description: string) =>
  Type.Optional(
    Type.Unsafe<string | Base64Parts>(
      Type.String({
        description,
        contentEncoding: "base64",
        "x-personal": "token",
        examples: [exampleToken(kind)],
      }),
    ),
  );

const results = Type.Object(
  {
    bestImageToken: token("best-image", "Image of the face, for identity, authenticateUser and liveness."),
    templateRaw: token("template", "Template of the face, for the fields that take a template."),
    documentFront: token("document-image", "Image of the front, for extractDocumentDataWeb."),
    documentBack: token("document-image", "Image of the back."),
    tokenOcr: token("ocr", "Both sides, for extractDocumentData."),
    extraData: token("tracking", "Tracking token of the operation, for `tracking.extraData`."),
  },
  {
    description:
      "Tokens of the accepted steps, of this tenant alone. They state how they were captured. Absent before a step is accepted.",
    examples: [{ bestImageToken: exampleToken("best-image"), extraData: exampleToken("tracking") }],
  },
);

/** GET /capture/v1/sessions/{sessionId} */
export const showCaptureRoute = route({
  name: "showCapture",
  withoutExample,
  method: "GET",
  path: "/capture/v1/sessions/{sessionId}",
  scope,
  tag,
  summary: "Shows a capture session with its tokens",
  description:
    "Beyond the interface. A session of another tenant or environment answers as one that does not exist. The tokens have the age limits " +
    "of all tokens, counted from their capture.",
  request: Type.Object({ sessionId }),
  response: Type.Object({
    ...envelopeFields("showCapture"),
    sessionId,
    state,
    expiresAt,
    operationId,
    steps: Type.Array(stepState, {
      description: "The steps in their order.",
      examples: [[{ name: "face", state: "accepted", triesLeft: 2, level: "passive", source: "camera" }]],
    }),
    consent: Type.Optional(
      Type.Object(
        {
          version: text("Version of the text.", { examples: ["idem-1"] }),
          language: text("Language in which the text was shown.", { examples: ["es"] }),
          at: time("When the person consented."),
        },
        {
          description: "Absent before the consent.",
          examples: [{ version: "idem-1", language: "es", at: "2026-11-21T09:30:00.000Z" }],
        },
      ),
    ),
    results: Type.Optional(results),
  }),
  failures: ["not_found", "stored_damaged", "stored_newer"],
});

/** POST /capture/v1/sessions/{sessionId}/cancel */
export const cancelCaptureRoute = route({
  name: "cancelCapture",
  withoutExample,
  method: "POST",
  path: "/capture/v1/sessions/{sessionId}/cancel",
  scope,
  tag,
  summary: "Ends a capture session",
  description:
    "Beyond the interface. What was accepted stays. A session that has ended stays as it is, and is shown: a repeated call is no fault.",
  request: Type.Object({ sessionId }),
  response: Type.Object({ ...envelopeFields("cancelCapture"), sessionId, state }),
  failures: ["not_found"],
});

/** In the order of the docs page. */
export const captureRoutes: readonly Route[] = [createCaptureRoute, showCaptureRoute, cancelCaptureRoute];
