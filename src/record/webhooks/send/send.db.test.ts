import { createServer as createSecureServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { makeCertificate } from "#support/egress/certificate";
import { attemptsDuring } from "#support/egress/connections";
import { hostileUrls } from "#support/egress/hostile-urls";
import { startNameServer } from "#support/egress/name-server";
import { oauthOf, openWebhookHarness, type WebhookHarness } from "#support/webhooks/harness";
import { type LocalServer, type Received, startServer, startTokenServer } from "#support/webhooks/servers";
import type { Message, Send } from "./send.ts";

const message: Message = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  at: new Date(1_790_000_000_500),
  body: '{"name":"Ñandú"}',
  contentType: "application/cloudevents+json",
};

let harness: WebhookHarness;
let send: Send;
const servers: LocalServer[] = [];
const serve = async (...args: Parameters<typeof startServer>): Promise<LocalServer> => {
  const server = await startServer(...args);
  servers.push(server);
  return server;
};
const serveTokens = async (...args: Parameters<typeof startTokenServer>): Promise<LocalServer> => {
  const server = await startTokenServer(...args);
  servers.push(server);
  return server;
};
const accept = (_: Received, _request: unknown, response: { end: (body?: string) => void }): void =>
  response.end("thanks");

beforeAll(async () => {
  harness = await openWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  send = harness.newSender().send;
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Every secret of a destination and its tokens; none may appear in a result. */
const canaries = /canary|whsec_|token-\d/;

describe("a message", () => {
  it("arrives once, over TLS, with its signatures, headers and key", async () => {
    const { cert, key } = makeCertificate("localhost");
    setDefaultCACertificates([...getCACertificates("default"), cert]);
    const receiver = await serve(accept, {
      make: (listener) => createSecureServer({ cert, key }, listener),
      origin: (port) => `https://localhost:${port}`,
    });
    const destination = await harness.newDestination({
      url: `${receiver.url}/hook?a=b`,
      headers: { "x-source": "idem", "content-type": "text/plain", "webhook-id": "forged" },
      auth: { kind: "api-key", header: "x-api-key", value: "canary-key" },
    });
    const result = await send(destination, message);
    expect(result).toMatchObject({ outcome: "delivered", status: 200 });
    expect(Buffer.from(result.answer ?? []).toString()).toBe("thanks");
    expect(["127.0.0.1", "::1"]).toContain(result.address);
    const { dnsMs = 0, connectMs = 0, tlsMs = 0, firstByteMs = 0, totalMs } = result.timings;
    const steps = [0, dnsMs, connectMs, tlsMs, firstByteMs, totalMs];
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(tlsMs).toBeGreaterThan(0);
    const [received, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect([received?.method, received?.url, received?.body]).toEqual(["POST", "/hook?a=b", message.body]);
    expect(received?.headers).toMatchObject({
      "content-type": message.contentType,
      "x-source": "idem",
      "x-api-key": "canary-key",
      ...signStandardWebhook({ ...message, timestamp: message.at }, destination.secrets),
    });
    expect(JSON.stringify(result)).not.toMatch(canaries);
  });

  it("is signed by the current and the former secret during a rotation", async () => {
    const receiver = await serve(accept);
    const [one, other] = [
      await harness.newDestination({ url: receiver.url }),
      await harness.newDestination({}),
    ];
    await send({ ...one, secrets: [one.secrets[0], other.secrets[0]] }, message);
    const signatures = String(receiver.received[0]?.headers["webhook-signature"]).split(" ");
    const signed = (secret: string) =>
      signStandardWebhook({ ...message, timestamp: message.at }, [secret])["webhook-signature"];
    expect(signatures).toEqual([signed(one.secrets[0]), signed(other.secrets[0])]);
  });

  it("uses one connection for a destination, again and again", async () => {
    const receiver = await serve(accept);
    const destination = await harness.newDestination({ url: receiver.url });
    for (let n = 0; n < 5; n += 1) await send(destination, message);
    expect([receiver.received.length, receiver.connections()]).toEqual([5, 1]);
  });

  it.each([
    [204, "delivered"],
    [301, "refused"],
    [302, "refused"],
    [307, "refused"],
    [400, "refused"],
    [410, "refused"],
    [500, "refused"],
  ])("that is answered %i is %s, and no redirect is followed", async (status, outcome) => {
    const receiver = await serve((_, _request, response) =>
      response.writeHead(status, { location: "/other" }).end(),
    );
    const destination = await harness.newDestination({ url: receiver.url });
    expect(await send(destination, message)).toMatchObject({ outcome, status });
    expect(receiver.received.map(({ url }) => url)).toEqual(["/"]);
  });

  it.each([
    [429, "7", 7000],
    [503, new Date(message.at.getTime() + 90_000).toUTCString(), 89_500],
    [503, "soon", undefined],
    [500, "7", undefined],
  ])("is told to wait by %i with %s", async (status, retryAfter, expected) => {
    const receiver = await serve((_, _request, response) =>
      response.writeHead(status, { "retry-after": retryAfter }).end(),
    );
    const { retryAfterMs } = await send(await harness.newDestination({ url: receiver.url }), message);
    expect(retryAfterMs).toBe(expected);
  });

  it("keeps the first 16 KiB of an endless answer", async () => {
    const receiver = await serve((_, _request, response) => {
      const timer = setInterval(() => response.write("x".repeat(5000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const result = await send(await harness.newDestination({ url: receiver.url }), message);
    expect([result.outcome, result.answer?.length]).toEqual(["delivered", 16_384]);
  });

  it.each([
    ["stalls", 200, "delivered", undefined],
    ["breaks off", 200, "unreachable", expect.stringMatching(/ broke off after 4 bytes$/)],
    ["breaks off", 500, "refused", undefined],
  ])("whose answer %s after its head with %i is %s", async (how, sent, outcome, reason) => {
    const receiver = await serve((_, _request, response) => {
      response.writeHead(sent, { "content-length": "100" });
      response.write("half");
      if (how === "breaks off") setTimeout(() => response.destroy(), 20);
    });
    const destination = await harness.newDestination({
      url: receiver.url,
      timeoutMs: how === "stalls" ? 300 : 20_000,
    });
    const result = await send(destination, message);
    expect([result.outcome, result.status, Buffer.from(result.answer ?? []).toString()]).toEqual([
      outcome,
      sent,
      "half",
    ]);
    expect(result.reason).toEqual(reason);
  });

  it("ends with the time of its destination where the server hangs", async () => {
    const receiver = await serve(() => undefined);
    const destination = await harness.newDestination({ url: receiver.url, timeoutMs: 300 });
    const { outcome, address, timings, status } = await send(destination, message);
    expect([outcome, address, status]).toEqual(["timed_out", "127.0.0.1", undefined]);
    expect(timings.connectMs).toBeGreaterThan(0);
    expect(timings.totalMs).toBeGreaterThanOrEqual(290);
  });

  it("ends with the abort of its caller, and with nothing else", async () => {
    const receiver = await serve(() => undefined);
    const destination = await harness.newDestination({ url: receiver.url });
    const aborting = new AbortController();
    setTimeout(() => aborting.abort(new Error("enough")), 50);
    await expect(send(destination, message, aborting.signal)).rejects.toThrow("enough");
  });

  it("is unreachable where nothing listens", async () => {
    const closed = await startServer(accept);
    closed.close();
    const result = await send(await harness.newDestination({ url: closed.url }), message);
    expect(result).toMatchObject({ outcome: "unreachable", reason: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("an OAuth destination", () => {
  const bearer = (receiver: LocalServer): readonly unknown[] =>
    receiver.received.map(({ headers }) => headers.authorization);

  it.each(["header", "body"] as const)("gets a token by credentials in the %s", async (credentialsIn) => {
    const [receiver, tokens] = [await serve(accept), await serveTokens()];
    const auth = oauthOf(`${tokens.url}/token`, { credentialsIn, scope: "a b" });
    expect(await send(await harness.newDestination({ url: receiver.url, auth }), message)).toMatchObject({
      outcome: "delivered",
    });
    expect(bearer(receiver)).toEqual(["Bearer token-1"]);
    const [asked] = tokens.received;
    expect([asked?.method, asked?.url]).toEqual(["POST", "/token"]);
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    const basic = `Basic ${Buffer.from("client+id:canary-secret+%2B%25").toString("base64")}`;
    expect(asked?.headers.authorization).toBe(credentialsIn === "header" ? basic : undefined);
    expect(form).toEqual({
      grant_type: "client_credentials",
      scope: "a b",
      ...(credentialsIn === "body" && { client_id: "client id", client_secret: "canary-secret +%" }),
    });
  });

  it("has one token for all attempts of two processes, sealed in the store", async () => {
    const [receiver, tokens] = [await serve(accept), await serveTokens()];
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    const [one, two] = [harness.newSender().send, harness.newSender().send];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two)(destination, message)),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "delivered"));
    expect([tokens.received.length, receiver.received.length]).toEqual([1, 20]);
    expect(JSON.stringify(results)).not.toMatch(canaries);
  });

  it("has a new token after 80 % of the life of the former, by one worker, without a refused message", async () => {
    const [receiver, tokens] = [await serve(accept), await serveTokens()];
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    await send(destination, message);
    const start = harness.clock.now;
    harness.clock.now = new Date(start.getTime() + 79_000);
    await send(destination, message);
    expect(tokens.received.length).toBe(1);
    harness.clock.now = new Date(start.getTime() + 81_000);
    const senders = [send, harness.newSender().send, harness.newSender().send];
    const results = await Promise.all(senders.map((one) => one(destination, message)));
    expect(results.map(({ outcome }) => outcome)).toEqual(["delivered", "delivered", "delivered"]);
    expect(tokens.received.length).toBe(2);
    harness.clock.now = new Date(start.getTime() + 300_000);
    await send(destination, message);
    expect(bearer(receiver).at(-1)).toBe("Bearer token-3");
  });

  it("repairs a refused token once, within the attempt", async () => {
    const tokens = await serveTokens();
    const receiver = await serve(({ headers }, _request, response) =>
      response.writeHead(headers.authorization === "Bearer token-1" ? 401 : 200).end(),
    );
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    expect(await send(destination, message)).toMatchObject({ outcome: "delivered", status: 200 });
    expect(bearer(receiver)).toEqual(["Bearer token-1", "Bearer token-2"]);
    // Another process, which knows the first token only from the store, uses the second.
    await harness.newSender().send(destination, message);
    expect([bearer(receiver).at(-1), tokens.received.length]).toEqual(["Bearer token-2", 2]);
  });

  it("that refuses every token is asked twice in an attempt, not more", async () => {
    const tokens = await serveTokens();
    const receiver = await serve((_, _request, response) => response.writeHead(401).end());
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    expect(await send(destination, message)).toMatchObject({ outcome: "refused", status: 401 });
    expect([receiver.received.length, tokens.received.length]).toEqual([2, 2]);
  });

  it.each<readonly [string, Parameters<typeof startServer>[0], number | undefined, RegExp]>([
    [
      "refuses the client",
      (_, _request, response) =>
        response.writeHead(401).end(JSON.stringify({ error: "invalid_client", error_description: "canary" })),
      401,
      /^The token server answered 401 \(invalid_client\)$/,
    ],
    [
      "answers with a text of its own",
      (_, _request, response) =>
        response.writeHead(500).end(JSON.stringify({ error: "canary of the server" })),
      500,
      /^The token server answered 500$/,
    ],
    [
      "redirects",
      (_, _request, response) => response.writeHead(302, { location: "/canary" }).end(),
      302,
      /302$/,
    ],
    [
      "answers without JSON",
      (_, _request, response) => response.end("<html>canary</html>"),
      200,
      /bearer token/,
    ],
    [
      "gives another kind of token",
      (_, _request, response) => response.end(JSON.stringify({ access_token: "canary", token_type: "mac" })),
      200,
      /bearer token/,
    ],
    [
      "gives a token that breaks a header",
      (_, _request, response) =>
        response.end(JSON.stringify({ access_token: "canary\r\nx: y", token_type: "bearer" })),
      200,
      /bearer token/,
    ],
    ["sends too much", (_, _request, response) => response.end("x".repeat(70_000)), undefined, /65536 bytes/],
    ["breaks off", (_, request) => request.socket.destroy(), undefined, /cannot be reached/],
  ])("fails as token_failed where the token server %s", async (_name, answer, status, reason) => {
    const [receiver, tokens] = [await serve(accept), await serve(answer)];
    const destination = await harness.newDestination({
      url: receiver.url,
      auth: oauthOf(`${tokens.url}/?canary=1`),
    });
    const result = await send(destination, message);
    expect([result.outcome, result.status]).toEqual(["token_failed", status]);
    expect(result.reason).toMatch(reason);
    expect(JSON.stringify(result)).not.toMatch(canaries);
    expect([receiver.received.length, tokens.received.length]).toEqual([0, 1]);
  });

  it("ends with its time where the token server hangs, and asks again in the next attempt", async () => {
    let isHanging = true;
    const receiver = await serve(accept);
    const tokens = await serve((_, request, response) => {
      if (isHanging) setTimeout(() => request.socket.destroy(), 600);
      else response.end(JSON.stringify({ access_token: "token-1", token_type: "bearer", expires_in: "60" }));
    });
    const auth = oauthOf(tokens.url);
    const destination = await harness.newDestination({ url: receiver.url, auth, timeoutMs: 300 });
    expect(await send(destination, message)).toMatchObject({ outcome: "token_failed" });
    isHanging = false;
    await expect
      .poll(async () => (await send(destination, message)).outcome, { timeout: 10_000 })
      .toBe("delivered");
  });

  it("keeps its token while renewals fail, until it expires", async () => {
    let isFailing = false;
    const receiver = await serve(accept);
    let issued = 0;
    const tokens = await serve((_, _request, response) => {
      if (isFailing) response.writeHead(503).end();
      else {
        issued += 1;
        response.end(
          JSON.stringify({ access_token: `token-${issued}`, token_type: "bearer", expires_in: 100 }),
        );
      }
    });
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    const start = harness.clock.now.getTime();
    const sendAt = async (seconds: number) => {
      harness.clock.now = new Date(start + seconds * 1000);
      return (await send(destination, message)).outcome;
    };
    expect(await sendAt(0)).toBe("delivered");
    isFailing = true;
    expect([await sendAt(85), await sendAt(90), await sendAt(99)]).toEqual([
      "delivered",
      "delivered",
      "delivered",
    ]);
    expect(tokens.received.length).toBe(2);
    expect(await sendAt(101)).toBe("token_failed");
    isFailing = false;
    expect(await sendAt(102)).toBe("delivered");
    expect(bearer(receiver).at(-1)).toBe("Bearer token-2");
  });

  it("asks anew after a change of the destination", async () => {
    const [receiver, tokens] = [await serve(accept), await serveTokens()];
    const destination = await harness.newDestination({ url: receiver.url, auth: oauthOf(tokens.url) });
    await send(destination, message);
    await send({ ...destination, revision: 2 }, message);
    await send({ ...destination, revision: 2 }, message);
    expect(bearer(receiver)).toEqual(["Bearer token-1", "Bearer token-2", "Bearer token-2"]);
  });
});

describe("a hostile URL", () => {
  /** Gives every name this address. */
  const findNothingBut =
    (address = "") =>
    (
      _host: string,
      _options: unknown,
      done: (error: null, found: { address: string; family: number }[]) => void,
    ) =>
      done(null, address === "" ? [] : [{ address, family: address.includes(":") ? 6 : 4 }]);

  it("is never called for a webhook or for a token, and shows no address of the network", async () => {
    expect(hostileUrls.length).toBeGreaterThanOrEqual(200);
    const receiver = await serve(accept);
    const attempted = await harness.newDestination({});
    for (const { url, at, reason, why } of hostileUrls) {
      const closed = makeEgress({ allow: [] }, findNothingBut(at));
      const { send: sendClosed } = harness.newSender(closed);
      const attempts = await attemptsDuring(async () => {
        const result = await sendClosed({ ...attempted, url }, message);
        expect(result.outcome, why).toBe(reason === "unreachable" ? "unreachable" : "blocked");
        expect(result.address).toBeUndefined();
        if (at !== undefined && at !== "")
          expect(result.reason).toBe(
            `${new URL(url).host} is at an address where this service may not connect`,
          );
        const withToken = { ...attempted, url: receiver.url, auth: oauthOf(url) };
        expect((await sendClosed(withToken, message)).outcome, why).toBe("token_failed");
      });
      expect(attempts, why).toEqual([]);
    }
    expect(receiver.received).toEqual([]);
  });

  it("of a name that is bound to another address after the first judgement is not called", async () => {
    const receiver = await serve(accept);
    const { port } = new URL(receiver.url);
    let answers: readonly string[] = ["127.0.0.1"];
    const nameServer = await startNameServer(() => answers);
    const egress = makeEgress({ allow: ["127.0.0.1"] }, nameServer.findAddresses);
    const sender = harness.newSender(egress);
    const destination = await harness.newDestination({ url: `http://rebind.test:${port}/` });
    expect((await sender.send(destination, message)).outcome).toBe("delivered");
    answers = ["169.254.169.254"];
    const tokens = {
      ...destination,
      url: receiver.url,
      auth: oauthOf(`http://rebind.test:${Number(port) + 1}/`),
    };
    const attempts = await attemptsDuring(async () => {
      const onOtherPort = { ...destination, url: `http://rebind.test:${Number(port) + 1}/` };
      expect(await sender.send(onOtherPort, message)).toMatchObject({
        outcome: "blocked",
        reason: expect.not.stringContaining("169.254"),
      });
      expect((await sender.send(tokens, message)).outcome).toBe("token_failed");
    });
    nameServer.close();
    expect(attempts).toEqual([]);
  });

  it("behind a redirect is not called, by a receiver or a token server", async () => {
    const inside = await serve(accept);
    const redirecting = await serve((_, _request, response) =>
      response.writeHead(302, { location: `${inside.url}/metadata` }).end(),
    );
    const destination = await harness.newDestination({ url: redirecting.url });
    expect(await send(destination, message)).toMatchObject({ outcome: "refused", status: 302 });
    const withToken = { ...destination, url: inside.url, auth: oauthOf(redirecting.url) };
    expect(await send(withToken, message)).toMatchObject({ outcome: "token_failed", status: 302 });
    expect(inside.received).toEqual([]);
  });
});
