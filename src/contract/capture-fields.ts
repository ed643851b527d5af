/** Fields of capture sessions on the wire. */
import { type Static, Type } from "typebox";
import {
  captureLevels,
  captureSources,
  captureStates,
  captureStepNames,
  captureStepStates,
  documentSides,
  turnDirections,
} from "./capture.ts";
import { documentTypesV2 } from "./document-type.ts";
import { captureLanguages } from "./guidance.ts";
import { choice, country, text, time } from "./wire.ts";

/** Why no example calls a route of captures. */
export const withoutExample =
  "a capture session is made for a page, whose calls carry its token and signed images";

export const sessionId = text("The capture session.", {
  "x-name": "CaptureSessionId",
  maxLength: 64,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});

export const stepName = choice(captureStepNames, "What is captured.");
export const side = choice(documentSides, "Side of the document.");
export const language = choice(captureLanguages, "Language of the page.");
export const languages = Type.Array(choice(captureLanguages, "A language."), {
  "x-name": "PageLanguages",
  description: "Languages of the page; the first one is shown first.",
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
  examples: [["es", "en"]],
});
export const level = choice(
  captureLevels,
  "How the capture of the face is checked. passive: one image. active-turn: the head turns as a fresh challenge asks.",
  { "x-name": "CaptureLevel", examples: ["passive"] },
);
export const source = choice(
  captureSources,
  "Where the image came from, as the page states it. upload: a file of the device.",
);
export const state = choice(captureStates, "State of the session. Every state but OPEN is an end.", {
  "x-name": "CaptureState",
});
export const expiresAt = time("The session ends then.", { "x-name": "CaptureEnd" });

export const documentAsked = Type.Object(
  {
    country: Type.Optional(country("Issuing country, ISO 3166-1 alpha-3.")),
    type: Type.Optional(choice(documentTypesV2, "Kind of the document.", { examples: ["ID_CARD"] })),
    sides: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2,
        description: "Sides to capture. Default: 1 for PASSPORT and VISA, else 2.",
        examples: [2],
      }),
    ),
  },
  { description: "The document that the person shows.", examples: [{ country: "CHL", type: "ID_CARD" }] },
);

export const ahead = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      "Captures that this service judges before the upload. Only while the upload waits for its judgement in the process that answers.",
    examples: [3],
  }),
);

const step = {
  name: stepName,
  state: choice(captureStepStates, "open: it waits for an image."),
  triesLeft: Type.Integer({ minimum: 0, description: "Images that may still be judged.", examples: [3] }),
};

export const consent = {
  version: text("Version of the text of consent.", { maxLength: 64, examples: ["idem-1"] }),
  accepted: Type.Boolean({ description: "Whether the person has consented.", examples: [true] }),
};

/** The state of a session as its page reads it: the answer of most calls of a page. */
export const pageState = Type.Object(
  {
    sessionId,
    state,
    expiresAt,
    language,
    languages,
    consent: Type.Object({
      ...consent,
      text: Type.String({
        description: "The text of consent in the language of the page.",
        examples: ["Your image is processed to verify your identity."],
      }),
    }),
    level,
    steps: Type.Array(
      Type.Object({
        ...step,
        side: Type.Optional(choice(documentSides, "Of a document: the side that is wanted next.")),
      }),
      {
        description: "The steps in their order.",
        examples: [[{ name: "face", state: "open", triesLeft: 3 }]],
      },
    ),
    handoff: Type.Optional(
      Type.Object(
        {
          code: text("The same on both screens.", { examples: ["4821"] }),
          state: choice(["waiting", "confirmed"], "confirmed: the other device captures."),
        },
        { description: "Absent without a hand-off.", examples: [{ code: "4821", state: "waiting" }] },
      ),
    ),
    document: Type.Optional(documentAsked),
    returnUrl: Type.Optional(
      Type.String({
        description: "Where the page leads at the end.",
        examples: ["https://bank.example/onboarding"],
      }),
    ),
    isTest: Type.Boolean({
      description: "Whether a key of the test environment opened the session.",
      examples: [true],
    }),
  },
  { "x-name": "CapturePageState" },
);

export type PageState = Static<typeof pageState>;

/** A step as the integrator reads it. */
export const stepState = Type.Object({
  ...step,
  level: Type.Optional(choice(captureLevels, "How an accepted face was checked.", { examples: ["passive"] })),
  source: Type.Optional(choice(captureSources, "Where an accepted image came from.")),
});

/** What the integrator chooses of the page of a session. */
export const pageFields = {
  languages: Type.Optional(languages),
  origin: Type.Optional(
    text(
      "Origin of the page that captures. Default: this service, whose own page captures. http is accepted of the developer's " +
        "own machine alone.",
      { "x-name": "PageOrigin", maxLength: 300, examples: ["https://bank.example"] },
    ),
  ),
  returnUrl: Type.Optional(
    text("Where the page leads at the end: a URL of `origin`.", {
      maxLength: 2000,
      examples: ["https://bank.example/onboarding"],
    }),
  ),
};

export const pageToken = Type.String({
  "x-name": "PageToken",
  description: "Credential of the page. It is shown once.",
  "x-personal": "token",
  examples: [`idem_capture_${"a".repeat(43)}`],
});

export const pageUrl = Type.String({
  "x-name": "PageUrl",
  description: "Address of this service's own page with the token.",
  "x-personal": "token",
  examples: [
    `https://idem.example/capture/6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a#idem_capture_${"a".repeat(43)}`,
  ],
});

/**
 * The generator of the curve. No page can use this point as its key, because everybody has its private key.
 */
const examplePoint = {
  x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
} as const;

const coordinate = (example: string) =>
  Type.String({
    description: "Base64url.",
    pattern: "^[A-Za-z0-9_-]{43}$",
    maxLength: 43,
    examples: [example],
  });

export const pageKey = Type.Object(
  {
    kty: choice(["EC"], "Key type."),
    crv: choice(["P-256"], "Curve."),
    x: coordinate(examplePoint.x),
    y: coordinate(examplePoint.y),
  },
  {
    description:
      "Public key (JWK) of a key pair that the page has made for this session. It signs the frames of a face. " +
      "It must be a point of the curve.",
    examples: [{ kty: "EC", crv: "P-256", ...examplePoint }],
  },
);

export const uploadId = text("The upload.", {
  "x-name": "UploadId",
  maxLength: 64,
  examples: ["7b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21"],
});

/** A challenge as the page gets it. */
export const challengeShape = Type.Object({
  id: text("Random name of the challenge; single use.", { examples: ["AAECAwQFBgcICQoLDA0ODw"] }),
  issuedAt: time("When the challenge was made."),
  expiresAt: time("Latest start."),
  finishMs: Type.Integer({
    description: "Longest time from the first frame to the last.",
    examples: [40_000],
  }),
  steps: Type.Array(Type.Object({ turn: choice(turnDirections, "Direction, as the person sees it.") }), {
    description: "Turns of the head, in this order.",
    examples: [[{ turn: "left" }, { turn: "up" }]],
  }),
});
