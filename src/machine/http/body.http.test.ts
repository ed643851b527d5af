import { createHash } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { EncodedBytes } from "#contract/base64";
import { validationStatusRoute } from "#contract/document-validation.routes";
import { implement, type Route } from "#contract/endpoint";
import { evaluatePassiveLivenessRoute } from "#contract/face.routes";
import { Failure } from "#contract/failure";
import { deleteUsersRoute } from "#contract/user.routes";
import { eventually } from "#support/contract/eventually";
import { echoRoute, goodBody, type Harness, post, startServer } from "#support/http/harness";
import { addBodyParser } from "./body.ts";
import { makeCallLog } from "./log.ts";
import { makeMetrics } from "./metrics.ts";
import { type ServerLimits, standardLimits } from "./options.ts";
import { makePacing } from "./pace-reading.ts";
import { readBody } from "./read-json.ts";
import { makeRequestContexts } from "./request-context.ts";

const never = () => Promise.reject(new Error("The handler must not be reached"));

const realRoutes: readonly Route[] = [deleteUsersRoute, validationStatusRoute, evaluatePassiveLivenessRoute];

/** Real routes whose handlers are never reached. */
const withRoutes = (limits: Partial<ServerLimits> = {}) =>
  startServer({
    endpoints: realRoutes.map((route) => implement(route, never)),
    limits: { bodyBytesMax: 37_748_736, fieldBytesMax: 12_583_936, ...limits },
  });

const send = async (harness: Harness, path: string, body: string, method: "POST" | "DELETE" = "POST") => {
  const answer = await harness.server.app.inject({
    method,
    url: path,
    headers: { "x-api-key": harness.makeKey(), "content-type": "application/json" },
    payload: body,
  });
  return answer.json();
};

describe("the limit of a body", () => {
  it.each([
    [validationStatusRoute, 9_757],
    [deleteUsersRoute, 1_647_345],
    [evaluatePassiveLivenessRoute, 18_984_383],
  ])("is that of its route, which a refusal names: %#", async ({ path, method }, bytesMax) => {
    const harness = withRoutes();
    const sent = method === "DELETE" ? "DELETE" : "POST";
    expect(await send(harness, path, " ".repeat(bytesMax + 1), sent)).toMatchObject({
      status: 413,
      failure: "body_too_large",
      facts: { bytesMax },
    });
    expect((await send(harness, path, " ".repeat(bytesMax), sent)).failure).toBe("json_unreadable");
  });

  it("is never above that of the operator", async () => {
    const harness = withRoutes({ bodyBytesMax: 100_000 });
    const body = " ".repeat(100_001);
    expect(await send(harness, evaluatePassiveLivenessRoute.path, body)).toMatchObject({
      failure: "body_too_large",
      facts: { bytesMax: 100_000 },
    });
  });
});

describe("a body without sense", () => {
  const hostile = {
    "34 MB of numbers in a list of texts": `{"userIds":[${"1,".repeat(17_000_000)}1]}`,
    "1 MB of numbers in a list of texts": `{"userIds":[${"1,".repeat(500_000)}1]}`,
    "9,000 numbers in a list of 1,000 texts": `{"userIds":[${"1,".repeat(9_000)}1]}`,
    "1,000 numbers in a list of texts": `{"userIds":[${"1,".repeat(999)}1]}`,
  };
  it.each([
    ["34 MB of numbers in a list of texts", "body_too_large"],
    ["1 MB of numbers in a list of texts", "json_unreadable"],
    ["9,000 numbers in a list of 1,000 texts", "request_invalid"],
    ["1,000 numbers in a list of texts", "request_invalid"],
  ] as const)("is refused before it costs: %s", async (name, failure) => {
    const harness = withRoutes();
    const answer = await send(harness, deleteUsersRoute.path, hostile[name], "DELETE");
    expect(answer.failure).toBe(failure);
    if (name === "9,000 numbers in a list of 1,000 texts") {
      expect(answer.errors).toEqual(["userIds: must not have more than 1000 items"]);
    }
    if (name === "1,000 numbers in a list of texts") expect(answer.errors).toHaveLength(64);
  });

  it.each([
    ["18 million brackets", `{"x":${"[".repeat(9_000_000)}${"]".repeat(9_000_000)}}`, { depthMax: 32 }],
    ["6 million empty lists", `{"x":[${"[],".repeat(6_000_000)}[]]}`, { tokensMax: 10_000 }],
    ["18 million spaces", `{"x":${" ".repeat(18_000_000)}1}`, { otherBytesMax: 2_097_152 }],
  ])("is refused with its reason: %s", async (_, body, facts) => {
    const answer = await send(withRoutes(), evaluatePassiveLivenessRoute.path, body);
    expect(answer).toMatchObject({ status: 400, failure: "json_unreadable", facts });
  });

  it("is never quoted", async () => {
    const answer = await send(withRoutes(), deleteUsersRoute.path, '{"canary-3391": canary-3391}', "DELETE");
    expect(answer.facts).toEqual({ reason: "it is not JSON", line: 1, column: 17 });
    expect(JSON.stringify(answer)).not.toContain("canary");
  });
});

describe("a compressed body", () => {
  it("is refused with 415 and the accepted encodings, before it is read", async () => {
    const harness = startServer();
    const gzipped = gzipSync(JSON.stringify(goodBody));
    for (const encoding of ["gzip", "br", "gzip, identity", "identity, identity"]) {
      const answer = await post(harness, harness.makeKey(), gzipped, { "content-encoding": encoding });
      expect([answer.statusCode, answer.json().failure, answer.headers["accept-encoding"]]).toEqual([
        415,
        "encoding_unsupported",
        "identity",
      ]);
    }
    const plain = await post(harness, harness.makeKey(), goodBody, { "content-encoding": "Identity" });
    expect(plain.statusCode).toBe(200);
  });
});

/** Sends bytes as they are and returns the whole answer. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      received += data.toString();
    });
    socket.on("close", () => resolve(received));
  });

const listen = async (harness: Harness) => {
  const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
  return { address, port: Number(new URL(address).port) };
};

describe("a broken request", () => {
  it.each([
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "http_unreadable"],
    ["two Hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "http_unreadable"],
    ["no HTTP", "NONSENSE\r\n\r\n", 400, "http_unreadable"],
    [
      "large headers",
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
  ])("is answered with problem details and closed: %s", async (_, text, status, failure) => {
    const harness = startServer();
    const { port } = await listen(harness);
    const [head = "", body = ""] = (await exchange(port, text)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, "is"));
    expect(JSON.parse(body)).toMatchObject({
      status,
      failure,
      type: `http://127.0.0.1:${port}/errors/${failure}`,
    });
    await harness.server.drain();
  });

  it("is not a request of HTTP/1.0 without Host, nor one with an unknown expectation", async () => {
    const harness = startServer();
    const { port } = await listen(harness);
    expect(await exchange(port, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
    const asking = "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n";
    expect(await exchange(port, asking)).toMatch(/^HTTP\/1.1 200 /);
    await harness.server.drain();
  });
});

/** Sends a body to its end, whatever the service answers meanwhile, and then reads the answer. */
const sendAll = (port: number, head: string, chunks: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = "";
    const chunk = Buffer.alloc(1024 ** 2, " ");
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, async () => {
      socket.write(head);
      for (let sent = 0; sent < chunks && !socket.destroyed; sent++) {
        if (!socket.write(chunk)) await new Promise((go) => socket.once("drain", go).once("close", go));
      }
      socket.on("data", (data) => {
        received += data.toString();
      });
      socket.end();
    });
    socket.once("error", reject).once("close", () => resolve(received));
  });

describe("an answer before the end of the body", () => {
  it("arrives even if the connection ends after it and the whole body is sent first", async () => {
    const harness = withRoutes();
    const { port } = await listen(harness);
    const head = [
      `DELETE ${deleteUsersRoute.path} HTTP/1.1`,
      "Host: a",
      "Connection: close",
      "Content-Type: application/json",
      `X-Api-Key: ${harness.makeKey()}`,
      `Content-Length: ${32 * 1024 ** 2}`,
    ];
    const answer = await sendAll(port, `${head.join("\r\n")}\r\n\r\n`, 32);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*"failure":"body_too_large"/s);
    await harness.server.drain();
  });
});

/** A request as bytes, with a body of `length` bytes of which `sent` follow at once. */
const postBytes = (key: string, length: number, sent: string): string =>
  [
    `POST ${echoRoute.path} HTTP/1.1`,
    "Host: a",
    "Content-Type: application/json",
    `X-Api-Key: ${key}`,
    `Content-Length: ${length}`,
    "",
    sent,
  ].join("\r\n");

/** A connection that the test ends by itself, and what the service has sent on it. */
const openSocket = async (port: number) => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const state = { received: "", isEnded: false };
  socket.on("data", (data) => {
    state.received += data.toString();
  });
  socket.on("error", () => undefined);
  socket.on("end", () => {
    state.isEnded = true;
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  return { socket, state };
};

describe("a connection", () => {
  const body = JSON.stringify(goodBody);

  it("that ends during the admission holds no bytes, and its call is not carried out", async () => {
    const admitted = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const harness = startServer({
      keys: {
        find: async (hash) => {
          asked.resolve();
          await admitted.promise;
          return harness.records.get(hash);
        },
        touch: () => Promise.resolve(),
      },
      handle: async () => ({ seen: calls++ }),
    });
    const { port } = await listen(harness);
    const { socket } = await openSocket(port);
    socket.write(postBytes(harness.makeKey(), body.length, body));
    await asked.promise;
    socket.destroy();
    await eventually(() => expect(harness.lines).toHaveLength(1));
    admitted.resolve(undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 0");
    expect(calls).toBe(0);
    await harness.server.drain();
  });

  it("carries out no request after its last answer", async () => {
    let calls = 0;
    const harness = startServer({ handle: async () => ({ seen: calls++ }) });
    const { port } = await listen(harness);
    const { socket, state } = await openSocket(port);
    socket.write(postBytes(harness.makeKey(), 10, "").replace("Host: a\r\n", ""));
    await eventually(() => expect(state.isEnded).toBe(true));
    expect(state.received).toMatch(/^HTTP\/1.1 400 .*\r\nconnection: close\r\n/is);
    socket.write(`0123456789${postBytes(harness.makeKey(), body.length, body)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls).toBe(0);
    expect(state.received.match(/HTTP\/1.1 \d/g)).toHaveLength(1);
    socket.destroy();
    await harness.server.drain();
  });

  it("that turns to nonsense while a call runs gets no answer in the call's place", async () => {
    const running = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<{ readonly seen: unknown }>();
    const harness = startServer({
      handle: () => {
        running.resolve();
        return ended.promise;
      },
    });
    const { port } = await listen(harness);
    const { socket, state } = await openSocket(port);
    socket.write(postBytes(harness.makeKey(), body.length, body));
    await running.promise;
    socket.write("NONSENSE\r\n\r\n");
    await eventually(() => expect(state.isEnded).toBe(true));
    expect(state.received).toBe("");
    socket.destroy();
    ended.resolve({ seen: 1 });
    await harness.server.drain();
  });
});

describe("a drain", () => {
  it("waits for a body that arrives, and answers its call", async () => {
    const harness = startServer({ limits: { drainMs: 5_000 } });
    const { port } = await listen(harness);
    const { socket, state } = await openSocket(port);
    const body = JSON.stringify(goodBody);
    socket.write(postBytes(harness.makeKey(), body.length, body.slice(0, 5)));
    await eventually(async () =>
      expect(await gauges(harness)).toContain(`idem_http_body_bytes_in_flight ${body.length}`),
    );
    const drained = harness.server.drain();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    socket.write(body.slice(5));
    await eventually(() => expect(state.received).toMatch(/^HTTP\/1.1 200 /));
    socket.destroy();
    await drained;
  });
});

/** A body that is announced with this length and never sent. */
const announce = (url: string, key: string, bytes: number) => {
  const call = request(url, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", "content-length": bytes },
  });
  const answered = new Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }>(
    (resolve, reject) => {
      call.once("error", reject);
      call.once("response", (answer) => {
        answer.setEncoding("utf8").once("data", (body: string) => {
          resolve({ status: answer.statusCode, retryAfter: answer.headers["retry-after"], body });
        });
      });
    },
  );
  call.flushHeaders();
  return { call, answered };
};

const gauges = async (harness: Harness) => {
  const { body } = await harness.server.app.inject({ url: "/metrics" });
  return body.split("\n").filter((line) => /^idem_http_bod(y|ies)_/.test(line));
};

const smallBudget: Partial<ServerLimits> = {
  bodyBytesMax: 1_000,
  bodiesInFlight: { bytesMax: 2_500, bytesPerKeyMax: 1_500 },
};

describe("bodies in flight", () => {
  it("are bounded for each key and for the process, and refused at once with the time to try again", async () => {
    const harness = startServer({ limits: smallBudget });
    const { address } = await listen(harness);
    const url = `${address}${echoRoute.path}`;
    const [key, other] = [harness.makeKey(), harness.makeKey()];
    const held = [announce(url, key, 1_000)];
    await eventually(async () =>
      expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 1000"),
    );
    const refused = await announce(url, key, 501).answered;
    expect(refused).toMatchObject({ status: 503, retryAfter: "1" });
    expect(JSON.parse(refused.body)).toMatchObject({ failure: "overloaded", facts: { budget: "key" } });
    held.push(announce(url, other, 1_000), announce(url, key, 500));
    await eventually(async () =>
      expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 2500"),
    );
    const third = await announce(url, harness.makeKey(), 1).answered;
    expect(JSON.parse(third.body)).toMatchObject({ failure: "overloaded", facts: { budget: "process" } });
    expect(await gauges(harness)).toEqual([
      "idem_http_body_bytes_in_flight 2500",
      'idem_http_bodies_refused{budget="process"} 1',
      'idem_http_bodies_refused{budget="key"} 1',
    ]);
    for (const { call, answered } of held) {
      void answered.catch(() => undefined);
      call.destroy();
    }
    await eventually(async () => expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 0"));
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    await harness.server.drain();
  });

  it("count until the answer, and no longer", async () => {
    const answering = Promise.withResolvers<void>();
    const harness = startServer({
      limits: smallBudget,
      handle: async () => {
        await answering.promise;
        return { seen: 1 };
      },
    });
    const key = harness.makeKey();
    const body = JSON.stringify({ ...goodBody, image: "A".repeat(900) });
    const running = post(harness, key, body);
    await eventually(async () =>
      expect(await gauges(harness)).toContain(`idem_http_body_bytes_in_flight ${body.length}`),
    );
    expect((await post(harness, key, body)).statusCode).toBe(503);
    answering.resolve();
    expect((await running).statusCode).toBe(200);
    expect((await post(harness, key, body)).statusCode).toBe(200);
  });

  it("in chunks count as they arrive", async () => {
    const harness = startServer({ limits: { ...smallBudget, bodyBytesMax: 10_000 } });
    const { address } = await listen(harness);
    const call = request(`${address}${echoRoute.path}`, {
      method: "POST",
      headers: { "x-api-key": harness.makeKey(), "content-type": "application/json" },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      call.once("error", reject).once("response", (answer) => resolve(answer.resume().statusCode));
    });
    call.write("x".repeat(1_400));
    await eventually(async () =>
      expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 1400"),
    );
    call.write("x".repeat(200));
    expect(await answered).toBe(503);
    await eventually(async () => expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 0"));
    call.destroy();
    await harness.server.drain();
  });

  it("that come too slowly are cut off, and free their bytes", async () => {
    const harness = startServer({ limits: { receive: { msMax: 60_000, graceMs: 500 } } });
    const { address } = await listen(harness);
    const { answered } = announce(`${address}${echoRoute.path}`, harness.makeKey(), 100_000);
    const { status, body } = await answered;
    expect([status, JSON.parse(body).failure]).toEqual([408, "request_too_slow"]);
    await eventually(async () => expect(await gauges(harness)).toContain("idem_http_body_bytes_in_flight 0"));
    await harness.server.drain();
  });
});

describe("a large body", () => {
  const large = JSON.stringify({ ...goodBody, nested: { inner: "A".repeat(300_000) } });

  it("is read by the thread, which takes over its memory; a small one is not", async () => {
    const sizes: number[] = [];
    const harness = startServer({
      readLargeBody: async (blocks, isHashed) => {
        sizes.push(blocks.reduce((sum, { length }) => sum + length, 0));
        return structuredClone(readBody(blocks, isHashed), { transfer: [] });
      },
    });
    const key = harness.makeKey();
    expect((await post(harness, key, large)).json().seen).toMatchObject({ kind: "ONE" });
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    expect(sizes).toEqual([large.length]);
  });

  it("whose thread ended or is busy is answered 503", async () => {
    const harness = startServer({ readLargeBody: () => Promise.reject(new Failure("overloaded")) });
    const answer = await post(harness, harness.makeKey(), large);
    expect([answer.statusCode, answer.json().failure, answer.headers["retry-after"]]).toEqual([
      503,
      "overloaded",
      "1",
    ]);
  });

  it("brings its images decoded to the handler", async () => {
    let seen: unknown;
    const harness = startServer({
      endpoints: [
        implement(evaluatePassiveLivenessRoute, async ({ request: { imageBuffer } }) => {
          seen = imageBuffer;
          throw new Failure("engine_busy");
        }),
      ],
      limits: { threadBodyBytes: 0 },
      readLargeBody: async (blocks, isHashed) => structuredClone(readBody(blocks, isHashed)),
    });
    const image = Buffer.alloc(20_000, "image");
    await harness.server.app.inject({
      method: "POST",
      url: evaluatePassiveLivenessRoute.path,
      headers: { "x-api-key": harness.makeKey(), "content-type": "application/json" },
      payload: JSON.stringify({ imageBuffer: image.toString("base64") }),
    });
    expect(seen instanceof EncodedBytes && Buffer.from(seen.decoding.bytes ?? []).equals(image)).toBe(true);
  });
});

describe("the hash of a body", () => {
  it("is in the context of a call that needs it, however it was read", async () => {
    const app = fastify();
    const clock = () => new Date();
    const contexts = makeRequestContexts(
      makeMetrics(),
      makeCallLog(() => undefined, clock),
      clock,
    );
    app.addHook("onRequest", async (one, reply) => {
      const context = contexts.open(one, reply);
      context.bodyBytesMax = 1_000_000;
      context.isBodyHashed = one.url === "/hashed";
    });
    addBodyParser(app, {
      contexts,
      limits: standardLimits,
      pacing: makePacing(),
      readLarge: async (blocks, isHashed) => readBody(blocks, isHashed),
    });
    app.post("/:kind", async (one) => ({ hash: contexts.of(one).bodySha256 ?? null }));
    const hashOf = async (payload: string, url: string) => {
      const headers = { "content-type": "application/json" };
      return (await app.inject({ method: "POST", url, headers, payload })).json().hash;
    };
    for (const payload of ['{ "a": 1 }', JSON.stringify({ a: "A".repeat(400_000) })]) {
      expect(await hashOf(payload, "/hashed")).toBe(createHash("sha256").update(payload).digest("hex"));
      expect(await hashOf(payload, "/other")).toBeNull();
    }
  });
});
