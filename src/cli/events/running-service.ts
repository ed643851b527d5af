import { join } from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { readConfig } from "#config/config";
import { mailboxPageMax, mailboxUrl } from "#contract/mailbox.routes";
import { CommandError, say } from "../command.ts";
import { makeClient } from "../demo/client.ts";
import { developmentKeyFile, readDevelopmentKey } from "../serve/first-key.ts";

/** Options of the commands that call a running service. */
export const serviceOptions = { url: { type: "string" }, "key-from": { type: "string" } } as const;

export const serviceHelp = `  --url      base address of the service; default http://127.0.0.1 with IDEM_PORT
  --key-from environment variable with an API key of the test environment and the scope webhook; default: the development key
             of the data directory`;

export type ServiceValues = { readonly url?: string | undefined; readonly "key-from"?: string | undefined };

const listed = Compile(
  Type.Object({
    messages: Type.Array(
      Type.Object({
        number: Type.Integer(),
        receivedAt: Type.String(),
        destinationId: Type.String(),
        headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
        body: Type.String(),
        webhook: Type.Object({ holds: Type.Boolean(), reason: Type.Optional(Type.String()) }),
        event: Type.Object({ holds: Type.Boolean(), reason: Type.Optional(Type.String()) }),
      }),
    ),
  }),
);

const destinations = Compile(Type.Object({ destinations: Type.Array(Type.Object({ url: Type.String() })) }));

const created = Compile(Type.Object({ secret: Type.String() }));

/** A message of the mailbox, as its API shows it. */
export type ShownMessage = ReturnType<(typeof listed)["Parse"]>["messages"][number];

export type RunningService = {
  readonly url: string;
  readonly listMailbox: (after: number) => Promise<readonly ShownMessage[]>;
  /** Makes a destination for the mailbox where the tenant has none. Returns the secret of a new one. */
  readonly ensureMailbox: () => Promise<string | undefined>;
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

const findKey = async (variable: string | undefined, directory: string): Promise<string> => {
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
  ): Promise<unknown> => {
    const { status, body } = await call.catch(() => {
      throw new CommandError(`No service answers at ${url}. Start it, or name its address: --url`);
    });
    if (status !== 200) throw new CommandError(`The service at ${url} answered ${status}: ${reasonOf(body)}`);
    return body;
  };
  return {
    url,
    listMailbox: async (after) =>
      listed.Parse(await answered(client.get(`/operator/mailbox?after=${after}`))).messages,
    ensureMailbox: async () => {
      const { destinations: existing } = destinations.Parse(
        await answered(client.get("/operator/destinations")),
      );
      if (existing.some((one) => one.url === mailboxUrl)) return false;
      await answered(
        client.post("/operator/destinations", { name: "Mailbox", url: mailboxUrl, topics: ["*"] }),
      );
      return true;
    },
    post: async (path, body) => await answered(client.post(path, body)),
  };
};

const reasonOf = (body: unknown): string => {
  const fields = new Map<string, unknown>(Object.entries(Object(body)));
  return String(fields.get("detail") ?? fields.get("message") ?? fields.get("title") ?? "no reason");
};

const pollMs = 500;

/** Hands each message that arrives from now on, or from the oldest with `isFromStart`, to `take`, until `ending` aborts. */
export const followMailbox = async (
  service: Pick<RunningService, "listMailbox">,
  { isFromStart, ending }: { readonly isFromStart: boolean; readonly ending: AbortSignal },
  take: (message: ShownMessage) => Promise<void> | void,
): Promise<void> => {
  let last = isFromStart ? 0 : await lastNumber(service);
  while (!ending.aborted) {
    const messages = await service.listMailbox(last);
    for (const message of messages) {
      if (ending.aborted) return;
      await take(message);
      last = message.number;
    }
    if (messages.length < mailboxPageMax) await pause(pollMs, ending);
  }
};

const lastNumber = async ({ listMailbox }: Pick<RunningService, "listMailbox">): Promise<number> => {
  let last = 0;
  for (;;) {
    const messages = await listMailbox(last);
    last = messages.at(-1)?.number ?? last;
    if (messages.length < mailboxPageMax) return last;
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
