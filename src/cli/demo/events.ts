import { eventOf } from "../kit/service/describe-message.ts";
import type { Mailbox, ShownMessage } from "../kit/service/mailbox.ts";

/** A delivery takes some milliseconds; the first retry comes after some seconds. */
const waitMsMax = 30_000;

/**
 * The events of an ended operation in their sequence, when all have arrived at the mailbox; those that
 * arrived within the time where one is missing. The position of operation_finished is their number.
 */
export const readEvents = async (
  { follow }: Pick<Mailbox, "follow">,
  operationId: string,
): Promise<readonly ShownMessage[]> => {
  const arrived = new Map<number, ShownMessage>();
  let last: number | undefined;
  for await (const message of follow(0, AbortSignal.timeout(waitMsMax))) {
    const event = eventOf(message);
    if (event.operationId !== operationId) continue;
    arrived.set(event.sequence, message);
    if (event.name === "operation_finished") last = event.sequence;
    if (arrived.size === last) break;
  }
  return [...arrived].sort(([a], [b]) => a - b).map(([, message]) => message);
};
