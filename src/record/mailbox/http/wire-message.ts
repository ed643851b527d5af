import type { Static } from "typebox";
import type { listMailboxRoute } from "#contract/mailbox.routes";
import type { MailboxMessage } from "../message.ts";

type WireMessage = Static<typeof listMailboxRoute.response>["messages"][number];

/** A message as the API and the stream of the page show it. */
export const wireMessage = ({
  number,
  receivedAt,
  destinationId,
  headers,
  body,
  webhook,
  event,
}: MailboxMessage): WireMessage => ({
  number,
  receivedAt: receivedAt.toISOString(),
  destinationId,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  body,
  webhook,
  event,
});
