import { Type } from "typebox";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { type Call, type Endpoint, implement, route } from "#contract/endpoint";
import { type Scope, scopes } from "#contract/scope";
import { type LogLevel, makeCallLog } from "#machine/http/log";
import { makeMetrics } from "#machine/http/metrics";
import type { KeyRecord, KeyUse, ServerOptions } from "#machine/http/options";
import { buildServer, type IdemServer } from "#machine/http/server";

export const echoRoute = route({
  name: "echo",
  method: "POST",
  path: "/services/echo",
  scope: "face",
  tag: "Test",
  summary: "Answers with the handler's input",
  request: Type.Object({
    image: Type.String(),
    kind: Type.Enum(["ONE", "TWO"]),
    count: Type.Optional(Type.Integer()),
    nested: Type.Optional(Type.Object({ inner: Type.String() })),
  }),
  response: Type.Object({ seen: Type.Unknown() }),
  failures: ["engine_busy", "not_found"],
});

export type Handle = (call: Call<{ readonly image: string }>) => Promise<{ readonly seen: unknown }>;

/** An endpoint of the tests, so that the server is tested without the modules. */
const echo = (handle: Handle = async (call) => ({ seen: call.request })): Endpoint =>
  implement(echoRoute, handle);

export const goodBody = { image: "AAAA", kind: "ONE" };

export type Harness = {
  readonly server: IdemServer;
  readonly lines: string[];
  readonly logged: () => readonly Readonly<Record<string, unknown>>[];
  readonly uses: KeyUse[];
  readonly records: Map<string, KeyRecord>;
  /** Creates a key in the key source. */
  readonly makeKey: (record?: Partial<KeyRecord>) => string;
  /** Number of reads of the key source. */
  readonly lookUps: () => number;
};

type Change = Partial<ServerOptions> & { readonly handle?: Handle; readonly logLevel?: LogLevel };

/** A complete server over a key source in memory; real time unless a clock is given. */
export const startServer = ({
  handle,
  logLevel,
  endpoints = [echo(handle)],
  ...change
}: Change = {}): Harness => {
  const lines: string[] = [];
  const uses: KeyUse[] = [];
  const records = new Map<string, KeyRecord>();
  let lookUps = 0;
  const server = buildServer({
    endpoints,
    keys: {
      find: (hash) => {
        lookUps += 1;
        return Promise.resolve(records.get(hash));
      },
      touch: (batch) => {
        uses.push(...batch);
        return Promise.resolve();
      },
    },
    metrics: makeMetrics(),
    log: makeCallLog((line) => lines.push(line), change.clock ?? (() => new Date()), logLevel),
    findUnmet: () => Promise.resolve([]),
    readPublicKeys: () => Promise.resolve({ keys: [] }),
    version: "0.0.0-test",
    ...change,
  });
  const makeKey = (record: Partial<KeyRecord> = {}): string => {
    const key = makeApiKey(record.environment ?? "test");
    const hash = hashApiKey(key);
    const all: readonly Scope[] = scopes;
    const standard = {
      id: `key-${records.size + 1}`,
      tenantId: "tenant-1",
      environment: "test" as const,
      scopes: all,
    };
    records.set(hash, { ...standard, ...record, hash });
    return key;
  };
  const logged = () => lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  return { server, lines, logged, uses, records, makeKey, lookUps: () => lookUps };
};

/** Posts to the echo endpoint without a socket. */
export const post = (
  { server }: Harness,
  key: string | undefined,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) =>
  server.app.inject({
    method: "POST",
    url: echoRoute.path,
    headers: {
      ...(key !== undefined && { "x-api-key": key }),
      "content-type": "application/json",
      ...headers,
    },
    payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
