import {
  listDeliveriesRoute,
  releaseDestinationRoute,
  replayDestinationRoute,
  replayEventRoute,
  retryDeliveryRoute,
  showDeliveryRoute,
  testDestinationRoute,
} from "../delivery.routes.ts";
import type { Route } from "../endpoint.ts";
import { listMailboxRoute, triggerEventRoute } from "../mailbox.routes.ts";
import type { ExampleCall, TakenValue } from "./example-call.ts";

const exampleId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

const destinationId: TakenValue = { field: "destinationId", from: "mailbox", member: "destinationId" };
const eventId: TakenValue = { field: "eventId", from: "tested", member: "eventId" };

/** A call on the destination of the example `mailbox`, or on its test event. */
const of =
  (...taken: readonly TakenValue[]) =>
  (name: string, route: Route, summary: string, more: Partial<ExampleCall> = {}): ExampleCall => ({
    name,
    route,
    summary,
    taken,
    alone: "not_found",
    ...more,
    fields: { ...Object.fromEntries(taken.map(({ field }) => [field, exampleId])), ...more.fields },
  });
const ofMailbox = of(destinationId);
const ofDelivery = of(destinationId, eventId);
const ofEvent = of(eventId);

const untilDelivered = { repeatedWhile: { member: "delivery.state", value: "due" } } as const;

const deliveries: readonly ExampleCall[] = [
  ofMailbox("tested", testDestinationRoute, "A test event for the built-in mailbox."),
  ofDelivery(
    "delivery",
    showDeliveryRoute,
    "The delivery of the test event with its attempt. Ask again while it is due.",
    untilDelivered,
  ),
  {
    name: "deliveries",
    route: listDeliveriesRoute,
    summary: "What the mailbox was sent: here the test event.",
    fields: { destinationId: exampleId, state: "delivered" },
    taken: [destinationId],
  },
  ofMailbox("countedReplay", replayDestinationRoute, "How many deliveries a replay would send.", {
    fields: { dryRun: true },
  }),
  ofMailbox("countedRelease", releaseDestinationRoute, "How many held deliveries a release would send.", {
    fields: { dryRun: true },
  }),
  ofDelivery("retried", retryDeliveryRoute, "The test event is sent again."),
  ofDelivery("retriedDelivery", showDeliveryRoute, "The second attempt, by hand.", untilDelivered),
  ofEvent("replayed", replayEventRoute, "The test event is sent to each destination that has it."),
  ofDelivery("replayedDelivery", showDeliveryRoute, "The third attempt.", untilDelivered),
];

/** A test event that shows an image needs an operation with an artificial image. This one has it. */
const operationId = "test-4711";

/** Examples of deliveries and of the mailbox, in an order that works: after those of destinations. */
export const deliveryCalls: readonly ExampleCall[] = [
  ...deliveries,
  {
    name: "messages",
    route: listMailboxRoute,
    summary: "The messages after the second one, each with its verification.",
    fields: { after: "2" },
  },
  {
    name: "triggered",
    route: triggerEventRoute,
    summary: "A selfie of a new operation.",
    fields: { event: "selfie_captured", operationId },
  },
  {
    name: "triggeredLiveness",
    route: triggerEventRoute,
    summary: "A later selfie of the same operation, with its liveness.",
    fields: { event: "passive_liveness_evaluated", operationId },
  },
];
