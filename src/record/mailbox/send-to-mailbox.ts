import { mailboxUrl } from "#contract/mailbox.routes";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import type { Destination } from "#record/webhooks/destinations/destination";
import type { JudgeReceiver } from "#record/webhooks/destinations/judge-test-receiver";
import { headersOf } from "#record/webhooks/send/message-headers";
import type { Send, SendResult } from "#record/webhooks/send/send";
import type { Receive } from "./receive.ts";

/** Reasons of deliveries to the mailbox that are not made. */
const liveReason = "The mailbox takes events of the test environment only";

const absentReason =
  "The process that delivers has no mailbox: run the service in one process, or deliver to a URL";

const isMailbox = ({ url }: Pick<Destination, "url">): boolean => url === mailboxUrl;

/**
 * Hands messages of `mailbox:` destinations to the mailbox of their own tenant, inside this process, and all
 * others to `send`. No connection is made, so that the rules of outgoing calls need no exception for
 * addresses of this machine. `receive` is undefined in a process that has no mailbox.
 */
export const makeMailboxSend =
  (send: Send, receive: Receive | undefined): Send =>
  async (destination, message, signal) => {
    if (!isMailbox(destination)) return await send(destination, message, signal);
    signal?.throwIfAborted();
    const startedMs = performance.now();
    const spent = () => ({ timings: { totalMs: performance.now() - startedMs } });
    if (destination.environment !== "test") return { outcome: "blocked", reason: liveReason, ...spent() };
    if (receive === undefined) return { outcome: "blocked", reason: absentReason, ...spent() };
    const { tenantId, environment, id, secrets } = destination;
    const headers = headersOf(destination, message, signStandardWebhook);
    const delivery = {
      destinationId: id,
      headers: ownOf(headers),
      body: message.body,
      secrets,
    };
    const status = await receive({ tenantId, environment }, delivery);
    return { ...resultOf(status), ...spent() };
  };

const ownHeaders: ReadonlySet<string> = new Set([
  "content-type",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]);

/**
 * Readers of the mailbox see what this service states: no value of a destination's own header, and no key.
 */
const ownOf = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => ownHeaders.has(name)));

const resultOf = (status: Awaited<ReturnType<Receive>>): Pick<SendResult, "outcome" | "status"> => ({
  outcome: status === 204 ? "delivered" : "refused",
  status,
});

/**
 * Accepts `mailbox:` beside the URLs that are accepted otherwise, but for live keys: the mailbox shows test
 * events alone.
 */
export const acceptingMailbox =
  (judge: JudgeReceiver): JudgeReceiver =>
  (url, environment) => {
    if (url !== mailboxUrl) return judge(url, environment);
    return environment === "live" ? "mailbox: takes the events of test keys only" : undefined;
  };
