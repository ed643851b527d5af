import { Type } from "typebox";
import { destination, destinationId, name, named, settings, topics, url } from "./destination-fields.ts";
import { type Route, route } from "./endpoint.ts";
import type { FailureCode } from "./failure.ts";
import { nullableText, responseTime } from "./wire.ts";

const tag = "Destination";
const base = "/operator/destinations";
const beyond = "Beyond the interface, for the operator and its console.";
const scope = "webhook";

const timestamp = responseTime;
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
  response: Type.Object({ timestamp, destinationId, destination, secret }),
  shownOnce: {
    secrets: ["secret"],
    names: ["destinationId"],
    next: "Give the destination another secret with POST /operator/destinations/{destinationId}/rotate-secret and formerHours 0.",
  },
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

const stateRoute = (
  routeName: string,
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
  "Its deliveries are held until it is resumed. A destination that the operator paused stays as it is.",
  ["destination_state_refused"],
);

/** POST /operator/destinations/{destinationId}/resume */
export const resumeDestinationRoute = stateRoute(
  "resumeDestination",
  "resume",
  "Resumes a paused destination",
  "What was held is delivered now. An active destination stays as it is.",
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
  description: `${beyond} New events are delivered from now on. An active destination stays as it is.`,
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
  shownOnce: {
    secrets: ["secret"],
    names: ["destinationId"],
    next: "Rotate once more with a new Idempotency-Key: the former secret that your receiver knows keeps signing for its time.",
  },
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
    reason: nullableText(undefined, "Why there is no consent."),
  }),
  failures: changeFailures,
});

/** In the order of the docs page. */
export const destinationRoutes: readonly Route[] = [
  listDestinationsRoute,
  createDestinationRoute,
  showDestinationRoute,
  changeDestinationRoute,
  pauseDestinationRoute,
  resumeDestinationRoute,
  enableDestinationRoute,
  rotateSecretRoute,
  handshakeRoute,
  removeDestinationRoute,
];
