import { CommandError, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { listenForEnd } from "../serve/end-signals.ts";
import { describeMessage } from "./describe-message.ts";
import {
  findService,
  followMailbox,
  openMailboxOf,
  type ShownMessage,
  serviceOptions,
} from "./running-service.ts";

export const runListen: Run = async (args) => {
  const { values } = parseOptions(args, { ...serviceOptions, forward: { type: "string" } });
  const target = targetOf(values.forward);
  const service = await findService(values);
  const ending = listenForEnd();
  await openMailboxOf(service);
  say(`Relaying events of ${service.url} to ${target.href}. Ctrl-C ends.`);
  await followMailbox(service, { isFromStart: false, ending }, async (message) => {
    print(`${describeMessage(message)}  → ${await relay(message, target, ending)}`);
  });
  return 0;
};

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/** Events hold personal data: they leave this machine only by a destination, which the operator's rules cover. */
const targetOf = (given: string | undefined): URL => {
  if (given === undefined)
    throw new UsageError("Name the receiver: idem listen --forward http://127.0.0.1:3000/webhook");
  const target = URL.parse(given);
  if (target !== null && (target.username !== "" || target.password !== ""))
    throw new UsageError("--forward holds a user name or a password, which cannot be sent. Leave them out");
  if (target === null || target.protocol !== "http:" || !localHosts.includes(target.hostname)) {
    throw new UsageError(
      `--forward is ${JSON.stringify(given)}. Use an http address on this machine: ${localHosts.join(", ")}. Other receivers are destinations (idem webhooks).`,
    );
  }
  return target;
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
