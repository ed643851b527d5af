import { Type } from "typebox";
import { route } from "./endpoint.ts";
import { eventTopic } from "./event.ts";
import type { FailureCode } from "./failure.ts";
import { choice, nullableText, text, time } from "./wire.ts";

const tag = "Destination";
const base = "/operator/destinations";
const beyond = "Beyond the interface, for the operator and its console.";
const scope = "webhook";

const destinationId = text("The destination.", {
  maxLength: 64,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});
const named = Type.Object({ destinationId });
const timestamp = time("UTC time of the response.");
const nullableTime = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description, examples: [example] });

const name = text("A name for people.", { maxLength: 400, examples: ["Onboarding, production"] });
const url = text(
  "Where the events go. Only https; plain http goes to loopback addresses that IDEM_EGRESS_ALLOW names. No user name, " +
    "password or fragment; at most 2,048 characters.",
  { maxLength: 4096, examples: ["https://hooks.example.com/idem"] },
);
const topics = Type.Array(Type.String({ maxLength: 100 }), {
  description: `Topics of events: ${Object.values(eventTopic).join(", ")}. workflows/*/v1 takes all of these, * also those of later releases.`,
  maxItems: 20,
  examples: [["workflows/*/v1"]],
});
const ordered = Type.Boolean({
  description:
    "Whether events of one operation are delivered in sequence: each waits for the one before. Default false.",
  examples: [false],
});
const headers = Type.Array(
  Type.Object({
    name: text("Name of the header.", { maxLength: 128, examples: ["x-source"] }),
    value: text("Its value, printable ASCII. It is never shown again.", {
      maxLength: 4096,
      examples: ["idem"],
    }),
  }),
  {
    description: "Further headers of every message, at most 20. A list replaces the former one.",
    maxItems: 30,
    examples: [[{ name: "x-source", value: "idem" }]],
  },
);

const authKind = choice(
  ["none", "api-key", "oauth2"],
  "none: the signature alone. api-key: a header with a fixed value. oauth2: client credentials (RFC 6749, 4.4).",
  { examples: ["api-key"] },
);
const credentialsIn = choice(
  ["header", "body"],
  "Where the token call has the credentials (RFC 6749, 2.3.1): a Basic header, or the body. Default header.",
);
const secretText = (description: string) =>
  text(`${description} It is never shown again.`, { maxLength: 4096 });
const auth = Type.Object(
  {
    kind: authKind,
    header: Type.Optional(text("api-key: name of the header.", { maxLength: 128, examples: ["x-api-key"] })),
    value: Type.Optional(secretText("api-key: its value.")),
    tokenUrl: Type.Optional(
      text("oauth2: URL of the token call, under the rules of `url`.", {
        maxLength: 4096,
        examples: ["https://login.example.com/token"],
      }),
    ),
    clientId: Type.Optional(text("oauth2: the client.", { maxLength: 4096, examples: ["idem"] })),
    clientSecret: Type.Optional(secretText("oauth2: its secret.")),
    scope: Type.Optional(
      text("oauth2: scopes, with spaces between them.", { maxLength: 4096, examples: ["events"] }),
    ),
    credentialsIn: Type.Optional(credentialsIn),
  },
  {
    description:
      "How the receiver recognises this service, besides the signature. An object replaces the former one.",
    examples: [{ kind: "none" }],
  },
);
const handshake = Type.Boolean({
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
  description: "Seconds before each attempt, at most 20. An empty list: the schedule of the deployment.",
  maxItems: 30,
  examples: [[0, 5, 300, 1800]],
});
const maxConcurrent = Type.Integer({
  description: "Deliveries in flight at a time, 1 to 64. 0: as many as the deployment allows.",
  examples: [0],
});

const settings = {
  ordered: Type.Optional(ordered),
  headers: Type.Optional(headers),
  auth: Type.Optional(auth),
  handshake: Type.Optional(handshake),
  timeoutSeconds: Type.Optional(timeoutSeconds),
  retrySchedule: Type.Optional(retrySchedule),
  maxConcurrent: Type.Optional(maxConcurrent),
};

const destination = Type.Object(
  {
    destinationId,
    name,
    state: choice(
      ["active", "paused", "disabled"],
      "paused by the operator or until its handshake, disabled by failures: its deliveries are held.",
    ),
    stateReason: Type.Union([Type.Enum(["operator", "handshake", "failures", "gone"]), Type.Null()], {
      description:
        "Why it is not active. gone: the receiver answered 410. failures: it had nothing but failures for 120 hours.",
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
    formerSecretUntil: nullableTime("Until then a former secret signs too."),
  },
  { description: "A destination without its secrets." },
);

const answer = Type.Object({ timestamp, destination });
const secret = Type.String({
  description: "Signing secret: `whsec_` and Base64. It is shown in this answer and nowhere else.",
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
});

const changeFailures = [
  "not_found",
  "destination_changed",
  "stored_damaged",
  "stored_newer",
] as const satisfies FailureCode[];
const readFailures = ["not_found", "stored_damaged", "stored_newer"] as const satisfies FailureCode[];

/** POST /operator/destinations */
export const createDestinationRoute = route({
  name: "createDestination",
  method: "POST",
  path: base,
  scope,
  tag,
  summary: "Creates a destination of events",
  description: `${beyond} The answer has the signing secret, once. Each environment has its own destinations, at most 50.`,
  request: Type.Object({ name, url, topics, ...settings }),
  response: Type.Object({ timestamp, destination, secret }),
  failures: ["destination_limit"],
});

/** GET /operator/destinations */
export const listDestinationsRoute = route({
  name: "listDestinations",
  method: "GET",
  path: base,
  scope,
  tag,
  summary: "Lists the destinations, the oldest first",
  description: beyond,
  request: Type.Object({}),
  response: Type.Object({ timestamp, destinations: Type.Array(destination) }),
  failures: ["not_found", "stored_damaged", "stored_newer"],
});

/** GET /operator/destinations/{destinationId} */
export const showDestinationRoute = route({
  name: "showDestination",
  method: "GET",
  path: `${base}/{destinationId}`,
  scope,
  tag,
  summary: "Shows a destination",
  description: beyond,
  request: named,
  response: answer,
  failures: readFailures,
});

/** POST /operator/destinations/{destinationId} */
export const changeDestinationRoute = route({
  name: "changeDestination",
  method: "POST",
  path: `${base}/{destinationId}`,
  scope,
  tag,
  summary: "Changes a destination",
  description: `${beyond} Fields that are absent stay. Deliveries that wait use the new settings.`,
  request: Type.Object({
    destinationId,
    name: Type.Optional(name),
    url: Type.Optional(url),
    topics: Type.Optional(topics),
    ...settings,
  }),
  response: answer,
  failures: changeFailures,
});

const stateRoute = <Name extends string>(
  routeName: Name,
  verb: string,
  summary: string,
  description: string,
  failures: readonly FailureCode[] = [],
) =>
  route({
    name: routeName,
    method: "POST",
    path: `${base}/{destinationId}/${verb}`,
    scope,
    tag,
    summary,
    description: `${beyond} ${description}`,
    request: named,
    response: answer,
    failures: [...changeFailures, ...failures],
  });

/** POST /operator/destinations/{destinationId}/pause */
export const pauseDestinationRoute = stateRoute(
  "pauseDestination",
  "pause",
  "Pauses a destination",
  "Its deliveries are held until it is resumed.",
  ["destination_state_refused"],
);

/** POST /operator/destinations/{destinationId}/resume */
export const resumeDestinationRoute = stateRoute(
  "resumeDestination",
  "resume",
  "Resumes a paused destination",
  "What was held is delivered now.",
  ["destination_state_refused"],
);

/** POST /operator/destinations/{destinationId}/remove */
export const removeDestinationRoute = route({
  name: "removeDestination",
  method: "POST",
  path: `${base}/{destinationId}/remove`,
  scope,
  tag,
  summary: "Removes a destination",
  description: `${beyond} Its secrets go at once. Deliveries that wait end as failed; their log stays until its retention ends.`,
  request: named,
  response: Type.Object({ timestamp, destinationId }),
  failures: changeFailures,
});

/** POST /operator/destinations/{destinationId}/enable */
export const enableDestinationRoute = route({
  name: "enableDestination",
  method: "POST",
  path: `${base}/{destinationId}/enable`,
  scope,
  tag,
  summary: "Enables a disabled destination",
  description: `${beyond} New events are delivered from now on.`,
  request: Type.Object({
    destinationId,
    deliverHeld: Type.Optional(
      Type.Boolean({
        description: "Whether the held deliveries are sent now. Default false: they wait for a replay.",
        examples: [true],
      }),
    ),
  }),
  response: answer,
  failures: [...changeFailures, "destination_state_refused"],
});

/** POST /operator/destinations/{destinationId}/rotate-secret */
export const rotateSecretRoute = route({
  name: "rotateDestinationSecret",
  method: "POST",
  path: `${base}/{destinationId}/rotate-secret`,
  scope,
  tag,
  summary: "Gives a destination a new signing secret",
  description:
    `${beyond} The former secret signs beside the new one for \`formerHours\`. The member \`signature\` of an event is ` +
    "always that of the new secret.",
  request: Type.Object({
    destinationId,
    formerHours: Type.Optional(
      Type.Integer({
        description:
          "Hours, 0 to 168, for which the former secret signs too. Default 24. 0: the new secret signs alone.",
        examples: [24],
      }),
    ),
  }),
  response: Type.Object({ timestamp, destination, secret }),
  failures: [...changeFailures, "destination_secret_limit"],
});

/** POST /operator/destinations/{destinationId}/handshake */
export const handshakeRoute = route({
  name: "handshakeDestination",
  method: "POST",
  path: `${base}/{destinationId}/handshake`,
  scope,
  tag,
  cost: 4,
  summary: "Asks the receiver of a destination for its consent",
  description:
    `${beyond} Sends OPTIONS with WebHook-Request-Origin. A destination that waited for the consent becomes active, and what ` +
    "was held is delivered.",
  request: named,
  response: Type.Object({
    timestamp,
    destination,
    consents: Type.Boolean({ description: "Whether the receiver consents.", examples: [true] }),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: "Status of its answer; null where there was none.",
      examples: [200],
    }),
    allowedPerMinute: Type.Union([Type.Integer(), Type.Null()], {
      description:
        "Messages that the receiver allows in a minute (WebHook-Allowed-Rate); null without a limit.",
      examples: [null],
    }),
    reason: nullableText(undefined, "Why there is no consent."),
  }),
  failures: changeFailures,
});
