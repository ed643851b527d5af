import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { echoRoute, goodBody, post, startServer } from "#support/http/harness";

const refusal = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const harness = startServer({ limits: { bodyBytesMax: 2_000_000 } });
  const answer = await post(harness, harness.makeKey(), body, headers);
  return { status: answer.statusCode, type: answer.headers["content-type"], problem: answer.json() };
};

describe("a body that is not a JSON object", () => {
  it.each([
    ["an array", "[]"],
    ["a text", '"a"'],
    ["null", "null"],
    ["a number", "5"],
    ["nothing after a bracket", "{"],
    ["something after the object", "{} {}"],
    ["a comment", "{/* a */}"],
    ["NaN", '{"a":NaN}'],
    ["single quotes", "{'a':1}"],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
    ["Latin-1", Buffer.from('{"a":"é"}', "latin1")],
    ["a lone continuation byte", Buffer.from([0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ["arrays 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000)],
  ])("is refused with 400: %s", async (_, body) => {
    const { status, type, problem } = await refusal(body);
    expect([status, type, problem.failure]).toEqual([
      400,
      "application/problem+json; charset=utf-8",
      "json_unreadable",
    ]);
  });

  it("treats an empty body as an object without fields, and names the missing ones", async () => {
    const { status, problem } = await refusal("");
    expect([status, problem.failure, problem.code]).toEqual([400, "request_invalid", 1102]);
    expect(problem.errors).toContain("image: is required");
  });

  it("accepts a byte order mark and text beyond ASCII", async () => {
    const harness = startServer();
    const body = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(JSON.stringify({ ...goodBody, image: "Ñandú 🐦" })),
    ]);
    expect((await post(harness, harness.makeKey(), body)).json().seen.image).toBe("Ñandú 🐦");
  });
});

describe("wrong fields", () => {
  it("are all named at once, with the code for missing fields", async () => {
    const { status, problem } = await refusal({ count: "x", nested: { inner: 1 } });
    expect(status).toBe(400);
    expect(problem.code).toBe(1102);
    expect(problem.errors).toEqual([
      "image: is required",
      "kind: is required",
      "count: must be an integer",
      "nested.inner: must be a string",
    ]);
  });

  it("name the allowed values, and never the received value", async () => {
    const { problem } = await refusal({ image: "canary-7316", kind: "canary-7316", count: 1.5 });
    expect(problem.code).toBe(1104);
    expect(problem.errors).toEqual(["kind: must be one of ONE, TWO", "count: must be an integer"]);
    expect(JSON.stringify(problem)).not.toContain("canary");
  });

  it("treats an empty body as an object without fields", async () => {
    const harness = startServer();
    const answer = await harness.server.app.inject({
      method: "POST",
      url: echoRoute.path,
      headers: { "x-api-key": harness.makeKey() },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 1102]);
  });

  it("reports null in place of a text as a missing field", async () => {
    const { problem } = await refusal({ ...goodBody, image: null });
    expect([problem.code, problem.errors]).toEqual([1102, ["image: is required"]]);
  });

  it.each([[], 5, true, {}])("refuses %o in place of a text", async (image) => {
    expect((await refusal({ ...goodBody, image })).problem.errors).toEqual(["image: must be a string"]);
  });

  it("ignores an unknown field of any value, and refuses one that is nested too deeply", async () => {
    const harness = startServer();
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const ask = async (levels: number) =>
      (await post(harness, harness.makeKey(), `{"image":"A","kind":"ONE","deep":${nested(levels)}}`)).json();
    expect((await ask(31)).seen).toEqual({ image: "A", kind: "ONE" });
    for (const levels of [32, 100_000]) {
      expect(await ask(levels)).toMatchObject({ failure: "json_unreadable", facts: { depthMax: 32 } });
    }
  });
});

describe("unknown fields", () => {
  it("are ignored and never reach the handler", async () => {
    const harness = startServer();
    const answer = await post(harness, harness.makeKey(), {
      ...goodBody,
      newer: 1,
      nested: { inner: "a", newer: 2 },
    });
    expect(answer.json().seen).toEqual({ ...goodBody, nested: { inner: "a" } });
  });

  it.each([
    '{"__proto__":{"image":"A","kind":"ONE"}}',
    '{"constructor":{"prototype":{"image":"A"}}}',
    String.raw`{"\u005f_proto__":{"image":"A","kind":"ONE"}}`,
  ])("set nothing through the prototype: %s", async (body) => {
    const { status, problem } = await refusal(body);
    expect([status, problem.code]).toEqual([400, 1102]);
    expect(Reflect.get({}, "image")).toBeUndefined();
  });

  it("with a repeated key the last value counts", async () => {
    const harness = startServer();
    const answer = await post(harness, harness.makeKey(), '{"image":"a","image":"b","kind":"ONE"}');
    expect(answer.json().seen.image).toBe("b");
  });
});

/** Sends a body only when the server asks for it (Expect: 100-continue). */
const sendExpecting = (url: string, key: string, body: string, length: number) =>
  new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    let wasAsked = false;
    const headers = { "x-api-key": key, "content-type": "application/json", expect: "100-continue" };
    const call = request(url, { method: "POST", headers: { ...headers, "content-length": length } });
    call.once("continue", () => {
      wasAsked = true;
      call.end(body);
    });
    call.once("error", reject);
    call.once("response", (answer) => {
      const { statusCode: status } = answer;
      const { connection } = answer.headers;
      answer.setEncoding("utf8").once("data", (text: string) => {
        resolve({ status, wasAsked, connection, body: text });
        call.destroy();
      });
    });
    call.flushHeaders();
  });

describe("the envelope of a request", () => {
  it("refuses other media types with 415", async () => {
    expect((await refusal("a=b", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await refusal("{}", { "content-type": "text/plain" })).problem.failure).toBe(
      "media_type_unsupported",
    );
  });

  it("accepts application/json with a charset", async () => {
    const harness = startServer();
    const headers = { "content-type": "application/json; charset=UTF-8" };
    expect((await post(harness, harness.makeKey(), goodBody, headers)).statusCode).toBe(200);
  });

  it("refuses a body over the limit with 413, also without a stated length", async () => {
    const big = `{"image":"${"A".repeat(2_100_000)}"}`;
    expect((await refusal(big)).problem).toMatchObject({
      failure: "body_too_large",
      facts: { bytesMax: expect.any(Number) },
    });
    const harness = startServer({ limits: { bodyBytesMax: 2_000_000 } });
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const status = await sendChunked(`${address}${echoRoute.path}`, harness.makeKey(), 3_000_000);
    expect(status).toBe(413);
    await harness.server.drain();
  });

  it("answers a body of 40 MB without reading all of it", async () => {
    const harness = startServer({ limits: { bodyBytesMax: 2_000_000 } });
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const answer = await fetch(`${address}${echoRoute.path}`, {
      method: "POST",
      headers: { "x-api-key": harness.makeKey(), "content-type": "application/json" },
      body: Buffer.alloc(40_000_000, "A"),
    });
    expect(answer.status).toBe(413);
    await harness.server.drain();
  });

  it("asks a waiting caller for the body only after admitting the call", async () => {
    const harness = startServer({ limits: { bodyBytesMax: 2_000_000 } });
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const url = `${address}${echoRoute.path}`;
    const good = JSON.stringify(goodBody);
    expect(await sendExpecting(url, harness.makeKey(), good, good.length)).toMatchObject({
      status: 200,
      wasAsked: true,
    });
    expect(await sendExpecting(url, "none", good, good.length)).toMatchObject({
      status: 401,
      wasAsked: false,
    });
    expect(await sendExpecting(url, harness.makeKey(), good, 2_000_001)).toMatchObject({
      status: 413,
      wasAsked: false,
      connection: "close",
      body: expect.stringContaining('"facts":{"bytesMax":2000000}'),
    });
    await harness.server.drain();
  });

  it.each([
    ["family", "Unknown"],
    ["app-name", "a".repeat(201)],
  ])("refuses a wrong header %s", async (name, value) => {
    const { status, problem } = await refusal(goodBody, { [name]: value });
    expect([status, problem.code]).toEqual([400, 1104]);
    expect(problem.errors[0]).toContain(name);
  });

  it("passes valid headers to the handler", async () => {
    const harness = startServer({ handle: async ({ appName, family }) => ({ seen: { appName, family } }) });
    const answer = await post(harness, harness.makeKey(), goodBody, {
      "app-name": "bank",
      family: "Onboarding",
    });
    expect(answer.json().seen).toEqual({ appName: "bank", family: "Onboarding" });
  });
});

const sendChunked = (url: string, key: string, bytes: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request(url, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", "transfer-encoding": "chunked" },
    });
    call.on("response", (answer) => resolve(answer.resume().statusCode));
    call.on("error", reject);
    call.end(Buffer.alloc(bytes, "A"));
  });
