/** Composition of the mailbox: what arrives at `mailbox:` destinations, and who reads it. */
import { randomUUID } from "node:crypto";
import { listMailboxEndpoint, makeFollowMailbox, requireTest } from "#record/mailbox/http/mailbox.endpoint";
import { triggerEventEndpoint } from "#record/mailbox/http/trigger-event.endpoint";
import { type Mailbox, makeMailbox } from "#record/mailbox/mailbox";
import { makeReceive, type Receive } from "#record/mailbox/receive";
import { makeMailboxSend } from "#record/mailbox/send-to-mailbox";
import type { RecordCall } from "#record/transactions/record-call";
import type { Send } from "#record/webhooks/send/send";
import type { Module } from "./module.ts";

/** The mailbox of this process. */
export type OpenedMailbox = { readonly mailbox: Mailbox; readonly receive: Receive };

export const openMailbox = (clock: () => Date): OpenedMailbox => {
  const mailbox = makeMailbox();
  return { mailbox, receive: makeReceive(mailbox, clock) };
};

/**
 * `send` with the destinations that are a mailbox. Without one in this process their deliveries are blocked.
 */
export const withMailbox = (send: Send, opened: OpenedMailbox | undefined): Send =>
  makeMailboxSend(send, opened?.receive);

export const mailboxModule = ({ mailbox }: OpenedMailbox, recordCall: RecordCall): Module => ({
  name: "mailbox",
  endpoints: [listMailboxEndpoint(mailbox), triggerEventEndpoint(recordCall, randomUUID)],
  mailbox: { admit: requireTest, follow: makeFollowMailbox(mailbox) },
});
