/** The mailbox of a running service: its messages as they arrive. */
import type { Static } from "typebox";
import { createDestinationRoute, listDestinationsRoute } from "#contract/destination.routes";
import { listMailboxRoute, mailboxPageMax, mailboxUrl } from "#contract/mailbox.routes";
import { makeCheck } from "#contract/make-check";
import { CommandError, say } from "../../command.ts";
import { type CalledService, reasonOf } from "./call-route.ts";

const message = makeCheck(listMailboxRoute.response.properties.messages.items);

/** A message of the mailbox, as its API shows it. */
export type ShownMessage = Static<typeof listMailboxRoute.response>["messages"][number];

export type Mailbox = {
  /** The number of the newest message that the mailbox has; 0 for none. */
  readonly lastNumber: () => Promise<number>;
  /** Makes a destination for the mailbox where the tenant has none. Returns the secret of a new one. */
  readonly ensure: () => Promise<string | undefined>;
  /** The messages after this number as they arrive, until `ending` aborts or the service ends the stream. */
  readonly follow: (after: number, ending: AbortSignal) => AsyncGenerator<ShownMessage, void>;
};

export const mailboxOf = (service: CalledService): Mailbox => {
  const { call } = service;
  return {
    lastNumber: async () => {
      let last = 0;
      for (;;) {
        const { messages } = await call(listMailboxRoute, { after: String(last) });
        last = messages.at(-1)?.number ?? last;
        if (messages.length < mailboxPageMax) return last;
      }
    },
    ensure: async () => {
      // A key without a mailbox, such as one of the live environment, is refused here, and nothing is made.
      await call(listMailboxRoute, { after: "0" });
      const { destinations } = await call(listDestinationsRoute, {});
      if (destinations.some((one) => one.url === mailboxUrl)) return undefined;
      const wished = { name: "Mailbox", url: mailboxUrl, topics: ["*"] };
      return (await call(createDestinationRoute, wished)).secret;
    },
    follow: (after, ending) => readStream(service, after, ending),
  };
};

/**
 * The mailbox of a service. Makes a destination for it where there is none, and reports a new one with its
 * secret.
 */
export const openMailbox = async (service: CalledService): Promise<Mailbox> => {
  const mailbox = mailboxOf(service);
  const secret = await mailbox.ensure();
  if (secret !== undefined) {
    say("A destination for the mailbox was made: it takes every event of the test environment.");
    say(`Its signing secret is not shown again: ${secret}`);
  }
  return mailbox;
};

/** The stream of the mailbox: server-sent events, each with one message in its line of data. */
async function* readStream(
  { url, key }: Pick<CalledService, "url" | "key">,
  after: number,
  ending: AbortSignal,
): AsyncGenerator<ShownMessage, void> {
  const path = `${url}/operator/mailbox/stream?after=${after}`;
  const answer = await fetch(path, { headers: { "x-api-key": key }, signal: ending }).catch(() => undefined);
  if (answer === undefined) return;
  if (!answer.ok || answer.body === null) {
    const body: unknown = await answer.json().catch(() => ({}));
    throw new CommandError(`The service at ${url} answered ${answer.status}: ${reasonOf(body)}`);
  }
  for await (const line of linesOf(answer.body)) {
    if (line.startsWith("data: ")) yield message.Parse(JSON.parse(line.slice("data: ".length)));
  }
}

/** The lines of a stream. A stream that is cut ends. */
async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const cut = { done: true, value: undefined } as const;
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => cut);
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** A service that restarts, or a stream at the end of its time, is asked again after this time. */
const againMs = 1_000;

/**
 * Hands each message that arrives from now on, or from the oldest with `isFromStart`, to `take`, until
 * `ending` aborts. A restarted service has an empty mailbox: numbers start again.
 */
export const followMailbox = async (
  mailbox: Pick<Mailbox, "follow" | "lastNumber">,
  { isFromStart, ending }: { readonly isFromStart: boolean; readonly ending: AbortSignal },
  take: (message: ShownMessage) => Promise<void> | void,
): Promise<void> => {
  let last = isFromStart ? 0 : await mailbox.lastNumber();
  while (!ending.aborted) {
    for await (const arrived of mailbox.follow(last, ending)) {
      last = arrived.number;
      await take(arrived);
    }
    if (ending.aborted) return;
    await pause(againMs, ending);
    last = Math.min(last, await mailbox.lastNumber());
  }
};

const pause = (ms: number, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ending.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
