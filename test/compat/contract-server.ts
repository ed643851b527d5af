import { randomBytes } from "node:crypto";
import { type Call, implement, type Route } from "#contract/endpoint";
import { exampleOf } from "#contract/example";
import { routes } from "#contract/routes";
import { makeSessionToken } from "#contract/session-token";
import type { FindPage } from "#machine/http/options";
import { startServer } from "#support/http/harness";
import { isObject, type JsonObject } from "../../scripts/contract/json.ts";

/** The example of a route's request, as the specification shows it. */
export const exampleFor = (route: Route): JsonObject => {
  const example = exampleOf(route.request);
  return isObject(example) ? example : {};
};

type Handle = (call: Call<unknown>) => Promise<unknown>;

type Answer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

const pageOrigin = "https://bank.example";

/** Every token opens a session of its own for the page of one origin, so that no rate is used up. */
export const findAnyPage =
  (tenantId = "tenant-1"): FindPage =>
  async (hash) => ({
    id: hash,
    holder: "page",
    origins: [pageOrigin],
    tenantId,
    environment: "test",
    keyId: "key-1",
  });

/** The headers of a caller: the token of a page where the route takes one, else the API key. */
export const credentialOf = ({ credential }: Route, key: string): Readonly<Record<string, string>> =>
  credential === "session"
    ? { authorization: `Bearer ${makeSessionToken(randomBytes)}`, origin: pageOrigin }
    : { "x-api-key": key };

/** What a caller sends beside the fields of the request. */
export type Sent = { readonly headers?: Readonly<Record<string, string>>; readonly payload?: Buffer };

/** The fields that the handler receives. */
const echo: Handle = async ({ request }) => ({ seen: request });

/** The product's server with every route of the contract; each has the given handler. */
export const startContract = (handle: Handle = echo) => {
  const harness = startServer({
    endpoints: routes.map((route) => implement(route, handle)),
    findPage: findAnyPage(),
  });
  const { app } = harness.server;
  const key = harness.makeKey();
  const call = async (route: Route, fields: JsonObject, sent: Sent = {}): Promise<Answer> => {
    const inPath = (name: string) => route.path.includes(`{${name}}`);
    const url = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(exampleFor(route)[name]));
    const others = Object.entries(fields).filter(([name]) => !inPath(name));
    const given = others.filter(([, value]) => value !== null);
    const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
    const { keyInQuery } = route;
    const answer = await app.inject({
      method: route.method,
      url,
      headers: {
        ...(keyInQuery === undefined && credentialOf(route, key)),
        ...(sent.payload !== undefined && { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(route.method === "GET"
        ? { query: { ...query, ...(keyInQuery !== undefined && { [keyInQuery]: key }) } }
        : { payload: sent.payload ?? Object.fromEntries(others) }),
    });
    return { status: answer.statusCode, body: answer.body, headers: answer.headers };
  };
  return { call, harness, key, close: () => app.close() };
};
