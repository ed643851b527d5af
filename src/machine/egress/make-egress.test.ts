import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect as connectTcp } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificate } from "#support/egress/certificate";
import { listenLocally } from "#support/egress/local-server";
import { type EgressAnswer, EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";

const servers: Server[] = [];
const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  return listenLocally(server);
};

const seen: string[] = [];
const routes: Readonly<Record<string, RequestListener>> = {
  "/file": (_, response) => response.end("0123456789"),
  "/host": (request, response) => response.end(request.headers.host),
  "/echo": (request, response) => request.pipe(response),
  "/round": (_, response) => response.writeHead(302, { location: "/round" }).end(),
  "/once": (_, response) => response.writeHead(307, { location: "/file?sig=1" }).end(),
  "/down": (_, response) =>
    response.writeHead(302, { location: `http://localhost:${ports.plain}/file` }).end(),
  "/away": (_, response) =>
    response.writeHead(302, { location: `http://localhost:${ports.other}/file` }).end(),
  "/file-scheme": (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/inside": (_, response) => response.writeHead(302, { location: "https://10.0.0.1/" }).end(),
  "/endless": (_, response) => {
    const timer = setInterval(() => response.write("x".repeat(1000)), 1);
    response.on("close", () => clearInterval(timer));
  },
  "/silent": (_, response) => void response.write("some"),
  "/mute": () => undefined,
  "/short": (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setTimeout(() => response.destroy(), 20);
  },
};
const ports = { plain: 0, other: 0, secure: 0 };
const serve: RequestListener = (request, response) => {
  const path = (request.url ?? "").split("?")[0] ?? "";
  seen.push(`${request.method} ${path} ${request.headers.authorization ?? "-"}`);
  routes[path]?.(request, response);
};

beforeAll(async () => {
  ports.plain = await listen(createServer(serve));
  ports.other = await listen(createServer(serve));
  const { cert, key } = makeCertificate("localhost");
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  ports.secure = await listen(createSecureServer({ cert, key }, serve));
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const open = makeEgress({ allow: ["127.0.0.0/8", "::1"] });
const closed = makeEgress({ allow: [] });
const call = { bytesMax: 1000 };
const textOf = async ({ body }: EgressAnswer): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const reasonOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof EgressError ? error.reason : String(error)),
  );
const plain = (path: string): string => `http://127.0.0.1:${ports.plain}${path}`;

describe("makeEgress", () => {
  it("sends nothing for a caller who has left", async () => {
    seen.length = 0;
    const reason = new Error("left");
    for (const keepsConnection of [true, false]) {
      const signal = AbortSignal.abort(reason);
      await expect(open(plain("/file"), { ...call, signal, keepsConnection })).rejects.toBe(reason);
    }
    expect(seen).toEqual([]);
  });

  it("fetches over TLS, and sends a body", async () => {
    const answer = await open(`https://localhost:${ports.secure}/echo`, {
      ...call,
      method: "POST",
      body: Buffer.from("hello"),
    });
    expect(answer.status).toBe(200);
    expect(await textOf(answer)).toBe("hello");
  });

  it("refuses a certificate for another name", async () => {
    expect(await reasonOf(open(`https://127.0.0.1:${ports.secure}/file`, call))).toBe("unreachable");
  });

  it.each([
    () => `http://127.0.0.1:${ports.plain}/file`,
    () => `http://localhost:${ports.plain}/file`,
    () => `http://2130706433:${ports.plain}/file`,
    () => `http://0x7f.1:${ports.plain}/file`,
    () => `http://[::ffff:127.0.0.1]:${ports.plain}/file`,
    () => `https://localhost:${ports.secure}/file`,
  ])("reaches nothing on this host unless allowed (%#)", async (url) => {
    seen.length = 0;
    expect(await reasonOf(closed(url(), call))).toBe("address_refused");
    expect(seen).toEqual([]);
  });

  it.each([
    ["http://8.8.8.8/", "address_refused"],
    ["ftp://localhost/", "url_refused"],
    ["no url", "url_refused"],
    ["https://user:secret@localhost/", "url_refused"],
  ])("never calls %s", async (url, reason) => {
    expect(await reasonOf(open(url, call))).toBe(reason);
  });

  it("follows redirects only on request, up to a limit, and judges each hop", async () => {
    expect((await open(plain("/once"), call)).status).toBe(307);
    const answer = await open(plain("/once"), { ...call, redirectsMax: 1 });
    expect(await textOf(answer)).toBe("0123456789");
    expect(answer.source).toBe(plain("/file"));
    expect(await reasonOf(open(plain("/round"), { ...call, redirectsMax: 3 }))).toBe("redirect_refused");
    expect(await reasonOf(open(plain("/inside"), { ...call, redirectsMax: 3 }))).toBe("address_refused");
    expect(await reasonOf(open(plain("/file-scheme"), { ...call, redirectsMax: 3 }))).toBe("url_refused");
    const down = `https://localhost:${ports.secure}/down`;
    expect(await reasonOf(open(down, { ...call, redirectsMax: 3 }))).toBe("redirect_refused");
  });

  it("sends no credentials to another origin", async () => {
    seen.length = 0;
    const headers = { authorization: "Bearer secret" };
    await textOf(await open(plain("/away"), { ...call, headers, redirectsMax: 1 }));
    expect(seen).toEqual(["GET /away Bearer secret", "GET /file -"]);
  });

  it("reads no more bytes than the limit, announced or not", async () => {
    expect(await reasonOf(open(plain("/file"), { bytesMax: 9 }))).toBe("too_long");
    expect(await reasonOf(open(plain("/endless"), call).then(textOf))).toBe("too_long");
  });

  it("gives up on a server that does not answer, stalls, or breaks off", async () => {
    expect(await reasonOf(open(plain("/mute"), { ...call, headMsMax: 100 }))).toBe("timed_out");
    expect(await reasonOf(open(plain("/silent"), { ...call, silenceMsMax: 100 }).then(textOf))).toBe(
      "timed_out",
    );
    expect(await reasonOf(open(plain("/short"), call).then(textOf))).toBe("cut");
    const closing = createServer();
    const port = await listenLocally(closing);
    closing.close();
    expect(await reasonOf(open(`https://localhost:${port}/`, call))).toBe("unreachable");
  });

  it("allows a body more time than the head", async () => {
    const answer = await open(plain("/endless"), { bytesMax: 1e9, headMsMax: 200 });
    const started = performance.now();
    for await (const _ of answer.body) if (performance.now() - started > 500) break;
    expect(performance.now() - started).toBeGreaterThan(500);
  });

  it("stops when its caller aborts", async () => {
    const aborting = new AbortController();
    const work = open(plain("/endless"), { bytesMax: 1e9, signal: aborting.signal }).then(textOf);
    setTimeout(() => aborting.abort(new Error("enough")), 50);
    expect(await reasonOf(work)).toBe("Error: enough");
  });

  it("goes through a proxy's tunnel, and still judges literal addresses", async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, client) => {
      asked.push(request.url ?? "");
      if (request.headers["proxy-authorization"] !== `Basic ${btoa("me:pass")}`) {
        client.end("HTTP/1.1 407 No\r\n\r\n");
        return;
      }
      const server = connectTcp(ports.secure, "127.0.0.1");
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    const at = `127.0.0.1:${await listen(proxy)}`;
    const tunnelled = makeEgress({ allow: [], proxy: new URL(`http://me:pass@${at}`) });
    expect(await textOf(await tunnelled("https://localhost/file", call))).toBe("0123456789");
    expect(await textOf(await tunnelled("https://localhost/host", call))).toBe("localhost");
    expect(await textOf(await tunnelled("https://localhost:8443/host", call))).toBe("localhost:8443");
    expect(asked).toEqual(["localhost:443", "localhost:443", "localhost:8443"]);
    // The certificate is for localhost, not for an address.
    expect(await reasonOf(tunnelled("https://8.8.8.8/host", call))).toBe("unreachable");
    expect(await reasonOf(tunnelled("https://[2606:4700::1111]/host", call))).toBe("unreachable");
    const impostor = makeEgress({ allow: [], proxy: new URL(`http://${at}`) });
    expect(await reasonOf(impostor("https://localhost/file", call))).toBe("unreachable");
    expect(await reasonOf(tunnelled("https://169.254.169.254/", call))).toBe("address_refused");
  });
});
