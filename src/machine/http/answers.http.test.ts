import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { Failure, type FailureCode, failureKinds } from "#contract/failure";
import { eventually } from "#support/contract/eventually";
import { echoRoute, goodBody, post, startServer } from "#support/http/harness";
import { pipelinedMax } from "./pipelining.ts";

const failing = (failure: Failure | Error) => startServer({ handle: () => Promise.reject(failure) });

describe("failures", () => {
  it("become problem details with the request id, of a type with a page", async () => {
    const harness = failing(new Failure("engine_busy", { retryAfterSeconds: 7, waiting: 64 }));
    const answer = await post(harness, harness.makeKey(), goodBody, { "x-request-id": "abc-1" });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["retry-after"]).toBe("7");
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.json()).toEqual({
      type: "/errors/engine_busy",
      title: failureKinds.engine_busy.title,
      status: 503,
      detail: failureKinds.engine_busy.detail,
      failure: "engine_busy",
      facts: { waiting: 64 },
      requestId: "abc-1",
    });
    const page = await harness.server.app.inject({ url: "/errors/engine_busy" });
    expect(page.body).toContain(failureKinds.engine_busy.title);
  });

  it("of an unknown resource are the same to the byte", async () => {
    const harness = failing(new Failure("not_found"));
    const [one, other] = [
      await post(harness, harness.makeKey(), goodBody),
      await post(harness, harness.makeKey(), goodBody),
    ];
    expect([one.statusCode, one.body]).toEqual([404, other.body]);
    expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
  });

  it("are sent only if the route declares them", async () => {
    const harness = failing(new Failure("token_replayed"));
    const answer = await post(harness, harness.makeKey(), goodBody);
    expect([answer.statusCode, answer.json().failure]).toEqual([500, "internal_error"]);
    expect(harness.lines.join()).toContain("its route does not declare");
  });

  it("of every code have an answer with their status", async () => {
    const codes = Object.keys(failureKinds).filter((code): code is FailureCode => code in failureKinds);
    for (const code of codes) {
      const harness = startServer({
        endpoints: [
          { route: { ...echoRoute, failures: codes }, handle: () => Promise.reject(new Failure(code)) },
        ],
      });
      const answer = await post(harness, harness.makeKey(), goodBody);
      expect(answer.statusCode).toBe(failureKinds[code].status);
      expect(answer.body).not.toContain("undefined");
    }
  });

  it("of data that a newer release wrote ask for a later try, and name the part to the operator alone", async () => {
    const failure = new Failure(
      "stored_newer",
      {},
      { cause: new Error("The validation-record has another form") },
    );
    const route = { ...echoRoute, failures: ["stored_newer"] as const };
    const harness = startServer({ endpoints: [{ route, handle: () => Promise.reject(failure) }] });
    const answer = await post(harness, harness.makeKey(), goodBody);
    expect([answer.statusCode, answer.json().failure, answer.headers["retry-after"]]).toEqual([
      503,
      "stored_newer",
      "60",
    ]);
    expect(answer.body).not.toContain("validation-record");
    const line = harness.logged().find((entry) => entry["level"] === "error");
    expect(line).toMatchObject({
      message: expect.stringContaining("newer release"),
      causes: [{ code: "stored_newer" }, { message: "The validation-record has another form" }],
    });
  });

  it("of a time-stamp authority name it to the operator alone, once a minute, also where a thread asked", async () => {
    const words = "TimestampError: tsa.example cannot be reached (ECONNREFUSED)";
    const failure = new Failure("timestamp_failed", {}, { cause: words });
    const route = { ...echoRoute, failures: ["timestamp_failed"] as const };
    const harness = startServer({ endpoints: [{ route, handle: () => Promise.reject(failure) }] });
    for (const _ of [1, 2]) {
      const answer = await post(harness, harness.makeKey(), goodBody);
      expect([answer.statusCode, answer.json().failure]).toEqual([502, "timestamp_failed"]);
      expect(answer.body).not.toContain("tsa.example");
    }
    const lines = harness.logged().filter((entry) => entry["level"] === "error");
    expect(lines).toEqual([
      expect.objectContaining({ route: "echo", failure: "timestamp_failed", cause: words }),
    ]);
  });

  it("of a signer and of an engine name their cause to the operator", async () => {
    const cause = "Error: the card is gone";
    const failures = [
      new Failure("signer_unusable", { reason: "unreachable" }, { cause }),
      new Failure("engine_failed", {}, { cause }),
    ];
    const route = { ...echoRoute, failures: ["signer_unusable", "engine_failed"] as const };
    const harness = startServer({
      endpoints: [{ route, handle: () => Promise.reject(failures.shift() ?? new Error("Called too often")) }],
    });
    await post(harness, harness.makeKey(), goodBody);
    await post(harness, harness.makeKey(), goodBody);
    expect(harness.logged().filter((entry) => entry["level"] === "error")).toMatchObject([
      { failure: "signer_unusable", cause: `unreachable; ${cause}` },
      { causes: [{ code: "engine_failed" }, { message: cause }] },
    ]);
  });

  it("that are unexpected hide their cause from the caller and show it to the operator", async () => {
    const harness = failing(new TypeError("cannot read canary-8841", { cause: new Error("the cause") }));
    const answer = await post(harness, harness.makeKey(), goodBody);
    expect([answer.statusCode, answer.json().failure]).toEqual([500, "internal_error"]);
    expect(answer.body).not.toContain("canary");
    const line = harness.logged().find((entry) => entry["level"] === "error");
    expect(line).toMatchObject({ route: "echo", causes: [{ name: "TypeError" }, { message: "the cause" }] });
    expect(JSON.stringify(line)).toContain("answers.http.test.ts");
  });
});

describe("time", () => {
  it("ends a call with 504 and aborts its handler", async () => {
    const aborted = vi.fn<() => void>();
    const harness = startServer({
      limits: { requestTimeoutMs: 30 },
      handle: ({ signal }) => {
        signal.addEventListener("abort", aborted);
        return new Promise(() => undefined);
      },
    });
    const answer = await post(harness, harness.makeKey(), goodBody);
    expect([answer.statusCode, answer.body]).toEqual([504, '{"message":"Request timed out"}']);
    expect(aborted).toHaveBeenCalledOnce();
  });

  it("of a disconnected caller aborts the handler and is counted, not answered", async () => {
    const aborted = vi.fn<() => void>();
    const harness = startServer({
      handle: ({ signal }) => {
        signal.addEventListener("abort", aborted);
        return new Promise(() => undefined);
      },
    });
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const control = new AbortController();
    const call = fetch(`${address}${echoRoute.path}`, {
      method: "POST",
      headers: { "x-api-key": harness.makeKey(), "content-type": "application/json" },
      body: JSON.stringify(goodBody),
      signal: control.signal,
    });
    await wait(100);
    control.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => expect(aborted).toHaveBeenCalledOnce());
    await eventually(() => expect(harness.logged().at(-1)).toMatchObject({ route: "echo", status: 499 }));
    expect(harness.lines.join()).not.toContain('"level":"error"');
    await harness.server.drain();
  });
});

/** Sends bytes and returns the server's answer until it closes. */
const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("close", () => resolve(received));
  });

describe("requests that wait on one connection", () => {
  const get = (close = false) =>
    `GET /healthz HTTP/1.1\r\nHost: a\r\n${close ? "Connection: close\r\n" : ""}\r\n`;
  const answersTo = async (bytes: string): Promise<readonly string[]> => {
    const { server } = startServer();
    const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
    const answers = (await exchange(Number(port), bytes)).split("HTTP/1.1 ").slice(1);
    await server.drain();
    return answers;
  };
  const closing = (answers: readonly string[]) => answers.filter((one) => /^connection: close/im.test(one));

  it("are all answered below the limit", async () => {
    const answers = await answersTo(get().repeat(pipelinedMax - 2) + get(true));
    expect([answers.length, closing(answers).length]).toEqual([pipelinedMax - 1, 1]);
    expect(answers.every((one) => one.startsWith("200 "))).toBe(true);
  });

  it("are answered up to the limit, and the last answer closes the connection", async () => {
    const answers = await answersTo(get().repeat(pipelinedMax + 900));
    expect(answers).toHaveLength(pipelinedMax);
    expect(closing(answers)).toEqual([answers.at(-1)]);
    expect(answers.every((one) => one.startsWith("200 "))).toBe(true);
  });
});

describe("paths and methods", () => {
  it("answers 404 to a path that does not exist, without a key", async () => {
    const { server } = startServer();
    const answer = await server.app.inject({ method: "POST", url: "/services/nothing", payload: "x" });
    expect([answer.statusCode, answer.json().failure]).toEqual([404, "path_unknown"]);
  });

  it.each(["/services/echo/", "//services/echo", "/Services/echo", "/%zz", "/services/%2e%2e/echo"])(
    "answers 404 to %s",
    async (url) => {
      const { server } = startServer();
      expect((await server.app.inject({ method: "POST", url })).statusCode).toBe(404);
    },
  );

  it("answers 405 with Allow to another method, and 204 to OPTIONS", async () => {
    const { server } = startServer();
    const wrong = await server.app.inject({ method: "GET", url: echoRoute.path });
    expect([wrong.statusCode, wrong.headers["allow"]]).toEqual([405, "POST, OPTIONS"]);
    const options = await server.app.inject({ method: "OPTIONS", url: echoRoute.path });
    expect([options.statusCode, options.headers["allow"], options.body]).toEqual([204, "POST, OPTIONS", ""]);
    expect(options.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("answers HEAD where it answers GET, without a body", async () => {
    const answer = await startServer().server.app.inject({ method: "HEAD", url: "/healthz" });
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
  });

  it("answers bytes that are not HTTP with 400 and closes", async () => {
    const { server } = startServer();
    const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
    const text = await exchange(Number(port), "NONSENSE\r\n\r\n");
    expect(text).toMatch(/^HTTP\/1.1 400 .*Connection: close/s);
    await server.drain();
  });
});

describe("headers", () => {
  it("of every answer forbid caching, sniffing, framing and referrers", async () => {
    const harness = startServer({ isBehindTls: true });
    for (const answer of [
      await post(harness, harness.makeKey(), goodBody),
      await post(harness, undefined, goodBody),
      await harness.server.app.inject({ url: "/none" }),
      await harness.server.app.inject({ url: "/%zz" }),
    ]) {
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "strict-transport-security": "max-age=63072000; includeSubDomains",
      });
    }
  });

  it("are also on the answer to bytes that are not HTTP", async () => {
    const { server } = startServer({ isBehindTls: true });
    const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
    const [head = ""] = (await exchange(Number(port), "NONSENSE\r\n\r\n")).split("\r\n\r\n");
    expect(head.toLowerCase().split("\r\n")).toEqual(
      expect.arrayContaining([
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "strict-transport-security: max-age=63072000; includesubdomains",
      ]),
    );
    await server.drain();
  });

  it("return a safe request id and replace any other", async () => {
    const harness = startServer();
    const key = harness.makeKey();
    const kept = await post(harness, key, goodBody, { "x-request-id": "order-1:2.3" });
    expect(kept.headers["x-request-id"]).toBe("order-1:2.3");
    for (const id of ['a"b', "a b", "x".repeat(200), ""]) {
      const replaced = await post(harness, key, goodBody, { "x-request-id": id });
      expect(replaced.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("the log", () => {
  it("has one line per call with exactly the allowed fields", async () => {
    const harness = startServer();
    await post(harness, harness.makeKey({ id: "k", tenantId: "t" }), goodBody);
    await eventually(() => expect(harness.lines).toHaveLength(1));
    const [line] = harness.logged();
    expect(Object.keys(line ?? {}).sort()).toEqual([
      "bytesIn",
      "bytesOut",
      "keyId",
      "level",
      "message",
      "ms",
      "requestId",
      "route",
      "status",
      "tenantId",
      "time",
    ]);
    expect(line).toMatchObject({ route: "echo", status: 200, tenantId: "t", keyId: "k" });
    expect(line?.["bytesIn"]).toBe(JSON.stringify(goodBody).length);
  });

  it("names the transaction that an answer states, which leads from a request id to the record of its call", async () => {
    const made: string[] = [];
    const answering = (write: (id: string) => Readonly<Record<string, string>>) =>
      startServer({
        endpoints: [
          {
            route: echoRoute,
            handle: (call) => {
              made.push(call.transactionId);
              return Promise.resolve(write(call.transactionId));
            },
          },
        ],
      });
    const logged = async (harness: ReturnType<typeof startServer>): Promise<unknown> => {
      await post(harness, harness.makeKey(), goodBody, { "x-request-id": "order-1" });
      await eventually(() => expect(harness.lines).toHaveLength(1));
      expect(harness.logged()[0]).toMatchObject({ requestId: "order-1" });
      return harness.logged()[0]?.["transactionId"];
    };
    expect(await logged(answering((serviceTransactionId) => ({ serviceTransactionId })))).toBe(made[0]);
    expect(await logged(answering((transactionId) => ({ transactionId })))).toBe(made[1]);
    expect(await logged(answering(() => ({ transactionId: "of another call" })))).toBeUndefined();
    expect(await logged(failing(new Failure("not_found")))).toBeUndefined();
  });

  it("counts the bytes of every answer, refusals and pages among them", async () => {
    const harness = startServer();
    const answers = [
      await post(harness, harness.makeKey(), { ...goodBody, image: "\u00e4" }),
      await post(harness, harness.makeKey(), {}),
      await post(harness, undefined, goodBody),
      await harness.server.app.inject({ url: "/docs/reader.js" }),
      await harness.server.app.inject({ url: "/openapi.json" }),
    ];
    await eventually(() => expect(harness.lines).toHaveLength(answers.length));
    const counted = harness.logged().map(({ bytesOut }) => bytesOut);
    expect(counted).toEqual(answers.map(({ rawPayload }) => rawPayload.length));
    expect(counted).not.toContain(0);
  });

  it("reports a storage outage once a minute, with its cause and without a stack", async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const cause = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
    const harness = startServer({
      clock: () => new Date(nowMs),
      handle: () => Promise.reject(new Failure("store_unavailable", {}, { cause })),
    });
    const key = harness.makeKey();
    const errors = () => harness.logged().filter(({ level }) => level === "error");
    for (let call = 0; call < 3; call++) {
      const answer = await post(harness, key, goodBody);
      expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
    }
    expect(errors()).toMatchObject([
      { route: "echo", failure: "store_unavailable", cause: "Error (ECONNREFUSED): connect refused" },
    ]);
    expect(JSON.stringify(errors())).not.toContain("stack");
    nowMs += 60_000;
    await post(harness, key, goodBody);
    expect(errors()).toHaveLength(2);
    expect(errors()[1]).toMatchObject({ leftOut: 2 });
  });

  it.each([
    ["upstream_failed", "GTM; it answered 500; Error: no JSON"],
    ["timed_out", "GTM; it answered 500; Error: no JSON"],
  ] as const)("names the external service behind %s", async (code, cause) => {
    const facts = { country: "GTM", reason: "it answered 500" };
    const harness = startServer({
      handle: () => Promise.reject(new Failure(code, facts, { cause: new Error("no JSON") })),
    });
    await post(harness, harness.makeKey(), goodBody);
    const errors = harness.logged().filter(({ level }) => level === "error");
    expect(errors).toMatchObject([{ route: "echo", failure: code, cause }]);
  });

  it("says nothing more of a call that ran out of its own time", async () => {
    const harness = startServer({ handle: () => Promise.reject(new Failure("timed_out")) });
    await post(harness, harness.makeKey(), goodBody);
    expect(harness.logged().map(({ level, message }) => [level, message])).toEqual([["warn", "call"]]);
  });

  it.each([
    ["debug", ["debug readyz", "info echo", "error echo", "warn echo"]],
    ["info", ["info echo", "error echo", "warn echo"]],
    ["warn", ["error echo", "warn echo"]],
    ["error", ["error echo"]],
    ["silent", []],
  ] as const)("of level %s holds nothing less severe", async (logLevel, expected) => {
    let isBroken = false;
    const harness = startServer({
      logLevel,
      handle: () => (isBroken ? Promise.reject(new Error("broken")) : Promise.resolve({ seen: 1 })),
    });
    await harness.server.app.inject({ url: "/readyz" });
    await post(harness, harness.makeKey(), goodBody);
    isBroken = true;
    await post(harness, harness.makeKey(), goodBody);
    // The line of a call is written when its socket is done, an event-loop turn after the answer.
    await wait(20);
    expect(harness.logged().map(({ level, route }) => `${String(level)} ${String(route)}`)).toEqual(expected);
  });

  it("names probes separately, at debug level with any answer", async () => {
    const harness = startServer({
      logLevel: "debug",
      findUnmet: () => Promise.resolve(["store: does not answer"]),
    });
    for (const url of ["/healthz", "/readyz", "/metrics"]) await harness.server.app.inject({ url });
    await eventually(() => expect(harness.lines).toHaveLength(3));
    expect(harness.logged()).toMatchObject([
      { level: "debug", route: "healthz", status: 200 },
      { level: "debug", route: "readyz", status: 503 },
      { level: "debug", route: "metrics", status: 200 },
    ]);
  });

  it("never holds parts of bodies, URLs, headers or keys", async () => {
    const canary = "canary-5520";
    const harnesses = [
      startServer(),
      startServer({
        handle: ({ request }) => Promise.reject(new Error(`Unexpected token in "${request.image}"`)),
      }),
      startServer({
        handle: ({ request }) => Promise.reject(new Error("bad", { cause: JSON.parse(request.image) })),
      }),
    ];
    for (const harness of harnesses) {
      const key = harness.makeKey();
      await post(harness, key, { ...goodBody, image: canary, [canary]: canary });
      await post(harness, key, `{"image": ${canary}}`);
      await post(harness, key, { image: 1, kind: canary }, { "app-name": canary, "user-agent": canary });
      await harness.server.app.inject({
        url: `/${canary}?q=${canary}`,
        headers: { "x-forwarded-for": canary },
      });
      await eventually(() => expect(harness.lines.length).toBeGreaterThanOrEqual(4));
      const text = harness.lines.join("\n");
      expect(text).not.toContain("canary");
      expect(text).not.toContain(key);
      expect(text).not.toContain("127.0.0.1");
    }
  });
});
