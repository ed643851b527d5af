import { join } from "node:path";
import { type Static, Type } from "typebox";
import { mailboxPageMax, mailboxUrl } from "#contract/mailbox.routes";
import { makeCheck } from "#contract/make-check";
import { readConfig } from "#machine/config/config";
import { CommandError, say } from "../command.ts";
import { makeClient } from "../demo/client.ts";
import { developmentKeyFile, readDevelopmentKey } from "../serve/first-key.ts";

/** Options of the commands that call a running service. */
export const serviceOptions = { url: { type: "string" }, "key-from": { type: "string" } } as const;

export type ServiceValues = { readonly url?: string | undefined; readonly "key-from"?: string | undefined };

const shownMessage = Type.Object({
  number: Type.Integer(),
  receivedAt: Type.String(),
  destinationId: Type.String(),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  body: Type.String(),
  webhook: Type.Object({ holds: Type.Boolean(), reason: Type.Optional(Type.String()) }),
  event: Type.Object({ holds: Type.Boolean(), reason: Type.Optional(Type.String()) }),
});

const message = makeCheck(shownMessage);
const listed = makeCheck(Type.Object({ messages: Type.Array(shownMessage) }));
const destinations = makeCheck(
  Type.Object({ destinations: Type.Array(Type.Object({ url: Type.String() })) }),
);

const created = makeCheck(Type.Object({ secret: Type.String() }));

/** A message of the mailbox, as its API shows it. */
export type ShownMessage = Static<typeof shownMessage>;

export type RunningService = {
  readonly url: string;
  /** The number of the newest message that the mailbox has; 0 for none. */
  readonly lastNumber: () => Promise<number>;
  /** Makes a destination for the mailbox where the tenant has none. Returns the secret of a new one. */
  readonly ensureMailbox: () => Promise<string | undefined>;
  /** The messages after this number as they arrive, until `ending` aborts or the service ends the stream. */
  readonly follow: (after: number, ending: AbortSignal) => AsyncGenerator<ShownMessage, void>;
  /** `nextStep` follows the reason of an answer 404. */
  readonly get: (path: string, nextStep?: string) => Promise<unknown>;
  readonly post: (path: string, body: unknown) => Promise<unknown>;
};

/** Makes a destination for the mailbox where there is none, and reports a new one with its secret. */
export const openMailboxOf = async ({
  ensureMailbox,
}: Pick<RunningService, "ensureMailbox">): Promise<void> => {
  const secret = await ensureMailbox();
  if (secret === undefined) return;
  say("A destination for the mailbox was made: it takes every event of the test environment.");
  say(`Its signing secret is not shown again: ${secret}`);
};

/** Finds the service and its key. Fails with CommandError and the next step. */
export const findService = async (values: ServiceValues): Promise<RunningService> => {
  const config = readConfig();
  const url = (values.url ?? `http://127.0.0.1:${config.http.port}`).replace(/\/+$/u, "");
  return connect(url, await findKey(values["key-from"], config.dataDirectory));
};

/** The key in the named environment variable, else the development key. Fails with CommandError. */
export const findKey = async (variable: string | undefined, directory: string): Promise<string> => {
  if (variable !== undefined) {
    const key = process.env[variable];
    if (!key) throw new CommandError(`The environment variable ${variable} of --key-from is not set.`);
    return key;
  }
  return await readDevelopmentKey(directory).catch(() => {
    throw new CommandError(
      `There is no ${join(directory, developmentKeyFile)}. Name an environment variable with a key: --key-from NAME`,
    );
  });
};

/** A running service, called with this key. */
export const connect = (url: string, key: string): RunningService => {
  const client = makeClient(url, key);
  const answered = async (
    call: Promise<{ readonly status: number; readonly body: unknown }>,
    nextStep = "",
  ): Promise<unknown> => {
    const { status, body } = await call.catch(() => {
      throw new CommandError(`No service answers at ${url}. Start it, or name its address: --url`);
    });
    if (status === 200) return body;
    const reason = [
      reasonOf(body).replace(/\.$/, ""),
      ...(status === 404 && nextStep ? [nextStep] : []),
    ].join(". ");
    throw new CommandError(`The service at ${url} answered ${status}: ${reason}`);
  };
  return {
    url,
    lastNumber: async () => {
      let last = 0;
      for (;;) {
        const { messages } = listed.Parse(await answered(client.get(`/operator/mailbox?after=${last}`)));
        last = messages.at(-1)?.number ?? last;
        if (messages.length < mailboxPageMax) return last;
      }
    },
    ensureMailbox: async () => {
      // A key without a mailbox, such as one of the live environment, is refused here, and nothing is made.
      await answered(client.get("/operator/mailbox?after=0"));
      const { destinations: existing } = destinations.Parse(
        await answered(client.get("/operator/destinations")),
      );
      if (existing.some((one) => one.url === mailboxUrl)) return undefined;
      const wished = { name: "Mailbox", url: mailboxUrl, topics: ["*"] };
      return created.Parse(await answered(client.post("/operator/destinations", wished))).secret;
    },
    get: async (path, nextStep) => await answered(client.get(path), nextStep),
    follow: (after, ending) => readStream(url, key, after, ending),
    post: async (path, body) => await answered(client.post(path, body)),
  };
};

/** The reason in the problem details of an answer. */
export const reasonOf = (body: unknown): string => {
  const fields = new Map<string, unknown>(Object.entries(Object(body)));
  const textOf = (name: string): readonly string[] => {
    const text = fields.get(name);
    return typeof text === "string" ? [text] : [];
  };
  const [title] = textOf("title");
  const [detail] = [...textOf("detail"), ...textOf("message")];
  return [title, detail].filter((text) => text !== undefined).join(". ") || "no reason";
};

/** The stream of the mailbox: server-sent events, each with one message in its line of data. */
async function* readStream(
  url: string,
  key: string,
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
 * Hands each message that arrives from now on, or from the oldest with `isFromStart`, to `take`, until `ending` aborts.
 * A restarted service has an empty mailbox: numbers start again.
 */
export const followMailbox = async (
  service: Pick<RunningService, "follow" | "lastNumber">,
  { isFromStart, ending }: { readonly isFromStart: boolean; readonly ending: AbortSignal },
  take: (message: ShownMessage) => Promise<void> | void,
): Promise<void> => {
  let last = isFromStart ? 0 : await service.lastNumber();
  while (!ending.aborted) {
    for await (const arrived of service.follow(last, ending)) {
      last = arrived.number;
      await take(arrived);
    }
    if (ending.aborted) return;
    await pause(againMs, ending);
    last = Math.min(last, await service.lastNumber());
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
