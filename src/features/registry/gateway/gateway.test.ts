import { createServer as createSecureServer } from "node:https";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeCertificate } from "#support/egress/certificate";
import {
  gatewaySettings,
  json,
  nativePerson,
  openGateway,
  type Respond,
  startRegistryServer,
} from "#support/registry/gateway-server";
import { aQuestion, describeRegistry } from "#support/registry/registry-suite";
import { startServer, startTokenServer } from "#support/webhooks/servers";
import type { RegistryQuestion } from "../registry.ts";
import type { GatewaySettings } from "../settings/settings.ts";
import type { BreakerPolicy } from "./breaker.ts";

let server: Awaited<ReturnType<typeof startRegistryServer>>;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.answerWith();
  server.received.length = 0;
});

describeRegistry("gateway", async () => {
  const own = await startRegistryServer();
  return {
    registry: openGateway(gatewaySettings(own.url)),
    tenantId: "tenant",
    breakDown: () => Promise.resolve(own.answerWith(json({ persona: "1710034065 ANA MARÍA" }, 500))),
    repair: () => Promise.resolve(own.answerWith()),
    codes: ["upstream_failed"],
    close: () => Promise.resolve(own.close()),
  };
});

const known = "1710034065";
const signal = new AbortController().signal;
const never: BreakerPolicy = { failuresMax: 99, questionsMin: 999, failureShare: 1, periodMs: 1, pauseMs: 1 };
const ask = (change: Partial<GatewaySettings> = {}, question: Partial<RegistryQuestion> = {}) =>
  openGateway(gatewaySettings(server.url, change)).ask({ ...aQuestion(known), ...question }, signal);
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (answer) => answer,
    (error: unknown) => (error instanceof Failure ? [error.code, error.facts["reason"]] : error),
  );
const text =
  (body: string, type = "application/json", status = 200): Respond =>
  (_, response) =>
    void response.writeHead(status, { "content-type": type }).end(body);
const quick = { request: { ...gatewaySettings("").request, isIdempotent: false } };
const once = () => ({ request: { ...quick.request, url: `${server.url}/{documentNumber}` } });

describe("the answers of a hostile gateway", () => {
  const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
  const many = `[${"1,".repeat(20_000)}1]`;
  it.each<readonly [string, Respond, string]>([
    ["HTML", text("<html>1710034065</html>", "text/html"), "its answer is not JSON"],
    [
      "HTML with the status of an unknown person",
      text("<html></html>", "text/html", 404),
      "it answered 404 without JSON",
    ],
    ["no type", (_, response) => void response.end("{}"), "its answer is not JSON"],
    ["status 500", json({}, 500), "it answered 500"],
    ["status 400", json({}, 400), "it answered 400"],
    ["status 403", json({}, 403), "it refused the credentials (403)"],
    ["status 401", json({}, 401), "it refused the credentials (401)"],
    [
      "a redirect",
      (_, response) => void response.writeHead(302, { location: "/other" }).end(),
      "it redirects, which is not followed",
    ],
    ["malformed JSON", text('{"persona": '), "its JSON cannot be read"],
    [
      "no content",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(),
      "its JSON cannot be read",
    ],
    ["deep JSON", text(deep), "its JSON cannot be read"],
    ["JSON with many items", text(many), "its JSON cannot be read"],
    ["another charset", text("{}", "application/json; charset=iso-8859-1"), "its answer is not in UTF-8"],
    [
      "bytes that are not UTF-8",
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "application/json" })
          .end(Buffer.from('{"persona":"\xf1"}', "latin1")),
      "its JSON cannot be read",
    ],
    [
      "a compressed answer",
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end("{}"),
      "its answer is compressed",
    ],
    [
      "an announced length of 50 MB",
      (_, response) =>
        void response
          .writeHead(200, { "content-type": "application/json", "content-length": "50000000" })
          .write("{"),
      "its answer is too long",
    ],
    [
      "an answer that breaks off",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
        setTimeout(() => response.destroy(), 10);
      },
      "its answer broke off",
    ],
    [
      "a number in place of a name",
      json({ persona: { nombres: 1.5 } }),
      "firstName is neither a text nor a whole number",
    ],
    [
      "a list in place of a name",
      json({ persona: { nombres: ["ANA"] } }),
      "firstName is neither a text nor a whole number",
    ],
    ["a name of 501 characters", json({ persona: { nombres: "A".repeat(501) } }), "firstName is too long"],
    ["a lone surrogate", text('{"persona":{"nombres":"\\ud800"}}'), "firstName is not valid Unicode"],
    [
      "an unknown sex",
      json({ persona: { sexo: "OTRO" } }),
      "gender is a word that the settings do not translate to M, F or X",
    ],
    [
      "an unknown nation",
      json({ persona: { nacionalidad: "PERUANA" } }),
      "nationality is a word that the settings do not translate to a country code of three letters",
    ],
    [
      "a day that does not exist",
      json({ persona: { fechaNacimiento: "31/02/1990" } }),
      "dateOfBirth is no date of the form DD/MM/YYYY",
    ],
    [
      "a birth in the future",
      json({ persona: { fechaNacimiento: "01/01/2190" } }),
      "dateOfBirth lies in the future",
    ],
    ["a photo that is no Base64", json({ persona: { foto: "***" } }), "photo is not valid Base64"],
    ["a photo that is no text", json({ persona: { foto: { url: "x" } } }), "photo is not valid Base64"],
    [
      "no field of a person",
      json({ mensaje: "en mantenimiento" }),
      "its answer holds none of the fields that the settings name",
    ],
    ["a list at its top", json([]), "its answer holds none of the fields that the settings name"],
    [
      "inherited members",
      json({ __proto__: { persona: { nombres: "ANA" } } }),
      "its answer holds none of the fields that the settings name",
    ],
  ])("%s are declared failures", async (_, respond, reason) => {
    server.answerWith(respond);
    expect(await failureOf(ask(once()))).toEqual(["upstream_failed", `civil registry: ${reason}`]);
    expect(server.received).toHaveLength(1);
  });

  it("of 50 MB end at the bound, with few of them read", async () => {
    let sent = 0;
    server.answerWith((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = Buffer.alloc(100_000, " ");
      const push = (): void => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", push);
        }
        response.end();
      };
      push();
    });
    expect(await failureOf(ask(once()))).toEqual([
      "upstream_failed",
      "civil registry: its answer is too long",
    ]);
    expect(sent).toBeLessThan(20_000_000);
  });

  it.each<readonly [string, Respond]>([
    ["silent", () => undefined],
    [
      "silent after its head",
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write("{"),
    ],
    [
      "slow byte by byte",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("that are %s end with the time of the settings", async (_, respond) => {
    server.answerWith(respond);
    const started = performance.now();
    await expect(ask({ timeoutMs: 600 })).rejects.toMatchObject({
      code: "timed_out",
      facts: { country: "ECU", timeoutMs: 600 },
    });
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(server.received).toHaveLength(1);
  });

  it("end when their caller leaves", async () => {
    server.answerWith(() => undefined);
    const leaving = new AbortController();
    const work = openGateway(gatewaySettings(server.url)).ask(aQuestion(known), leaving.signal);
    setTimeout(() => leaving.abort(new Error("left")), 50);
    await expect(work).rejects.toThrow("left");
  });

  it("lose characters that disguise a text", async () => {
    server.answerWith(json({ persona: { nombres: " ANA\u0000\n \u202eMAR\u200bÍA\t" } }));
    expect(await ask()).toEqual({ kind: "person", person: { fields: { firstName: "ANA MARÍA" } } });
  });

  it("are read with a mark of their byte order, and under a type of their own", async () => {
    server.answerWith(
      text(`\ufeff${JSON.stringify(nativePerson(known))}`, "application/vnd.registry+json;charset=UTF-8"),
    );
    expect(await ask()).toMatchObject({ kind: "person" });
  });
});

describe("an unknown person", () => {
  it.each<readonly [string, Respond]>([
    ["by a status without content", (_, response) => void response.writeHead(404).end()],
    ["by a status with JSON", json({ error: "none" }, 404)],
    ["by a value of a good answer", json({ codigo: "001" })],
    ["by a value of a bad request", json({ codigo: "001" }, 400)],
  ])("is stated %s", async (_, respond) => {
    server.answerWith(respond);
    expect(await ask()).toEqual({ kind: "unknown" });
  });

  it("is stated by a missing value where the settings name null", async () => {
    server.answerWith(json({ persona: null }));
    const { answer } = gatewaySettings("");
    const where = { "/persona": [null] };
    expect(await ask({ answer: { ...answer, unknown: { status: [], where } } })).toEqual({ kind: "unknown" });
  });
});

describe("a question to a gateway", () => {
  it("carries its values in path, query and body, and leaves out what it lacks", async () => {
    const request = {
      method: "POST",
      url: `${server.url}/{documentNumber}?sexo={gender}&c={documentCode}&fijo=1`,
      headers: { "x-client": "idem" },
      body: {
        cedula: "{documentNumber}",
        dactilar: "{documentCode}",
        foto: "x,{bestImage}",
        uno: [1, "{gender}"],
      },
      isIdempotent: true,
    } as const;
    await ask({ request }, { documentCode: "V4 & <ñ>", bestImage: new Uint8Array([1, 2, 3]) });
    const [received] = server.received;
    expect(received).toMatchObject({
      method: "POST",
      url: `/${known}?c=V4%20%26%20%3C%C3%B1%3E&fijo=1`,
      headers: { "x-client": "idem", "content-type": "application/json", accept: "application/json" },
    });
    expect(JSON.parse(received?.body ?? "")).toEqual({
      cedula: known,
      dactilar: "V4 & <ñ>",
      foto: "x,AQID",
      uno: [1],
    });
  });

  it("is asked with a canonical number alone", async () => {
    await expect(ask({}, { documentNumber: "../admin" })).rejects.toThrow("not canonical");
    expect(server.received).toEqual([]);
  });

  it("names itself by key and by Basic", async () => {
    await ask({ auth: { kind: "key", header: "x-api-key", secret: "s3cret" } });
    await ask({ auth: { kind: "basic", user: "idem", password: "contraseña" } });
    expect(server.received[0]?.headers["x-api-key"]).toBe("s3cret");
    const basic = Buffer.from("idem:contraseña").toString("base64");
    expect(server.received[1]?.headers.authorization).toBe(`Basic ${basic}`);
  });
});

describe("another try", () => {
  const failing = (times: number, respond: Respond): Respond => {
    let seen = 0;
    return (request, response) =>
      seen++ < times ? respond(request, response) : json(nativePerson(known))(request, response);
  };
  const broken: Respond = (request) => void request.socket.destroy();

  it.each<readonly [string, Respond]>([
    ["503", json({}, 503)],
    ["500", json({}, 500)],
    ["a broken connection", broken],
  ])("follows %s twice where the request is idempotent", async (_, respond) => {
    server.answerWith(failing(2, respond));
    expect(await ask()).toMatchObject({ kind: "person" });
    server.answerWith(failing(3, respond));
    expect((await failureOf(ask())) instanceof Error).toBe(false);
    expect(await failureOf(ask())).toMatchObject({ kind: "person" });
  });

  it.each<readonly [string, Respond]>([
    ["503", json({}, 503)],
    ["a broken connection", broken],
  ])("never follows %s where it is not", async (_, respond) => {
    server.answerWith(failing(1, respond));
    expect(await failureOf(ask(once()))).toMatchObject(["upstream_failed", expect.any(String)]);
    expect(server.received).toHaveLength(1);
  });

  it("never follows an answer that is wrong", async () => {
    server.answerWith(failing(1, text("<html>", "text/html")));
    expect(await failureOf(ask())).toMatchObject(["upstream_failed", expect.any(String)]);
    expect(server.received).toHaveLength(1);
  });

  it("waits as long as the registry asks, if the time suffices", async () => {
    const later =
      (seconds: string): Respond =>
      (_, response) =>
        void response.writeHead(429, { "retry-after": seconds }).end();
    server.answerWith(failing(1, later("1")));
    const started = performance.now();
    expect(await ask()).toMatchObject({ kind: "person" });
    expect(performance.now() - started).toBeGreaterThan(990);
    server.answerWith(failing(1, later("3")));
    expect(await failureOf(ask())).toEqual(["upstream_failed", "civil registry: it answered 429"]);
  });
});

describe("the breaker of a gateway", () => {
  it("pauses questions after failures, says for how long, and ends with a probe", async () => {
    let now = 0;
    const registry = openGateway(gatewaySettings(server.url, once()), { nowMs: () => now });
    const question = aQuestion(known);
    server.answerWith(json({}, 500));
    for (let n = 0; n < 5; n++) await failureOf(registry.ask(question, signal));
    server.answerWith();
    now += 5_000;
    const failure: unknown = await registry.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "upstream_failed",
      facts: { country: "ECU", retryAfterSeconds: 10, reason: "civil registry: it is paused after failures" },
    });
    expect(server.received).toHaveLength(5);
    now += 10_000;
    expect(await registry.ask(question, signal)).toMatchObject({ kind: "person" });
    expect(await registry.ask(question, signal)).toMatchObject({ kind: "person" });
  });

  it("does not count answers whose values are wrong for one person, nor callers who leave", async () => {
    const registry = openGateway(gatewaySettings(server.url, once()));
    server.answerWith(json({ persona: { fechaNacimiento: "x" } }));
    for (let n = 0; n < 12; n++) await failureOf(registry.ask(aQuestion(known), signal));
    server.answerWith(() => undefined);
    for (let n = 0; n < 6; n++) {
      await registry.ask(aQuestion(known), AbortSignal.timeout(10)).catch(() => undefined);
    }
    server.answerWith();
    expect(await registry.ask(aQuestion(known), signal)).toMatchObject({ kind: "person" });
  });
});

describe("an access token of OAuth", () => {
  const oauth = (tokenUrl: string) =>
    ({
      kind: "oauth2",
      tokenUrl,
      clientId: "idem",
      clientSecret: "s3cret",
      credentialsIn: "header",
    }) as const;

  it("serves many questions, and is renewed at 80 % of its life", async () => {
    const tokens = await startTokenServer(() => ({ expires_in: 100 }));
    let now = 0;
    const settings = gatewaySettings(server.url, { auth: oauth(tokens.url) });
    const registry = openGateway(settings, { nowMs: () => now });
    const used = async () => {
      await Promise.all([1, 2, 3].map(() => registry.ask(aQuestion(known), signal)));
      return new Set(server.received.splice(0).map(({ headers }) => headers.authorization));
    };
    expect(await used()).toEqual(new Set(["Bearer token-1"]));
    now = 79_999;
    expect(await used()).toEqual(new Set(["Bearer token-1"]));
    now = 80_000;
    expect(await used()).toEqual(new Set(["Bearer token-2"]));
    expect(tokens.received).toHaveLength(2);
    expect(JSON.stringify(tokens.received)).not.toContain("s3cret");
    tokens.close();
  });

  it("that the registry refuses is replaced once", async () => {
    const tokens = await startTokenServer();
    const respond: Respond = (request, response) =>
      request.headers.authorization === "Bearer token-2"
        ? json(nativePerson(known))(request, response)
        : json({}, 401)(request, response);
    server.answerWith(respond);
    const registry = openGateway(gatewaySettings(server.url, { ...once(), auth: oauth(tokens.url) }));
    expect(await registry.ask(aQuestion(known), signal)).toMatchObject({ kind: "person" });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer token-1",
      "Bearer token-2",
    ]);
    server.answerWith(json({}, 401));
    server.received.length = 0;
    expect(await failureOf(registry.ask(aQuestion(known), signal))).toEqual([
      "upstream_failed",
      "civil registry: it refused the credentials (401)",
    ]);
    expect(server.received).toHaveLength(2);
    tokens.close();
  });

  it("that is not issued is a declared failure, and the registry is not asked", async () => {
    const tokens = await startServer((_, _request, response) => void response.writeHead(400).end("{}"));
    expect(await failureOf(ask({ auth: oauth(tokens.url) }))).toEqual([
      "upstream_failed",
      "civil registry: no access token was issued",
    ]);
    expect(server.received).toEqual([]);
    tokens.close();
  });

  it("that does not come in time ends the question", async () => {
    const tokens = await startServer(() => undefined);
    expect(await failureOf(ask({ timeoutMs: 500, auth: oauth(tokens.url) }))).toEqual([
      "timed_out",
      undefined,
    ]);
    tokens.close();
  });
});

describe("mutual TLS of a gateway", () => {
  const [own, client, other] = ["localhost", "client.test", "other.test"].map(makeCertificate);
  const tlsOf = (pair = client, ca = own?.cert ?? "") => ({
    certificate: pair?.cert ?? "",
    key: pair?.key ?? "",
    ca,
  });
  const startSecure = () =>
    startServer((_, request, response) => json(nativePerson(known))(request, response), {
      make: (listener) =>
        createSecureServer(
          { cert: own?.cert, key: own?.key, ca: client?.cert, requestCert: true, rejectUnauthorized: true },
          listener,
        ),
      origin: (port) => `https://localhost:${port}`,
    });

  it("shows the certificate of the settings, and fails as declared with another or none", async () => {
    const secure = await startSecure();
    const askWith = (change: Partial<GatewaySettings>) =>
      openGateway(gatewaySettings(secure.url, change), { breaker: never }).ask(aQuestion(known), signal);
    expect(await askWith({ tls: tlsOf() })).toMatchObject({ kind: "person" });
    for (const tls of [tlsOf(other), tlsOf(client, other?.cert)]) {
      expect(await failureOf(askWith({ tls }))).toEqual([
        "upstream_failed",
        "civil registry: it cannot be reached",
      ]);
    }
    expect(await failureOf(askWith({}))).toEqual(["upstream_failed", "civil registry: it cannot be reached"]);
    expect(secure.received).toHaveLength(1);
    secure.close();
  });
});
