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

/** The verification for receivers: `verifyWebhook` and `verifyEvent` (record/events/verify-event.ts). They reject where it fails. */
export type Verify = {
  readonly webhook: (received: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly secrets: readonly string[];
    readonly now: Date;
  }) => Promise<unknown>;
  readonly event: (body: string, secrets: readonly string[]) => Promise<unknown>;
};

/** Answers as an HTTP receiver does: 204 taken, 401 a signature does not hold, 413 too large. */
export type Receive = (owner: MailboxOwner, delivery: Delivery) => Promise<204 | 401 | 413>;

/**
 * Checks both signatures as a receiver outside would, and keeps the message with the results, also where one fails.
 */
export const makeReceive =
  (mailbox: Pick<Mailbox, "put">, verify: Verify, clock: () => Date): Receive =>
  async (owner, { destinationId, headers, body, secrets }) => {
    if (Buffer.byteLength(body) > mailboxBounds.bodyBytes) return 413;
    const receivedAt = clock();
    const webhook = await checked(verify.webhook({ headers, body, secrets, now: receivedAt }));
    const event = await checked(verify.event(body, secrets));
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
