import { readConfig } from "#machine/config/config";
import { CommandError } from "../command.ts";
import { type Answer, makeClient } from "../demo/client.ts";
import { findKey, reasonOf } from "../events/running-service.ts";

/** Calls of a running service. Each fails with CommandError where the service does not answer 200. */
export type ServiceCalls = {
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: unknown) => Promise<unknown>;
};

type Values = { readonly url?: string | undefined; readonly "key-from"?: string | undefined };

/** Finds the service and its key. Fails with CommandError and the next step. */
export const callService = async (values: Values): Promise<ServiceCalls> => {
  const config = readConfig();
  const url = (values.url ?? `http://127.0.0.1:${config.http.port}`).replace(/\/+$/u, "");
  const client = makeClient(url, await findKey(values["key-from"], config.dataDirectory));
  const answered = async (call: Promise<Answer>): Promise<unknown> => {
    const { status, body } = await call.catch(() => {
      throw new CommandError(`No service answers at ${url}. Start it, or name its address: --url`);
    });
    if (status !== 200) {
      throw new CommandError(`The service at ${url} answered ${status}: ${reasonOf(body)}${factsOf(body)}`);
    }
    return body;
  };
  return {
    get: (path) => answered(client.get(path)),
    post: (path, body) => answered(client.post(path, body)),
  };
};

/** The facts of a failure, such as the id of a transfer that exists. */
const factsOf = (body: unknown): string => {
  const facts = new Map<string, unknown>(Object.entries(Object(body))).get("facts");
  const pairs = Object.entries(Object(facts)).map(([name, value]) => `${name}: ${String(value)}`);
  return pairs.length === 0 ? "" : ` (${pairs.join(", ")})`;
};
