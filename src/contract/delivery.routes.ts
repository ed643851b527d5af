import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { eventTopic } from "./event.ts";
import type { FailureCode } from "./failure.ts";
import { endExample, momentFault, momentText, rangeFaults } from "./moment.ts";
import { missing, type RequestFault } from "./request.ts";
import { isGiven } from "./request-rule.ts";
import { choice, nullableText, responseTime, text, time } from "./wire.ts";

const tag = "Delivery";
const base = "/operator/deliveries";
const beyond = "Beyond the interface, for the operator and its console.";
const scope = "webhook";
const exampleId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

const states = ["due", "held", "delivered", "failed"] as const;

const timestamp = responseTime;
const destinationId = text("The destination.", {
  "x-name": "DestinationId",
  maxLength: 64,
  examples: [exampleId],
});
const eventId = text("The event: `id` of the CloudEvent.", {
  "x-name": "EventId",
  maxLength: 64,
  examples: [exampleId],
});
const nullableTime = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
    description,
    examples: ["2026-11-21T09:45:00.000Z"],
  });
const nullableNumber = (description: string, example: number | null) =>
  Type.Union([Type.Number(), Type.Null()], { description, examples: [example] });

const state = choice(
  states,
  "due: waits for its next attempt. held: its destination is paused or disabled. failed: no further attempt.",
);

const deliveryFields = {
  destinationId,
  eventId,
  operationId: text("The operation of the event.", { examples: [exampleId] }),
  sequence: Type.Integer({ description: "Place of the event in its operation.", examples: [1] }),
  name: choice(Object.keys(eventTopic), "Name of the event."),
  state,
  attempts: Type.Integer({ description: "Attempts so far.", examples: [1] }),
  isManual: Type.Boolean({
    description: "Whether the operator asked for its last sending.",
    examples: [false],
  }),
  eventAt: time("When the event happened."),
  nextAt: nullableTime("While it is due: time of the next attempt. Else null."),
  doneAt: nullableTime("When it was delivered or failed; null before."),
};

const attempt = Type.Object({
  attempt: Type.Integer({ description: "Counts from 1.", examples: [1] }),
  at: time("When it began."),
  outcome: text(
    "delivered; refused: a status that is not 2xx; unreachable; timed_out; token_failed: no token of the OAuth server; " +
      "blocked: by the rules of outgoing calls; destination_removed, event_erased, unreadable, internal, or forged (added or changed past the service): nothing was sent.",
    { examples: ["delivered"] },
  ),
  status: nullableNumber("HTTP status of the answer; null without one.", 204),
  decision: choice(
    ["delivered", "retry", "failed", "gone", "disabled"],
    "What followed. gone: the receiver answered 410 for an hour or longer. disabled: nothing but failures for too long.",
  ),
  nextAt: nullableTime("Time of the next attempt, if there was one."),
  address: nullableText(undefined, "Address of the receiver, as its name was resolved.", "192.0.2.7"),
  dnsMs: nullableNumber("Milliseconds until the name was resolved; null on a kept connection.", 2),
  connectMs: nullableNumber("Until the connection was open.", 12),
  tlsMs: nullableNumber("Until TLS was ready.", 31),
  firstByteMs: nullableNumber("Until the first byte of the answer.", 48),
  totalMs: nullableNumber("The whole attempt.", 49),
  answer: Type.Union([Type.String(), Type.Null()], {
    description: "The first 16 KiB of the answer in Base64; null if it is empty or its keys are destroyed.",
    "x-personal": "identity",
    examples: [null],
  }),
  reason: nullableText(undefined, "Cause of a failure; null without one.", null),
});

const delivery = Type.Object(deliveryFields, { "x-name": "Delivery" });
const named = Type.Object({ destinationId, eventId });

/** GET /operator/deliveries */
export const listDeliveriesRoute = route({
  name: "listDeliveries",
  method: "GET",
  path: base,
  scope,
  tag,
  cost: 2,
  summary: "Lists the deliveries of a destination or of an event, the newest first",
  description: `${beyond} Up to 50 a page. Deliveries that are due are listed by their next attempt.`,
  request: Type.Object({
    destinationId: Type.Optional(destinationId),
    eventId: Type.Optional(eventId),
    state: Type.Optional(choice(states, "Only deliveries in this state.")),
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 160, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp,
    deliveries: Type.Array(delivery),
    next: nullableText(undefined, "Sent as `after` for the next page; null at the end.", null),
  }),
  failures: ["not_found"],
  rules: (fields) =>
    isGiven(fields["destinationId"]) || isGiven(fields["eventId"]) ? [] : [missing("destinationId")],
});

/** GET /operator/deliveries/{destinationId}/{eventId} */
export const showDeliveryRoute = route({
  name: "showDelivery",
  method: "GET",
  path: `${base}/{destinationId}/{eventId}`,
  scope,
  tag,
  summary: "Shows a delivery with its last 100 attempts, the newest first",
  description: beyond,
  request: named,
  response: Type.Object({ timestamp, delivery, attempts: Type.Array(attempt) }),
  failures: ["not_found"],
});

const changeFailures = ["not_found"] as const satisfies FailureCode[];
const count = Type.Integer({ description: "Deliveries that are sent, or would be.", examples: [12] });

/** POST /operator/deliveries/{destinationId}/{eventId}/retry */
export const retryDeliveryRoute = route({
  name: "retryDelivery",
  method: "POST",
  path: `${base}/{destinationId}/{eventId}/retry`,
  scope,
  tag,
  summary: "Sends a delivery now, also a delivered one",
  description: `${beyond} A delivery that is in flight is not sent a second time: \`count\` is then 0.`,
  request: named,
  response: Type.Object({ timestamp, count }),
  failures: changeFailures,
});

/** POST /operator/events/{eventId}/replay */
export const replayEventRoute = route({
  name: "replayEvent",
  method: "POST",
  path: "/operator/events/{eventId}/replay",
  scope,
  tag,
  summary: "Sends the deliveries of one event now, to every destination that has one",
  description: `${beyond} It has the same \`id\` as before.`,
  request: Type.Object({ eventId }),
  response: Type.Object({ timestamp, count }),
  failures: changeFailures,
});

const range = {
  from: Type.Optional(momentText("Only events of this time or later.")),
  to: Type.Optional(momentText("Only events before this time.", endExample)),
  dryRun: Type.Optional(
    Type.Boolean({ description: "Counts, and sends nothing. Default false.", examples: [true] }),
  ),
};
const rangeAnswer = Type.Object({
  timestamp,
  count,
  isComplete: Type.Boolean({
    description:
      "Whether the whole range is sent. One call sends up to 10,000. Call again for the rest; a replay with the `timestamp` of " +
      "its first answer as `endedBefore`, so that it sends each delivery once.",
    examples: [true],
  }),
});
const rangeRules = ({
  from,
  to,
  endedBefore,
}: Readonly<Record<string, unknown>>): readonly RequestFault[] => [
  ...rangeFaults({ from, to }),
  ...momentFault("endedBefore", endedBefore),
];

/** POST /operator/destinations/{destinationId}/replay */
export const replayDestinationRoute = route({
  name: "replayDestination",
  method: "POST",
  path: "/operator/destinations/{destinationId}/replay",
  scope,
  tag,
  summary: "Sends the deliveries of a destination again, by the time of their events",
  description:
    `${beyond} Failed and delivered ones, or failed ones alone; held ones are released instead. Each has the same ` +
    "`id` as before. Count them with `dryRun` first.",
  request: Type.Object({
    destinationId,
    ...range,
    failedOnly: Type.Optional(
      Type.Boolean({ description: "Only deliveries that failed. Default false.", examples: [true] }),
    ),
    endedBefore: Type.Optional(
      momentText("Only deliveries that ended before this time. Of a later call: the time of the first one."),
    ),
  }),
  response: rangeAnswer,
  failures: changeFailures,
  rules: rangeRules,
});

/** POST /operator/destinations/{destinationId}/release */
export const releaseDestinationRoute = route({
  name: "releaseDestination",
  method: "POST",
  path: "/operator/destinations/{destinationId}/release",
  scope,
  tag,
  summary: "Sends the held deliveries of a destination, by the time of their events",
  description: `${beyond} They wait further while the destination is paused or disabled.`,
  request: Type.Object({ destinationId, ...range }),
  response: rangeAnswer,
  failures: changeFailures,
  rules: rangeRules,
});

/** POST /operator/destinations/{destinationId}/test */
export const testDestinationRoute = route({
  name: "testDestination",
  method: "POST",
  path: "/operator/destinations/{destinationId}/test",
  scope,
  tag,
  summary: "Sends a test event to a destination",
  description:
    `${beyond} An operation_started of an operation whose id begins with \`test-\`, on the way of every event, whatever ` +
    "the topics of the destination.",
  request: Type.Object({ destinationId }),
  response: Type.Object({ timestamp, eventId, operationId: deliveryFields.operationId }),
  failures: changeFailures,
});

/** In the order of the docs page. */
export const deliveryRoutes: readonly Route[] = [
  testDestinationRoute,
  replayDestinationRoute,
  releaseDestinationRoute,
  listDeliveriesRoute,
  showDeliveryRoute,
  retryDeliveryRoute,
  replayEventRoute,
];
