/** The envelope of workflow events: CloudEvents 1.0, structured JSON. */
import { type TSchema, Type } from "typebox";
import { type EventName, eventTopic, eventType } from "./event.ts";
import { eventData } from "./event-data.ts";

/** Names of all workflow events, in the order of a typical operation. */
export const eventNames: readonly EventName[] = Object.keys(eventTopic).filter(
  (name): name is EventName => name in eventTopic,
);

const id = Type.String({
  format: "uuid",
  description: "Id of the event, the same in every attempt to deliver it and in the header `webhook-id`.",
  examples: ["5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21"],
});

const source = Type.String({
  format: "uri-reference",
  pattern: "^/operations/.+$",
  minLength: 1,
  description: "The operation: `/operations/` and its id.",
  examples: ["/operations/0f8fad5b-d9cb-469f-a165-70867728950e"],
});

const time = Type.String({
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  description: "UTC time of the event.",
  examples: ["2026-11-21T09:30:00.000Z"],
});

const sequence = Type.String({
  pattern: "^[0-9]{10}$",
  description:
    "Position of the event in its operation, from 0000000001, without gaps. The order of these texts is the order of the events.",
  examples: ["0000000001"],
});

const signature = Type.String({
  contentEncoding: "base64",
  pattern: "^[A-Za-z0-9+/]{43}=$",
  description:
    "Base64 of the HMAC-SHA256 of the event without this field. The key is the text of the destination's secret. The bytes " +
    "are canonical JSON (RFC 8785), as is the body: parse it, delete `signature`, write it again.",
  examples: ["qO1cNbkwQ4VfBzEOnqM8PzTgQGpdVwF0Q9y0dGm0S9c="],
});

/**
 * Schema of a whole event as it is sent. It holds the rules of the CloudEvents 1.0 JSON schema and narrows
 * them to what this service sends.
 */
export const eventEnvelope = (name: EventName, vendor: string): TSchema =>
  Type.Object(
    {
      specversion: Type.Literal("1.0"),
      type: Type.Literal(eventType(vendor, name)),
      source,
      id,
      time,
      datacontenttype: Type.Literal("application/json"),
      sequence,
      data: eventData[name],
      signature,
    },
    { additionalProperties: false },
  );
