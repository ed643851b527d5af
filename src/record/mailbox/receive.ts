import { verifyEvent, verifyWebhook } from "#record/events/verify-event";
import type { Mailbox } from "./mailbox.ts";
import { mailboxBounds } from "./mailbox.ts";
import type { MailboxOwner, SignatureCheck } from "./message.ts";

/** A delivery as a receiver gets it. */
export type Delivery = {
  readonly destinationId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Secrets of the destination, the current one first. */
  readonly secrets: readonly string[];
};

/** Answers as an HTTP receiver does: 204 taken, 401 a signature does not hold, 413 too large. */
export type Receive = (owner: MailboxOwner, delivery: Delivery) => Promise<204 | 401 | 413>;

/**
 * Checks both signatures as a receiver outside would, and keeps the message with the results, also where one
 * fails.
 */
export const makeReceive =
  (mailbox: Pick<Mailbox, "put">, clock: () => Date): Receive =>
  async (owner, { destinationId, headers, body, secrets }) => {
    if (Buffer.byteLength(body) > mailboxBounds.bodyBytes) return 413;
    const receivedAt = clock();
    const webhook = await checked(verifyWebhook({ headers, body, secrets, now: receivedAt }));
    const event = await checked(verifyEvent(body, secrets));
    mailbox.put(owner, { receivedAt, destinationId, headers, body, webhook, event });
    return webhook.holds && event.holds ? 204 : 401;
  };

/** The refusals of the verification hold nothing of the message. */
const checked = async (verification: Promise<unknown>): Promise<SignatureCheck> => {
  try {
    await verification;
    return { holds: true };
  } catch (error) {
    return { holds: false, reason: error instanceof Error ? error.message : "The verification failed" };
  }
};
