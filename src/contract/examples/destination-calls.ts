import {
  changeDestinationRoute,
  createDestinationRoute,
  enableDestinationRoute,
  handshakeRoute,
  listDestinationsRoute,
  pauseDestinationRoute,
  removeDestinationRoute,
  resumeDestinationRoute,
  rotateSecretRoute,
  showDestinationRoute,
} from "../destination.routes.ts";
import type { Route } from "../endpoint.ts";
import { mailboxUrl } from "../mailbox.routes.ts";
import type { ExampleCall } from "./example-call.ts";

const exampleId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

/** A call on the destination that an earlier example created. */
const ofDestination =
  (from: string) =>
  (name: string, route: Route, summary: string, fields: ExampleCall["fields"] = {}): ExampleCall => ({
    name,
    route,
    summary,
    fields: { destinationId: exampleId, ...fields },
    taken: [{ field: "destinationId", from, member: "destinationId" }],
    alone: "not_found",
  });
const ofReceiver = ofDestination("receiver");
const ofMailbox = ofDestination("mailbox");

/** Examples of destinations, in an order that works: from the creation of one to its removal. */
export const destinationCalls: readonly ExampleCall[] = [
  {
    name: "receiver",
    route: createDestinationRoute,
    summary: "A receiver of all workflow events. The secret of the answer verifies them.",
    fields: {
      name: "Onboarding",
      url: "https://hooks.example.com/idem",
      topics: ["workflows/*/v1"],
      auth: { kind: "api-key", header: "x-api-key", value: "your key" },
    },
  },
  ofReceiver("shownReceiver", showDestinationRoute, "The receiver, without its secrets."),
  ofReceiver(
    "changedReceiver",
    changeDestinationRoute,
    "A shorter time, and events of an operation in sequence.",
    {
      ordered: true,
      timeoutSeconds: 10,
    },
  ),
  ofReceiver("rotatedSecret", rotateSecretRoute, "A new secret; the former one signs too for a day.", {
    formerHours: 24,
  }),
  ofReceiver("pausedReceiver", pauseDestinationRoute, "Its deliveries are held."),
  ofReceiver("resumedReceiver", resumeDestinationRoute, "Its deliveries go on."),
  ofReceiver("enabledReceiver", enableDestinationRoute, "Nothing changes: it is active.", {
    deliverHeld: true,
  }),
  {
    name: "mailbox",
    route: createDestinationRoute,
    summary: "The built-in mailbox of the test environment, which must consent first.",
    fields: { name: "Mailbox", url: mailboxUrl, topics: ["*"], handshake: true },
  },
  ofMailbox("consent", handshakeRoute, "The mailbox consents, and its destination becomes active."),
  {
    name: "destinations",
    route: listDestinationsRoute,
    summary: "The destinations of the environment: here both of the examples.",
    fields: {},
  },
  ofReceiver("removedReceiver", removeDestinationRoute, "The receiver goes with its secrets."),
];
