/** Fields of destinations on the wire. */
import { Type } from "typebox";
import { eventTopic } from "./event.ts";
import { choice, nullableText, text, time } from "./wire.ts";

export const destinationId = text("The destination.", {
  "x-name": "DestinationId",
  maxLength: 64,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});
export const named = Type.Object({ destinationId });
const nullableTime = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description, examples: [example] });

export const name = text("A name for people.", { maxLength: 400, examples: ["Onboarding, production"] });
export const url = text(
  "Where the events go. Only https; plain http goes to loopback addresses that IDEM_EGRESS_ALLOW names. No user name, " +
    "password or fragment; at most 2,048 characters.",
  { "x-name": "DestinationUrl", maxLength: 4000, examples: ["https://hooks.example.com/idem"] },
);
export const topics = Type.Array(Type.String({ maxLength: 100 }), {
  "x-name": "DestinationTopics",
  description: `Topics of events: ${Object.values(eventTopic).join(", ")}. workflows/*/v1 takes all of these, * also those of later releases.`,
  maxItems: 20,
  examples: [["workflows/*/v1"]],
});
const ordered = Type.Boolean({
  "x-name": "DestinationOrder",
  description:
    "Whether events of one operation are delivered in sequence: each waits for the one before. Default false.",
  examples: [false],
});
const headers = Type.Array(
  Type.Object({
    name: text("Name of the header.", { maxLength: 128, examples: ["x-source"] }),
    value: text("Its value, printable ASCII. It is never shown again.", {
      maxLength: 4000,
      examples: ["idem"],
    }),
  }),
  {
    "x-name": "DestinationHeaders",
    description: "Further headers of every message, at most 20. A list replaces the former one.",
    maxItems: 30,
    examples: [[{ name: "x-source", value: "idem" }]],
  },
);

const authKind = choice(
  ["none", "api-key", "oauth2"],
  "none: the signature alone. api-key: a header with a fixed value. oauth2: client credentials (RFC 6749, 4.4).",
  { "x-name": "CredentialsKind", examples: ["api-key"] },
);
const credentialsIn = choice(
  ["header", "body"],
  "Where the token call has the credentials (RFC 6749, 2.3.1): a Basic header, or the body. Default header.",
);
const secretText = (description: string) =>
  text(`${description} It is never shown again.`, { maxLength: 4000 });
const auth = Type.Object(
  {
    kind: authKind,
    header: Type.Optional(text("api-key: name of the header.", { maxLength: 128, examples: ["x-api-key"] })),
    value: Type.Optional(secretText("api-key: its value.")),
    tokenUrl: Type.Optional(
      text("oauth2: URL of the token call, under the rules of `url`.", {
        maxLength: 4000,
        examples: ["https://login.example.com/token"],
      }),
    ),
    clientId: Type.Optional(text("oauth2: the client.", { maxLength: 4000, examples: ["idem"] })),
    clientSecret: Type.Optional(secretText("oauth2: its secret.")),
    scope: Type.Optional(
      text("oauth2: scopes, with spaces between them.", { maxLength: 4000, examples: ["events"] }),
    ),
    credentialsIn: Type.Optional(credentialsIn),
  },
  {
    "x-name": "DestinationCredentials",
    description:
      "How the receiver recognises this service, besides the signature. An object replaces the former one.",
    examples: [{ kind: "none" }],
  },
);
const handshake = Type.Boolean({
  "x-name": "DestinationHandshake",
  description:
    "Whether the receiver must consent first (CloudEvents HTTP web hooks, OPTIONS). The destination is then paused until its " +
    "handshake. Default false.",
  examples: [false],
});
const timeoutSeconds = Type.Integer({
  description: "Longest time of an attempt, a token call included: 1 to 30. Default 15.",
  examples: [15],
});
const retrySchedule = Type.Array(Type.Integer(), {
  "x-name": "RetrySchedule",
  description: "Seconds before each attempt, at most 20. An empty list: the schedule of the deployment.",
  maxItems: 30,
  examples: [[0, 5, 300, 1800]],
});
const maxConcurrent = Type.Integer({
  description: "Deliveries in flight at a time, 1 to 64. 0: as many as the deployment allows.",
  examples: [0],
});

export const settings = {
  ordered: Type.Optional(ordered),
  headers: Type.Optional(headers),
  auth: Type.Optional(auth),
  handshake: Type.Optional(handshake),
  timeoutSeconds: Type.Optional(timeoutSeconds),
  retrySchedule: Type.Optional(retrySchedule),
  maxConcurrent: Type.Optional(maxConcurrent),
};

export const destination = Type.Object(
  {
    destinationId,
    name,
    state: choice(
      ["active", "paused", "disabled"],
      "paused by the operator or until its handshake, disabled by failures: its deliveries are held.",
    ),
    stateReason: Type.Union([Type.Enum(["operator", "handshake", "failures", "gone"]), Type.Null()], {
      description:
        "Why it is not active. gone: the receiver answered 410 twice, an hour or more apart, and no success between. failures: it had nothing but failures for 120 hours.",
      examples: [null],
    }),
    topics,
    ordered,
    url,
    headerNames: Type.Array(Type.String(), {
      description: "Names of the further headers; values are never shown.",
      examples: [["x-source"]],
    }),
    auth: Type.Object(
      {
        kind: authKind,
        header: nullableText(undefined, "api-key: name of the header.", "x-api-key"),
        tokenUrl: nullableText(undefined, "oauth2: URL of the token call."),
        clientId: nullableText(undefined, "oauth2: the client."),
        scope: nullableText(undefined, "oauth2: scopes."),
        credentialsIn: Type.Union([Type.Enum(["header", "body"]), Type.Null()], {
          description: "oauth2: where the credentials stand.",
          examples: [null],
        }),
      },
      { description: "Without any secret." },
    ),
    handshake,
    timeoutSeconds,
    retrySchedule,
    maxConcurrent,
    createdAt: time("When it was created."),
    changedAt: time("When it was last changed."),
    lastSuccessAt: nullableTime("When a delivery last succeeded.", "2026-11-21T09:45:00.000Z"),
    failingSince: nullableTime("The first failure since the last success."),
    breakerUntil: nullableTime(
      "Its breaker is open: deliveries wait, and at this time one of them leaves as a probe. Null: it is closed.",
    ),
    formerSecretUntil: nullableTime("Until then a former secret signs too."),
  },
  { "x-name": "Destination", description: "A destination without its secrets." },
);
