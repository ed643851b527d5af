import { type Static, Type } from "typebox";
import { captureResults, pieceBytesMax } from "./capture.ts";
import {
  ahead,
  challengeShape,
  consent,
  language,
  pageKey,
  pageState,
  side,
  source,
  stepName,
  uploadId,
  withoutExample,
} from "./capture-fields.ts";
import { type Route, route } from "./endpoint.ts";
import { guidanceCodes } from "./guidance.ts";
import { pageKeyFaults } from "./page-key.ts";
import { base64, choice, text, time } from "./wire.ts";

/** What every call of a page has in common: its credential is the token of the session, never an API key. */
const page = {
  scope: "capture",
  credential: "session",
  tag: "Capture page",
  withoutExample,
} as const satisfies Partial<Route>;

const beyond =
  "Beyond the interface, for the page that captures: `Authorization: Bearer` with the token of the session. The header Origin must be the session's.";

/** Failures of every call of a page that changes its session. */
const changing = [
  "capture_origin_refused",
  "capture_expired",
  "capture_ended",
  "capture_not_opened",
  "capture_open_elsewhere",
] as const satisfies Route["failures"];

const offset = Type.Integer({
  minimum: 0,
  description: "The next byte that the service needs.",
  examples: [0],
});
const bounded = (description: string, example: string) =>
  Type.Optional(text(description, { maxLength: 200, examples: [example] }));
const measure = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description, examples: [example] }));

/** POST /capture/v1/page/open */
export const openPageRoute = route({
  ...page,
  name: "openCapturePage",
  method: "POST",
  path: "/capture/v1/page/open",
  summary: "Opens the session in a page",
  description: `${beyond} Binds the session to the key of the page. Another page is refused, unless it takes over before an image is accepted.`,
  request: Type.Object({
    pageKey,
    language: Type.Optional(language),
    device: Type.Optional(
      Type.Object(
        {
          agent: bounded("Name of the browser.", "Firefox 145"),
          platform: bounded("Name of the system.", "Android 16"),
          camera: bounded("Label of the camera.", "Front camera"),
          width: measure("Pixels of the camera image across.", 1280),
          height: measure("Pixels of the camera image from top to bottom.", 720),
          framesPerSecond: measure("Frames of the camera in a second.", 30),
        },
        { description: "Recorded as risk signals, never decisive.", examples: [{ camera: "Front camera" }] },
      ),
    ),
    takeOver: Type.Optional(
      Type.Boolean({
        description: "Takes the session from another page. Its challenge and uploads are void.",
        examples: [false],
      }),
    ),
  }),
  response: pageState,
  rules: pageKeyFaults,
  failures: [
    "capture_origin_refused",
    "capture_expired",
    "capture_ended",
    "capture_open_elsewhere",
    "capture_bound",
  ],
});

/** GET /capture/v1/page */
export const showPageRoute = route({
  ...page,
  name: "showCapturePage",
  method: "GET",
  path: "/capture/v1/page",
  summary: "Shows the session to its page",
  description: `${beyond} Also of a session that has ended.`,
  request: Type.Object({}),
  response: pageState,
  failures: ["capture_origin_refused"],
});

/** POST /capture/v1/page/consent */
export const consentRoute = route({
  ...page,
  name: "consentToCapture",
  method: "POST",
  path: "/capture/v1/page/consent",
  summary: "Records the consent of the person",
  description: `${beyond} No image is accepted before it.`,
  request: Type.Object({
    version: consent.version,
    accepted: Type.Boolean({
      description: "true: the person has consented. false ends the session.",
      examples: [true],
    }),
  }),
  response: pageState,
  failures: [...changing, "capture_consent_outdated"],
});

/** POST /capture/v1/page/challenge */
export const challengeRoute = route({
  ...page,
  name: "challengeCapture",
  method: "POST",
  path: "/capture/v1/page/challenge",
  summary: "Makes the challenge of a face",
  description: `${beyond} It replaces an earlier one, and serves one upload of this page.`,
  request: Type.Object({}),
  response: challengeShape,
  failures: [
    ...changing,
    "capture_consent_missing",
    "capture_step_refused",
    "capture_uploads_exhausted",
    "capture_paused",
  ],
});

/** POST /capture/v1/page/uploads */
export const beginUploadRoute = route({
  ...page,
  name: "beginUpload",
  method: "POST",
  path: "/capture/v1/page/uploads",
  summary: "Begins an upload",
  description: `${beyond} The same announcement again gets the same upload, with the offset that it has reached.`,
  request: Type.Object({
    step: stepName,
    side: Type.Optional(side),
    bytes: Type.Integer({
      minimum: 1,
      maximum: 67_108_864,
      description: "Length of the whole upload.",
      examples: [900],
    }),
    sha256: text("SHA-256 of the whole upload, hexadecimal.", {
      pattern: "^[0-9a-f]{64}$",
      maxLength: 64,
      examples: ["0".repeat(64)],
    }),
    source,
  }),
  response: Type.Object({ uploadId, offset }),
  failures: [
    ...changing,
    "capture_consent_missing",
    "capture_step_refused",
    "capture_challenge_missing",
    "capture_uploads_exhausted",
    "capture_paused",
    "image_too_large",
  ],
});

/** POST /capture/v1/page/uploads/{uploadId}/pieces */
export const uploadPieceRoute = route({
  ...page,
  name: "uploadPiece",
  method: "POST",
  path: "/capture/v1/page/uploads/{uploadId}/pieces",
  summary: "Sends a piece of an upload",
  description: `${beyond} A piece that the service has already is answered with the offset that it has reached.`,
  request: Type.Object({
    uploadId,
    offset: Type.Integer({
      minimum: 0,
      maximum: 67_108_864,
      description: "Place of the piece in the upload.",
      examples: [0],
    }),
    data: base64("face", `At most ${pieceBytesMax} bytes.`, { "x-bytes": pieceBytesMax }),
  }),
  response: Type.Object({ offset }),
  failures: [...changing, "not_found", "capture_piece_refused", "stored_damaged"],
});

/** GET /capture/v1/page/uploads/{uploadId} */
export const showUploadRoute = route({
  ...page,
  name: "showUpload",
  method: "GET",
  path: "/capture/v1/page/uploads/{uploadId}",
  summary: "Shows how far an upload has come",
  description: `${beyond} After a lost connection the page goes on from \`offset\`. While \`finish\` waits, the page shows the person \`ahead\`.`,
  request: Type.Object({ uploadId }),
  response: Type.Object({ offset, ahead }),
  failures: ["capture_origin_refused", "not_found"],
});

/** The answer to a judged upload. */
const stepAnswer = Type.Object({
  step: stepName,
  result: choice(captureResults, "again: another image is needed. failed: the step has no tries left."),
  guidance: Type.Array(choice(guidanceCodes, "What to do."), {
    description: "What the person should do next. Empty: the next image may pass.",
    examples: [["closer"]],
  }),
  triesLeft: Type.Integer({ minimum: 0, description: "Images that may still be judged.", examples: [2] }),
  page: pageState,
});

export type StepAnswer = Static<typeof stepAnswer>;

/** POST /capture/v1/page/uploads/{uploadId}/finish */
export const finishUploadRoute = route({
  ...page,
  name: "finishUpload",
  method: "POST",
  path: "/capture/v1/page/uploads/{uploadId}/finish",
  summary: "Judges a complete upload",
  description: `${beyond} Judged once: the same call again gets the same answer.`,
  cost: 4,
  request: Type.Object({ uploadId }),
  response: stepAnswer,
  failures: [
    ...changing,
    "not_found",
    "operation_finished",
    "capture_consent_missing",
    "capture_step_refused",
    "capture_challenge_missing",
    "capture_upload_incomplete",
    "capture_upload_damaged",
    "capture_container_unreadable",
    "capture_judging",
    "capture_paused",
    "image_unreadable",
    "image_unsupported",
    "image_too_large",
    "engine_busy",
    "engine_failed",
    "stored_damaged",
    "stored_newer",
  ],
});

/** POST /capture/v1/page/handoff */
export const handoffRoute = route({
  ...page,
  name: "handOffCapture",
  method: "POST",
  path: "/capture/v1/page/handoff",
  summary: "Hands the capture over to a telephone",
  description: `${beyond} The address goes into a QR code. The telephone opens the page with it, both screens show \`code\`, and the person confirms there. A new hand-off replaces the former one.`,
  request: Type.Object({}),
  response: Type.Object({
    url: Type.String({
      description: "Address of this service's own page with a token of its own.",
      "x-personal": "token",
      examples: [
        `https://idem.example/capture/6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a#idem_capture_${"b".repeat(43)}`,
      ],
    }),
    code: text("The same on both screens.", { examples: ["4821"] }),
    expiresAt: time("The hand-off must be confirmed by then."),
  }),
  failures: changing,
});

/** POST /capture/v1/page/handoff/confirm */
export const confirmHandoffRoute = route({
  ...page,
  name: "confirmHandOff",
  method: "POST",
  path: "/capture/v1/page/handoff/confirm",
  summary: "Confirms a hand-off on the telephone",
  description: `${beyond} The telephone has opened the session with its own key and token. From now on it captures, and the first page reads the state.`,
  request: Type.Object({}),
  response: pageState,
  failures: [
    "capture_origin_refused",
    "capture_expired",
    "capture_ended",
    "capture_not_opened",
    "capture_handoff_refused",
  ],
});

/** POST /capture/v1/page/cancel */
export const cancelPageRoute = route({
  ...page,
  name: "cancelCapturePage",
  method: "POST",
  path: "/capture/v1/page/cancel",
  summary: "Ends the session from its page",
  description: `${beyond} A session that has ended stays as it is.`,
  request: Type.Object({}),
  response: pageState,
  failures: ["capture_origin_refused"],
});

/** In the order of the docs page. */
export const capturePageRoutes: readonly Route[] = [
  openPageRoute,
  showPageRoute,
  consentRoute,
  challengeRoute,
  beginUploadRoute,
  uploadPieceRoute,
  showUploadRoute,
  finishUploadRoute,
  handoffRoute,
  confirmHandoffRoute,
  cancelPageRoute,
];
