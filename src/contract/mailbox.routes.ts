import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import type { EventName } from "./event.ts";
import { choice, responseTime, text, time } from "./wire.ts";

const tag = "Mailbox";
const scope = "webhook";

/** Events that can be made for a test. The end of an operation states the last one. */
export const triggeredEvents = [
  "operation_started",
  "id_captured",
  "selfie_captured",
  "facial_authentication_evaluated",
  "passive_liveness_evaluated",
  "id_validated",
] as const satisfies readonly EventName[];

/** URL of a destination that is the mailbox of its tenant. */
export const mailboxUrl = "mailbox:";

/** The most messages that one answer holds. */
export const mailboxPageMax = 100;

const check = (what: string) =>
  Type.Object({
    holds: Type.Boolean({ description: what, examples: [true] }),
    reason: Type.Optional(Type.String({ description: "Why it does not hold." })),
  });

const message = Type.Object({
  number: Type.Integer({
    minimum: 1,
    description: "Grows with each message that arrives. It starts again with the process.",
    examples: [1],
  }),
  receivedAt: time("When the message arrived."),
  destinationId: text("The destination that sent it.", {
    examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
  }),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: "Headers of the delivery, without an API key or OAuth token.",
    examples: [[{ name: "webhook-id", value: "5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21" }]],
  }),
  body: Type.String({
    description: "The exact body: a CloudEvent.",
    examples: ['{"data":{"customerId":"customer-4711"}}'],
  }),
  webhook: check("Whether the signature of the headers holds (Standard Webhooks)."),
  event: check("Whether the event's own `signature` holds."),
});

/** GET /operator/mailbox */
export const listMailboxRoute = route({
  name: "listMailbox",
  method: "GET",
  path: "/operator/mailbox",
  scope,
  tag,
  summary: "Lists the messages that arrived at the mailbox, the oldest first",
  description:
    "Beyond the interface, for development. A destination with the URL `mailbox:` delivers to the mailbox of its tenant, of " +
    "test keys only. It is kept in memory, bounded, and empty after a restart. The page `/mailbox` shows it.",
  request: Type.Object({
    after: Type.Optional(
      Type.String({
        description: "`number` of the last message that the caller has; absent: from the oldest.",
        pattern: "^[0-9]{1,15}$",
        "x-shape": "the `number` of a message: at most 15 digits",
        maxLength: 15,
        examples: ["0"],
      }),
    ),
  }),
  response: Type.Object({ timestamp: responseTime, messages: Type.Array(message) }),
  failures: ["mailbox_live_key"],
});

/** POST /operator/events/trigger */
export const triggerEventRoute = route({
  name: "triggerEvent",
  method: "POST",
  path: "/operator/events/trigger",
  scope,
  tag,
  summary: "Makes a test event",
  description:
    "Beyond the interface, for development. Opens an operation of the test environment, states the event with example data and an " +
    "artificial image, and delivers it as every other event, to all destinations that take it. An `operation_finished` " +
    "comes from the end of the operation: POST /operator/operations/{operation}/end.",
  request: Type.Object({
    event: choice(triggeredEvents, "Name of the event."),
    operationId: Type.Optional(
      text("Operation that the event joins; absent: a new one.", { maxLength: 128, examples: ["test-1"] }),
    ),
  }),
  response: Type.Object({
    timestamp: responseTime,
    operationId: text("The operation of the event.", { examples: ["test-1"] }),
  }),
  failures: ["mailbox_live_key"],
});

/** In the order of the docs page. */
export const mailboxRoutes: readonly Route[] = [listMailboxRoute, triggerEventRoute];
