import { once } from "node:events";
import { connect, createServer, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificate } from "#support/egress/certificate";
import { EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";
import { wireBytesOf } from "./watch-received.ts";

const { cert, key } = makeCertificate("localhost");
const egress = makeEgress({ allow: ["127.0.0.0/8", "::1"] });
const head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";

/** A server over TLS that says this after the request. */
const serve = async (answer: (socket: TLSSocket) => void, maxVersion?: "TLSv1.2") => {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert, key, ...(maxVersion && { maxVersion }) }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, "localhost", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `https://localhost:${address.port}/`, close };
};

/** The certificate of the server is the one that this call trusts. */
const tls = { certificate: cert, key, ca: cert };
const endOf = async (url: string, bytesMax = 10_000_000): Promise<string> => {
  try {
    let bytes = 0;
    for await (const piece of (await egress(url, { bytesMax, tls, headMsMax: 30_000 })).body)
      bytes += piece.length;
    return `${bytes} bytes`;
  } catch (error) {
    return error instanceof EgressError ? `${error.reason}: ${error.message}` : String(error);
  }
};

describe("a peer over TLS", () => {
  const handshakes: string[] = [];
  let records: Awaited<ReturnType<typeof serve>>;
  let honest: typeof records;
  let anew: typeof records;
  beforeAll(async () => {
    records = await serve((socket) => {
      socket.write(head);
      const more = (): void => void (socket.destroyed || socket.write("x", () => setImmediate(more)));
      // A hundred records on their way at a time.
      for (let n = 0; n < 100; n += 1) more();
    });
    honest = await serve((socket) => {
      socket.write(head);
      for (let n = 0; n < 500; n += 1) socket.write("x".repeat(20));
      setTimeout(() => socket.end(), 300);
    });
    anew = await serve((socket) => {
      handshakes.push("asked");
      socket.renegotiate({}, (error) => void (error === null && handshakes.push("made")));
      setTimeout(() => socket.end(`${head}late`), 200);
    }, "TLSv1.2");
  });
  afterAll(() => {
    for (const { close } of [records, honest, anew]) close();
  });

  it("that sends records of one byte is left", async () => {
    expect(await endOf(records.url)).toMatch(
      /^too_long: localhost:\d+ sends (more of TLS than|its answer in too many)/,
    );
  });

  it("that flushes each line is read", async () => {
    expect(await endOf(honest.url)).toBe("10000 bytes");
  });

  it("that asks for a new handshake gets none", async () => {
    await endOf(anew.url);
    expect(handshakes).toEqual(["asked"]);
  });

  it("is counted by the bytes on the wire, not by what they hold", async () => {
    const { port } = new URL(honest.url);
    const socket = connect({ port: Number(port), host: "localhost", ca: cert });
    socket.resume();
    await once(socket, "secureConnect");
    socket.write("GET / HTTP/1.1\r\n\r\n");
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(10_000);
    // The handshake with its certificate, and 22 bytes beside the content of each record (RFC 8446, 5.2).
    expect(wireBytesOf(socket)).toBeGreaterThan(socket.bytesRead + 500);
    socket.destroy();
  });
});
