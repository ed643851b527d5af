import { CommandError, print, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { listenForEnd } from "../kit/end-signals.ts";
import { describeMessage } from "../kit/service/describe-message.ts";
import { findService } from "../kit/service/find-service.ts";
import { followMailbox, openMailbox, type ShownMessage } from "../kit/service/mailbox.ts";
import type * as words from "./listen.command.ts";

export const listen: Work<typeof words.listen> = async ({ forward: target, ...values }) => {
  const service = await findService(values);
  const ending = listenForEnd();
  const mailbox = await openMailbox(service);
  say(`Relaying events of ${service.url} to ${target.href}. Ctrl-C ends.`);
  await followMailbox(mailbox, { isFromStart: false, ending }, async (message) => {
    print(`${describeMessage(message)}  → ${await relay(message, target, ending)}`);
  });
  return 0;
};

/** As long as a delivery waits for its receiver by default. */
const relayMsMax = 15_000;

/** The status of the receiver, in words where there is none. A message is relayed once. */
const relay = async ({ headers, body }: ShownMessage, target: URL, ending: AbortSignal): Promise<string> => {
  try {
    const answer = await fetch(target, {
      method: "POST",
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
      body,
      redirect: "manual",
      signal: AbortSignal.any([ending, AbortSignal.timeout(relayMsMax)]),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    if (ending.aborted) return "ended";
    if (error instanceof TypeError && error.cause === undefined) {
      throw new CommandError(`A header of the message cannot be sent: ${error.message}`);
    }
    return "no answer";
  }
};
