import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Call, type Endpoint, implement, route } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { routes } from "#contract/routes";
import { writeOpenApi } from "#machine/http/openapi";
import type { ServerOptions } from "#machine/http/options";
import { goodBody, type Handle, post, startServer } from "#support/http/harness";
import { type Harness, makeHarness, openStore } from "#support/idempotency/harness";

let opened: Awaited<ReturnType<typeof openStore>>;
let harness: Harness;
let runs: number;

beforeAll(async () => {
  opened = await openStore();
});
afterAll(() => opened.close());
beforeEach(async () => {
  harness = await makeHarness(opened.store);
  runs = 0;
});

const counting: Handle = () => {
  runs += 1;
  return Promise.resolve({ seen: `run ${runs} ñ` });
};

const serve = (handle: Handle = counting, change: Partial<ServerOptions> = {}) => {
  const server = startServer({ handle, answerOnce: harness.answerOnce, ...change });
  return { ...server, key: server.makeKey({ tenantId: harness.tenantId }) };
};

const keyed = { "idempotency-key": "canary-key" };

describe("a POST with an Idempotency-Key", () => {
  it("is carried out once; retries get the same bytes and the header Idempotent-Replayed", async () => {
    const server = serve();
    const first = await post(server, server.key, goodBody, keyed);
    const again = await post(server, server.key, goodBody, { "idempotency-key": '"canary-key"' });
    expect([first.statusCode, first.body]).toEqual([200, '{"seen":"run 1 ñ"}']);
    expect([again.statusCode, again.rawPayload]).toEqual([200, first.rawPayload]);
    expect(again.headers["content-type"]).toBe(first.headers["content-type"]);
    expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([
      undefined,
      "true",
    ]);
    expect(server.lines.join()).not.toContain("canary-key");
  });

  it("runs every time without a key", async () => {
    const server = serve();
    await post(server, server.key, goodBody);
    expect((await post(server, server.key, goodBody)).body).toBe('{"seen":"run 2 ñ"}');
  });

  it("is refused with another body, even of the same meaning", async () => {
    const server = serve();
    await post(server, server.key, goodBody, keyed);
    const other = await post(server, server.key, JSON.stringify(goodBody, null, 1), keyed);
    expect([other.statusCode, other.json().failure]).toEqual([409, "idempotency_key_reused"]);
    expect(other.headers["retry-after"]).toBeUndefined();
    expect(runs).toBe(1);
  });

  it("is refused while the first call runs, with the time to wait", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = serve(async (call) => {
      await promise;
      return await counting(call);
    });
    const first = post(server, server.key, goodBody, keyed);
    await expect.poll(() => harness.counted).toEqual(["claimed"]);
    const early = await post(server, server.key, goodBody, keyed);
    expect([early.statusCode, early.json().failure]).toEqual([409, "idempotency_call_running"]);
    expect(early.headers["retry-after"]).toBe("1");
    resolve();
    const { rawPayload } = await first;
    expect((await post(server, server.key, goodBody, keyed)).rawPayload).toEqual(rawPayload);
  });

  it("that timed out gets the answer that its handler found afterwards", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow: Handle = async (call) => {
      await promise;
      return await counting(call);
    };
    const server = serve(slow, { limits: { requestTimeoutMs: 300 } });
    const first = await post(server, server.key, goodBody, keyed);
    expect(first.statusCode).toBe(504);
    expect((await post(server, server.key, goodBody, keyed)).statusCode).toBe(409);
    resolve();
    await expect
      .poll(async () => (await post(server, server.key, goodBody, keyed)).body)
      .toBe('{"seen":"run 1 ñ"}');
    expect(runs).toBe(1);
  });

  it("gets a final refusal again, to the byte", async () => {
    const server = serve(() => {
      runs += 1;
      return Promise.reject(new Failure("not_found"));
    });
    const first = await post(server, server.key, goodBody, keyed);
    const again = await post(server, server.key, goodBody, keyed);
    expect([again.statusCode, again.rawPayload]).toEqual([404, first.rawPayload]);
    expect(again.headers).toMatchObject({
      "content-type": "application/problem+json; charset=utf-8",
      "idempotent-replayed": "true",
    });
    expect(runs).toBe(1);
    const failures = server.logged().filter(({ message }) => message === "call");
    expect(failures.map(({ failure }) => failure)).toEqual(["not_found", "not_found"]);
  });

  it.each<readonly [number, Failure | Error]>([
    [503, new Failure("engine_busy")],
    [500, new Error("broken")],
    [500, new Failure("token_replayed")],
  ])("runs again after %i", async (status, error) => {
    let isBroken = true;
    const server = serve((call) => (isBroken ? Promise.reject(error) : counting(call)));
    expect((await post(server, server.key, goodBody, keyed)).statusCode).toBe(status);
    isBroken = false;
    expect((await post(server, server.key, goodBody, keyed)).statusCode).toBe(200);
  });

  it("may be corrected after a refusal of its form", async () => {
    const server = serve();
    expect((await post(server, server.key, { kind: "ONE" }, keyed)).statusCode).toBe(400);
    expect((await post(server, server.key, goodBody, keyed)).statusCode).toBe(200);
  });

  it.each(["", "ñ", "k".repeat(256)])("is refused before the handler runs: %j", async (value) => {
    const server = serve();
    const refused = await post(server, server.key, goodBody, { "idempotency-key": value });
    expect([refused.statusCode, refused.json().failure]).toEqual([400, "request_invalid"]);
    expect([runs, harness.counted]).toEqual([0, []]);
  });
});

const empty = Type.Object({ id: Type.Optional(Type.String()), ref: Type.Optional(Type.String()) });
const declared = { scope: "face", tag: "Test", summary: "s", request: empty, failures: [] } as const;

const endpoint = (change: Partial<Endpoint["route"]>, result: () => unknown): Endpoint =>
  implement(
    route({
      ...declared,
      name: "tested",
      method: "POST",
      path: "/tested",
      response: Type.Unknown(),
      ...change,
    }),
    () => Promise.resolve(result()),
  );

const answerOf = (change: Partial<Endpoint["route"]>, result: () => unknown = () => ({ run: ++runs })) => {
  const server = serve(counting, { endpoints: [endpoint(change, result)] });
  return async (
    url: string,
    options: { method?: "POST" | "GET" | "DELETE"; key?: string; payload?: object; id?: string } = {},
  ) => {
    const { method = "POST", key = server.key, payload = {}, id = "k" } = options;
    const headers = {
      "x-api-key": key,
      "content-type": "application/json",
      ...(id !== "" && { "idempotency-key": id }),
    };
    return await server.server.app.inject({ method, url, headers, ...(method !== "GET" && { payload }) });
  };
};

describe("an Idempotency-Key", () => {
  it("belongs to the path with its parameters", async () => {
    const send = answerOf({ path: "/tested/{id}" });
    expect((await send("/tested/1")).json()).toEqual({ run: 1 });
    expect((await send("/tested/1")).json()).toEqual({ run: 1 });
    expect((await send("/tested/2")).json()).toMatchObject({ failure: "idempotency_key_reused" });
  });

  it.each([
    ["the transaction that the stored answer states", (id: string) => ({ serviceTransactionId: id }), true],
    ["that transaction under its other name", (id: string) => ({ transactionId: id }), true],
    ["none where the answer states that of another call", () => ({ transactionId: randomUUID() }), false],
    [
      "none where the answer holds it in a text",
      (id: string) => ({ seen: `"transactionId":"${id}"` }),
      false,
    ],
  ])("gives the line of a retry in the log %s", async (_, write, isStated) => {
    const made: string[] = [];
    const handle = (call: Pick<Call<unknown>, "transactionId">) => {
      made.push(call.transactionId);
      return Promise.resolve(write(call.transactionId));
    };
    const tested = { ...declared, name: "tested", method: "POST", path: "/tested" } as const;
    const server = serve(counting, {
      endpoints: [implement(route({ ...tested, response: Type.Unknown() }), handle)],
    });
    const headers = { "x-api-key": server.key, "content-type": "application/json", ...keyed };
    for (let n = 0; n < 2; n += 1)
      await server.server.app.inject({ method: "POST", url: "/tested", headers, payload: "{}" });
    await expect.poll(() => server.logged()).toHaveLength(2);
    const ids = server.logged().map(({ transactionId }) => transactionId);
    expect(made).toHaveLength(1);
    expect(ids).toEqual(isStated ? [made[0], made[0]] : [undefined, undefined]);
  });

  it("belongs to one reviewer, because a reviewer is an API key", async () => {
    const server = serve(counting, { endpoints: [endpoint({ scope: "review" }, () => ({ run: ++runs }))] });
    const send = (key: string) =>
      server.server.app.inject({
        method: "POST",
        url: "/tested",
        headers: { "x-api-key": key, "content-type": "application/json", ...keyed },
        payload: "{}",
      });
    expect((await send(server.key)).json()).toEqual({ run: 1 });
    expect((await send(server.key)).json()).toEqual({ run: 1 });
    const second = server.makeKey({ tenantId: harness.tenantId });
    expect((await send(second)).json()).toMatchObject({ failure: "idempotency_key_taken" });
    const renewal = server.makeKey({ tenantId: harness.tenantId, lineage: "key-1" });
    expect((await send(renewal)).json()).toMatchObject({ failure: "idempotency_key_reused" });
  });

  it.each(["GET", "DELETE"] as const)("has no effect on %s, which repeats safely", async (method) => {
    const send = answerOf({ method });
    expect((await send("/tested", { method })).json()).toEqual({ run: 1 });
    expect((await send("/tested", { method })).json()).toEqual({ run: 2 });
  });

  it("replays the status that the route states for a result code, with its challenge", async () => {
    const send = answerOf({ statuses: { "-101": 401 } }, () => ({ serviceResultCode: -101, run: ++runs }));
    const [first, again] = [await send("/tested"), await send("/tested")];
    expect([again.statusCode, again.body]).toEqual([401, first.body]);
    expect(again.headers["www-authenticate"]).toBe(first.headers["www-authenticate"]);
    expect(again.headers["www-authenticate"]).toBeDefined();
  });

  it("does not keep an answer that reports a broken part of the service", async () => {
    const send = answerOf({}, () => ({ run: ++runs, outcome: runs === 1 ? "error" : "approved" }));
    expect((await send("/tested")).json()).toEqual({ run: 1, outcome: "error" });
    expect((await send("/tested")).json()).toEqual({ run: 2, outcome: "approved" });
    expect((await send("/tested")).json()).toEqual({ run: 2, outcome: "approved" });
  });
});

describe("the caller's own reference, where a route names its field", () => {
  it("makes an equal request a retry; another request is another call", async () => {
    const send = answerOf({ retryReference: "ref" });
    const payload = { ref: "order-1" };
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 1 });
    const again = await send("/tested", { payload, id: "" });
    expect([again.json(), again.headers["idempotent-replayed"]]).toEqual([{ run: 1 }, "true"]);
    expect((await send("/tested", { payload: { ...payload, id: "x" }, id: "" })).json()).toEqual({ run: 2 });
  });

  it("gives way to an Idempotency-Key", async () => {
    const send = answerOf({ retryReference: "ref" });
    const payload = { ref: "order-1" };
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 1 });
    expect((await send("/tested", { payload, id: "k" })).json()).toEqual({ run: 2 });
    expect((await send("/tested", { payload: { ref: "order-2" }, id: "k" })).statusCode).toBe(409);
  });

  it.each([{}, { ref: "" }])("is none in %j", async (payload) => {
    const send = answerOf({ retryReference: "ref" });
    await send("/tested", { payload, id: "" });
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 2 });
  });
});

describe("a token that one call may use, where a route names its field", () => {
  const minutes = (count: number): void => {
    harness.clock.now = new Date(harness.clock.now.getTime() + count * 60_000);
  };

  it("makes an equal request a retry until the token is forgotten; another request runs", async () => {
    const send = answerOf({ oneUseToken: "ref" });
    const payload = { ref: "token" };
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 1 });
    minutes(12 - 1 / 60_000);
    const again = await send("/tested", { payload, id: "" });
    expect([again.json(), again.headers["idempotent-replayed"]]).toEqual([{ run: 1 }, "true"]);
    const other = await send("/tested", { payload: { ...payload, id: "x" }, id: "" });
    expect(other.json()).toEqual({ run: 2 });
    minutes(1 / 60_000);
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 3 });
  });

  it("answers a retry with no stored refusal: the call is judged again", async () => {
    let isRefused = true;
    const send = answerOf({ oneUseToken: "ref", failures: ["token_replayed"] }, () => {
      runs += 1;
      if (isRefused) throw new Failure("token_replayed");
      return { run: runs };
    });
    const payload = { ref: "token" };
    expect((await send("/tested", { payload, id: "" })).statusCode).toBe(409);
    isRefused = false;
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 2 });
  });

  it("gives way to an Idempotency-Key", async () => {
    const send = answerOf({ oneUseToken: "ref" });
    const payload = { ref: "token" };
    expect((await send("/tested", { payload, id: "k" })).json()).toEqual({ run: 1 });
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 2 });
  });

  it.each([{}, { ref: "" }])("is none in %j", async (payload) => {
    const send = answerOf({ oneUseToken: "ref" });
    await send("/tested", { payload, id: "" });
    expect((await send("/tested", { payload, id: "" })).json()).toEqual({ run: 2 });
  });

  it("joins no calls where the service remembers none", async () => {
    const answerOnce = harness.make({ tokenKeptMs: 0 });
    const endpoints = [endpoint({ oneUseToken: "ref" }, () => ({ run: ++runs }))];
    const server = serve(counting, { answerOnce, endpoints });
    const headers = { "x-api-key": server.key, "content-type": "application/json" };
    const request = { method: "POST", url: "/tested", headers, payload: { ref: "token" } } as const;
    await server.server.app.inject(request);
    expect((await server.server.app.inject(request)).json()).toEqual({ run: 2 });
  });
});

describe("the specification", () => {
  const codes = [
    "idempotency_answer_lost",
    "idempotency_call_running",
    "idempotency_key_reused",
    "idempotency_key_taken",
  ];
  const document = JSON.parse(JSON.stringify(writeOpenApi(routes, "0")));

  it.each(routes.map((of) => [of.name, of.method, of] as const))(
    "of %s (%s) names the header and its failures on a POST by key alone",
    (_, method, { path, credential }) => {
      const operation = document.paths[path][method.toLowerCase()];
      const isPost = method === "POST" && credential === undefined;
      const named = { $ref: "#/components/parameters/IdempotencyKey" };
      expect(operation.parameters.some((one: object) => JSON.stringify(one) === JSON.stringify(named))).toBe(
        isPost,
      );
      const conflicts =
        String(operation.responses["409"]?.["$ref"] ?? "")
          .split("/")
          .at(-1) ?? "";
      const { content } = document.components.responses[conflicts] ?? {};
      const stated = Object.keys(content?.["application/problem+json"].examples ?? {});
      expect(codes.every((code) => stated.includes(code))).toBe(isPost);
      expect(operation.responses["200"].headers !== undefined).toBe(isPost);
    },
  );
});
