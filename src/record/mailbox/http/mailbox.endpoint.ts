import { type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { listMailboxRoute, mailboxPageMax } from "#contract/mailbox.routes";
import type { Mailbox } from "../mailbox.ts";
import type { MailboxOwner } from "../message.ts";
import { wireMessage } from "./wire-message.ts";

/** Fails with mailbox_live_key for the live environment, which has no mailbox. */
export const requireTest = ({ environment }: Pick<MailboxOwner, "environment">): void => {
  if (environment !== "test") throw new Failure("mailbox_live_key");
};

export const listMailboxEndpoint = (mailbox: Pick<Mailbox, "list">): Endpoint =>
  implement(listMailboxRoute, async (call) => {
    requireTest(call.caller);
    const messages = mailbox.list(call.caller, Number(call.request.after ?? 0), mailboxPageMax);
    return { timestamp: answeredAt(call).toISOString(), messages: messages.map(wireMessage) };
  });

/** Follows the mailbox of a caller for the page: each batch as it arrives. Ends when `signal` aborts. */
export type FollowMailbox = (
  owner: MailboxOwner,
  after: number,
  signal: AbortSignal,
) => AsyncGenerator<readonly ReturnType<typeof wireMessage>[], void>;

export const makeFollowMailbox = (mailbox: Pick<Mailbox, "list" | "wait">): FollowMailbox =>
  async function* (owner, after, signal) {
    let last = after;
    while (!signal.aborted) {
      const messages = mailbox.list(owner, last, mailboxPageMax);
      if (messages.length > 0) yield messages.map(wireMessage);
      last = messages.at(-1)?.number ?? last;
      await mailbox.wait(owner, last, signal);
    }
  };
