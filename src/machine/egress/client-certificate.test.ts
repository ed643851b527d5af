import { X509Certificate } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCertificate } from "#support/egress/certificate";
import { listenLocally } from "#support/egress/local-server";
import { type ClientTls, type EgressCall, EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";

const server = makeCertificate("localhost");
const [own, second, foreign] = ["own.test", "second.test", "foreign.test"].map(makeCertificate);
const tlsOf = (pair: ReturnType<typeof makeCertificate> | undefined): ClientTls => ({
  certificate: pair?.cert ?? "",
  key: pair?.key ?? "",
  ca: server.cert,
});

const servers: Server[] = [];
const ports = { mutual: 0, other: 0, plain: 0, proxy: 0 };
/** The name on the certificate of each request, or `none`. */
const shown: string[] = [];
let connections = 0;

const serve: RequestListener = ({ socket, url }, response) => {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  shown.push(certificate?.subject ?? "none");
  if (url === "/away") response.writeHead(307, { location: `https://localhost:${ports.other}/` });
  if (url === "/round") response.writeHead(307, { location: "/" });
  response.end("answer");
};

beforeAll(async () => {
  const pair = { cert: server.cert, key: server.key };
  const ca = [own?.cert ?? "", second?.cert ?? ""];
  const mutual = createSecureServer({ ...pair, ca, requestCert: true, rejectUnauthorized: true }, serve);
  mutual.on("secureConnection", () => connections++);
  const other = createSecureServer({ ...pair, requestCert: true, rejectUnauthorized: false }, serve);
  const proxy = createServer();
  proxy.on("connect", (_, socket: Socket) => {
    const onward = connect(ports.mutual, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    onward.pipe(socket).pipe(onward);
    for (const one of [onward, socket]) one.on("error", () => one.destroy());
  });
  servers.push(mutual, other, proxy, createServer(serve));
  [ports.mutual, ports.other, ports.proxy, ports.plain] = [
    await listenLocally(mutual),
    await listenLocally(other),
    await listenLocally(proxy),
    await listenLocally(servers[3]!),
  ];
});
afterAll(() => {
  for (const one of servers) {
    one.closeAllConnections();
    one.close();
  }
});
beforeEach(() => {
  shown.length = 0;
  connections = 0;
});

const allow = ["127.0.0.0/8"];
const egress = makeEgress({ allow });
const send = async (path: string, call: Partial<EgressCall>, port = ports.mutual, by = egress) => {
  const answer = await by(`https://localhost:${port}${path}`, { bytesMax: 1000, ...call });
  for await (const _ of answer.body);
  return answer.status;
};
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (answer) => answer,
    (error: unknown) => (error instanceof EgressError ? error.reason : error),
  );

describe("a client certificate", () => {
  it("is shown to the server, whose own certificate leads to the given authorities", async () => {
    expect(await send("/", { tls: tlsOf(own) })).toBe(200);
    expect(shown).toEqual([new X509Certificate(own?.cert ?? "").subject]);
  });

  it("that the server does not trust ends the call, and so does none", async () => {
    expect(await reasonOf(send("/", { tls: tlsOf(foreign) }))).toBe("unreachable");
    expect(await reasonOf(send("/", {}))).toBe("unreachable");
    expect(shown).toEqual([]);
  });

  it("is not shown to a server of another authority", async () => {
    const tls = { ...tlsOf(own), ca: foreign?.cert ?? "" };
    expect(await reasonOf(send("/", { tls }))).toBe("unreachable");
    expect(shown).toEqual([]);
  });

  it("goes through a proxy's tunnel", async () => {
    const proxied = makeEgress({ allow, proxy: new URL(`http://127.0.0.1:${ports.proxy}`) });
    expect(await send("/", { tls: tlsOf(own) }, ports.mutual, proxied)).toBe(200);
    expect(shown).toEqual(["CN=own.test"]);
  });

  it("belongs to its kept connection: a call with another one gets a connection of its own", async () => {
    const kept = { keepsConnection: true };
    for (const pair of [own, own, second, own]) await send("/", { ...kept, tls: tlsOf(pair) });
    expect(shown).toEqual(["CN=own.test", "CN=own.test", "CN=second.test", "CN=own.test"]);
    expect(connections).toBe(2);
    expect(await reasonOf(send("/", kept))).toBe("unreachable");
  });

  it("is never shown over plain http, and not to another origin", async () => {
    const plain = egress(`http://127.0.0.1:${ports.plain}/`, { bytesMax: 10, tls: tlsOf(own) });
    expect(await reasonOf(plain)).toBe("url_refused");
    // The other origin's own certificate leads to no authority of the system.
    expect(await reasonOf(send("/away", { tls: tlsOf(own), redirectsMax: 1 }))).toBe("unreachable");
    expect(await send("/round", { tls: tlsOf(own), redirectsMax: 1 })).toBe(200);
    expect(shown).toEqual(["CN=own.test", "CN=own.test", "CN=own.test"]);
  });
});
