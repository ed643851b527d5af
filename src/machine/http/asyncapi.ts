import { type EventName, eventTopic, eventType } from "#contract/event";
import { eventMoment } from "#contract/event-data";
import { eventEnvelope, eventNames } from "#contract/event-envelope";
import { exampleOf } from "#contract/example";
import type { Json } from "#contract/json";
import { plain } from "./plain-schema.ts";

/** Path of the description of events: AsyncAPI 3, in YAML. */
export const asyncApiPath = "/asyncapi.yaml";

/** Path of the verification for receivers: one file of plain JavaScript, stable for integrators. */
export const verifyModulePath = "/verify-event.js";

const description = [
  "Workflow events of this deployment. Each one is an HTTPS POST to every destination of the tenant and environment that has " +
    "subscribed to its topic, as a CloudEvent 1.0 in structured JSON. A destination may also subscribe to `workflows/*/v1` " +
    "or `*`.",
  "**Delivery.** At least once: an event may arrive twice, always with the same `id`, which is also the header `webhook-id`. " +
    "Answer 2xx. Anything else is tried again. `sequence` has the order within an operation; the order of arrival may differ.",
  "**Signatures.** The headers carry a Standard Webhooks 1.0 signature over the raw body. The event carries its own `signature`, " +
    "for events that are passed on: parse the body, delete `signature`, write it again as JSON without spaces, and compare the Base64 " +
    "of its HMAC-SHA256 with the text of the secret as the key. The body is canonical JSON (RFC 8785), so this gives the signed bytes. " +
    `The function at ${verifyModulePath} does both.`,
  "**Callbacks.** The callback of `POST /services/previred` is no event: the OpenAPI document describes it with its call.",
  "**Images.** Links work for a limited time. Where a deployment keeps no images, lists of links are empty and `asset` is absent.",
].join("\n\n");

const headers: Json = {
  type: "object",
  required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
  properties: {
    "webhook-id": { type: "string", description: "The `id` of the event, the same in every attempt." },
    "webhook-timestamp": {
      type: "string",
      pattern: "^[0-9]+$",
      description: "Time of the attempt, in seconds since 1970. Refuse one that is more than 300 s away.",
    },
    "webhook-signature": {
      type: "string",
      description:
        "`v1,` and Base64 of the HMAC-SHA256 of `id.timestamp.body`. During a rotation of the secret two of them, with a space " +
        "between; one that holds is enough. The key is the Base64 part of the secret, decoded.",
    },
  },
};

/**
 * An event as its contract shows it. Its signature is no real one: the samples under examples/events have
 * real ones.
 */
export const exampleEvent = (name: EventName, vendor: string): Json =>
  plain({
    specversion: "1.0",
    type: eventType(vendor, name),
    ...Object(exampleOf(eventEnvelope(name, vendor))),
    datacontenttype: "application/json",
  });

const messageOf = (name: EventName, vendor: string): Json => ({
  name: eventType(vendor, name),
  title: name,
  summary: eventMoment[name],
  contentType: "application/cloudevents+json",
  headers: { $ref: "#/components/schemas/WebhookHeaders" },
  payload: { $ref: `#/components/schemas/${name}` },
  examples: [{ name, payload: exampleEvent(name, vendor) }],
});

const channelOf = (name: EventName): Json => ({
  address: eventTopic[name],
  title: name,
  description: eventMoment[name],
  servers: [{ $ref: "#/servers/destination" }],
  messages: { [name]: { $ref: `#/components/messages/${name}` } },
});

const operationOf = (name: EventName): Json => ({
  action: "send",
  channel: { $ref: `#/channels/${name}` },
  summary: eventMoment[name],
  bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
  messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
});

const forEach = (valueOf: (name: EventName) => Json): Json =>
  Object.fromEntries(eventNames.map((name) => [name, valueOf(name)]));

/** The AsyncAPI 3 document of the events: a pure function of the contract, so that CI can compare it. */
export const writeAsyncApi = (version: string, vendor: string): Json => ({
  asyncapi: "3.0.0",
  info: {
    title: "Idem events",
    version,
    description,
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  },
  defaultContentType: "application/cloudevents+json",
  servers: {
    destination: {
      host: "receiver.example.org",
      protocol: "https",
      description:
        "The URL of a destination. The operator creates it: /operator/destinations or `idem webhooks`.",
    },
  },
  channels: forEach(channelOf),
  operations: Object.fromEntries(eventNames.map((name) => [`send_${name}`, operationOf(name)])),
  components: {
    messages: forEach((name) => messageOf(name, vendor)),
    schemas: {
      ...Object(forEach((name) => plain(eventEnvelope(name, vendor)))),
      WebhookHeaders: headers,
    },
  },
});
