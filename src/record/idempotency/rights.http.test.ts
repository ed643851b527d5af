/**
 * Every POST of the contract, with every kind of API key, fresh and as a retry of another key's call. The
 * list of routes is that of the contract, so that a new route is covered by itself. Handlers are the test's
 * own: the server, the claims and their store are whole.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Endpoint, Route } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { routes } from "#contract/routes";
import { scopes } from "#contract/scope";
import type { KeyRecord, ServerOptions } from "#machine/http/options";
import { startServer } from "#support/http/harness";
import { type Harness, makeHarness, openStore } from "#support/idempotency/harness";

const secret = "canary-secret";
const lineage = "asking";
/** Keys without the right that the handlers judge beyond the scope. */
const withoutRight = "without right";

let opened: Awaited<ReturnType<typeof openStore>>;
let harness: Harness;
let runs: number;
let foreign: string;

beforeAll(async () => {
  opened = await openStore();
});
afterAll(() => opened.close());
beforeEach(async () => {
  harness = await makeHarness(opened.store);
  runs = 0;
  foreign = randomUUID();
  await opened.store.createTenant({ id: foreign, name: foreign, createdAt: new Date() });
});

const keyed = routes.filter(({ method, credential }) => method === "POST" && credential === undefined);

/** The object with the value at a path of members. */
const placed = (inside: object, [name = "", ...path]: readonly string[], value: unknown): object => {
  const former: unknown = Object.entries(inside).find(([one]) => one === name)?.[1];
  return { ...inside, [name]: path.length === 0 ? value : placed(Object(former ?? {}), path, value) };
};

/** Judges a right as the handlers of API keys do: by the caller, beyond the scope. */
const judge = ({ caller }: { readonly caller: { readonly keyId: string } }): void => {
  if (caller.keyId === withoutRight) throw new Failure("key_scope_refused", { scopes: "face" });
};

/** An endpoint of the route that counts its runs; it declares the failure of its right. */
const counting = (route: Route, waits?: Promise<void>): Endpoint => ({
  route: { ...route, failures: [...route.failures, "key_scope_refused"] },
  judgeRight: async (call) => judge(call),
  handle: async (call) => {
    judge(call);
    await waits;
    runs += 1;
    const { secrets = [], names = [] } = route.shownOnce ?? {};
    const members = [
      ...names.map((path) => [path, `name of run ${runs}`] as const),
      ...secrets.map((path) => [path, secret] as const),
    ];
    return members.reduce<object>((all, [path, value]) => placed(all, path.split("."), value), { run: runs });
  },
});

const serve = (route: Route, waits?: Promise<void>, change: Partial<ServerOptions> = {}) =>
  startServer({ endpoints: [counting(route, waits)], answerOnce: harness.answerOnce, ...change });

type Server = ReturnType<typeof serve>;

/** The kinds of keys that may send the same bytes with the same Idempotency-Key. */
const kinds: Readonly<Record<string, (route: Route) => Partial<KeyRecord>>> = {
  "the asking key": () => ({}),
  "its renewal": () => ({ id: "renewal", lineage }),
  "a renewal of its renewal": () => ({ id: "renewal of renewal", lineage }),
  "another key of the tenant": () => ({ id: "other" }),
  "another renewed key of the tenant": () => ({ id: "other", lineage: "another" }),
  "another key of the tenant without the handler's right": () => ({ id: withoutRight }),
  "its renewal without the handler's right": () => ({ id: withoutRight, lineage }),
  "a key with every other scope": ({ scope }) => ({
    id: "narrow",
    scopes: scopes.filter((one) => one !== scope),
  }),
  "its renewal with every other scope": ({ scope }) => ({
    id: "narrow renewal",
    lineage,
    scopes: scopes.filter((one) => one !== scope),
  }),
  "a key with the scope alone": ({ scope }) => ({ id: "alone", scopes: [scope] }),
  "a key of the other environment": () => ({ id: "live", environment: "live" }),
  "a key of another tenant": () => ({ id: "foreign", tenantId: foreign }),
  "the asking key after its revocation": () => ({ revokedAt: new Date(0) }),
  "the asking key after its end": () => ({ expiresAt: new Date(0) }),
  "the asking key after it lost the scope": ({ scope }) => ({
    scopes: scopes.filter((one) => one !== scope),
  }),
};

/** The kinds that own the call of the asking key. */
const owners: readonly string[] = ["the asking key", "its renewal", "a renewal of its renewal"];

const send = async ({ server }: Server, { path }: Route, key: string, id?: string) => {
  const { statusCode, headers, body } = await server.app.inject({
    method: "POST",
    url: path.replaceAll(/\{\w+\}/g, "x"),
    headers: { "x-api-key": key, "content-type": "application/json", ...(id && { "idempotency-key": id }) },
    payload: "{}",
  });
  return { status: statusCode, isReplayed: headers["idempotent-replayed"] === "true", body };
};

const isGiven = (status: number): boolean => status < 400;

/**
 * Kinds that get the stored answer. A reviewer is one API key, so that no renewal states what another key
 * stated.
 */
const mayGet = ({ shownOnce, scope }: Route, kind: string): boolean =>
  shownOnce === undefined && (scope === "review" ? kind === "the asking key" : owners.includes(kind));

describe.each(keyed.map((route) => [route.name, route] as const))("a retry of %s", (_, route) => {
  it("succeeds only where the call itself does, and for its owner alone", async () => {
    const { tenantId } = harness;
    const server = serve(route);
    const first = await send(server, route, server.makeKey({ id: lineage, tenantId }), "one");
    expect(first).toMatchObject({ status: 200, isReplayed: false });
    for (const [kind, changeOf] of Object.entries(kinds)) {
      const key = server.makeKey({ id: lineage, tenantId, ...changeOf(route) });
      const retried = await send(server, route, key, "one");
      const fresh = await send(server, route, key);
      const isFirst = retried.isReplayed && isGiven(retried.status) && retried.body === first.body;
      expect([kind, isFirst]).toEqual([kind, mayGet(route, kind)]);
      // Another tenant or environment carries out a call of its own.
      if (!isFirst) expect([kind, retried.isReplayed && isGiven(retried.status)]).toEqual([kind, false]);
      if (!isGiven(fresh.status)) expect([kind, retried.status]).toEqual([kind, fresh.status]);
      else expect([kind, [200, 409].includes(retried.status)]).toEqual([kind, true]);
    }
  });

  it("answers its owner alone that the call still runs", async () => {
    const { tenantId } = harness;
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = serve(route, promise);
    const first = send(server, route, server.makeKey({ id: lineage, tenantId }), "one");
    await expect.poll(() => harness.counted).toEqual(["claimed"]);
    try {
      for (const [kind, changeOf] of Object.entries(kinds)) {
        const change = changeOf(route);
        // A call of their own would wait here too.
        if (change.tenantId !== undefined || change.environment !== undefined) continue;
        const { status, body } = await send(
          server,
          route,
          server.makeKey({ id: lineage, tenantId, ...change }),
          "one",
        );
        expect([kind, isGiven(status)]).toEqual([kind, false]);
        const isOwner = owners.includes(kind) && (route.scope !== "review" || kind === "the asking key");
        expect([kind, body.includes("idempotency_call_running")]).toEqual([kind, isOwner]);
      }
    } finally {
      resolve();
      await first;
    }
  });

  it("takes from the rate of its key", async () => {
    const limits = { rate: { perSecond: 0.001, burst: route.cost ?? 1 } };
    const server = serve(route, undefined, { limits });
    const key = server.makeKey({ id: lineage, tenantId: harness.tenantId });
    expect((await send(server, route, key, "one")).status).toBe(200);
    expect((await send(server, route, key, "one")).status).toBe(429);
  });
});

const secretive = keyed.filter(({ shownOnce }) => shownOnce !== undefined);

describe.each(secretive.map((route) => [route.name, route] as const))("the secret of %s", (_, route) => {
  it("is in the first answer alone: a retry says that the call had its effect, names it and the next step", async () => {
    const server = serve(route);
    const key = server.makeKey({ tenantId: harness.tenantId });
    expect((await send(server, route, key, "one")).body).toContain(secret);
    for (let n = 0; n < 2; n += 1) {
      const again = await send(server, route, key, "one");
      expect([again.status, again.isReplayed]).toEqual([409, true]);
      expect(again.body).not.toContain(secret);
      const { failure, facts } = JSON.parse(again.body);
      const { names = [], next } = route.shownOnce ?? {};
      expect(failure).toBe("idempotency_secret_shown");
      expect(facts).toMatchObject({ next });
      for (const name of names) expect(facts[name.split(".").at(-1) ?? ""]).toBe("name of run 1");
    }
    expect(runs).toBe(1);
  });
});

describe("a page of a capture session", () => {
  it.each(
    routes
      .filter(({ credential }) => credential === "session")
      .map(({ name, path, method }) => [name, method, path]),
  )("gets no stored answer from %s: the route takes no Idempotency-Key and no key", async (name) => {
    const route = routes.find((one) => one.name === name);
    if (route === undefined) throw new Error(`There is no route ${name}`);
    const server = serve(route);
    const { status } = await send(server, route, server.makeKey({ tenantId: harness.tenantId }), "one");
    expect([401, 404, 405]).toContain(status);
    expect([runs, harness.counted]).toEqual([0, []]);
  });
});
