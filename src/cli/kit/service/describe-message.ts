import type { ShownMessage } from "./mailbox.ts";

/** The attributes of an event that a line shows; empty where the body is no event. */
const attributesOf = (body: string): ReadonlyMap<string, unknown> => {
  try {
    return new Map(Object.entries(Object(JSON.parse(body))));
  } catch {
    return new Map();
  }
};

/** Name, operation and position of the event of a message. */
export const eventOf = ({ body }: Pick<ShownMessage, "body">) => {
  const attributes = attributesOf(body);
  const textOf = (name: string): string => {
    const value = attributes.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    name: textOf("type").split(".").at(-2) ?? "unreadable",
    operationId: decodeURIComponent(textOf("source").replace(/^\/operations\//u, "")),
    sequence: Number(textOf("sequence")),
  };
};

/** Whether both signatures held. */
export const isVerified = ({ webhook, event }: Pick<ShownMessage, "webhook" | "event">): boolean =>
  webhook.holds && event.holds;

/** A message in one line: time, event, position, operation, verification. No data of the person. */
export const describeMessage = (message: ShownMessage): string => {
  const { name, operationId, sequence } = eventOf(message);
  const verified = isVerified(message)
    ? "verified"
    : `NOT VERIFIED: ${message.webhook.reason ?? message.event.reason ?? ""}`;
  return `${message.receivedAt.slice(11, 23)}  ${name.padEnd(31)}  ${String(sequence).padStart(3)}  ${operationId}  ${verified}`;
};
