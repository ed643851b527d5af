import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCertificate } from "#support/egress/certificate";
import { attemptsDuring } from "#support/egress/connections";
import { hostileUrls } from "#support/egress/hostile-urls";
import { listenLocally } from "#support/egress/local-server";
import { startNameServer } from "#support/egress/name-server";
import { makeAddressGuard } from "./address.ts";
import { dial } from "./connect.ts";
import { type EgressAnswer, EgressError, type Exchange } from "./egress.ts";
import { makeKeptConnections } from "./kept-connections.ts";
import { makeEgress, makeJudgeUrl } from "./make-egress.ts";

const routes: Readonly<Record<string, RequestListener>> = {
  "/": (_, response) => response.end("answer"),
  "/mute": () => undefined,
  "/silent": (_, response) => void response.write("some"),
};
const serve: RequestListener = (request, response) => {
  calls.push(`${request.method} ${request.url}`);
  request.resume();
  routes[request.url ?? ""]?.(request, response);
};
const calls: string[] = [];
const sockets: Socket[] = [];
const servers: Server[] = [];
const ports = { plain: 0, secure: 0 };

beforeAll(async () => {
  const { cert, key } = makeCertificate("kept.test");
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  const [plain, secure] = [createServer(serve), createSecureServer({ cert, key }, serve)];
  servers.push(plain, secure);
  plain.on("connection", (socket: Socket) => sockets.push(socket));
  ports.plain = await listenLocally(plain);
  ports.secure = await listenLocally(secure);
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  calls.length = 0;
  sockets.length = 0;
});

const call = { bytesMax: 1000, headMsMax: 5000, keepsConnection: true };
const textOf = async ({ body }: EgressAnswer): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const stepsOf = (exchange: Exchange): readonly string[] =>
  Object.keys(exchange).filter((step) => step !== "address");
const base = (): string => `http://127.0.0.1:${ports.plain}`;
const openEgress = () => makeEgress({ allow: ["127.0.0.1"] });
const failureOf = async (work: Promise<unknown>): Promise<EgressError> =>
  work.then(
    () => Promise.reject(new Error("The call did not fail")),
    (error: unknown) => {
      if (error instanceof EgressError) return error;
      throw error;
    },
  );

describe("a kept connection", () => {
  it("serves call after call, and a call that asks for none has its own", async () => {
    const egress = openEgress();
    for (let n = 0; n < 5; n += 1) await textOf(await egress(`${base()}/`, { ...call, method: "POST" }));
    expect([calls.length, sockets.length]).toEqual([5, 1]);
    await textOf(await egress(`${base()}/`, { ...call, keepsConnection: false }));
    expect([calls.length, sockets.length]).toEqual([6, 2]);
  });

  it("measures the steps that make it once, and the answer always", async () => {
    const nameServer = await startNameServer(() => ["127.0.0.1"]);
    const egress = makeEgress({ allow: ["127.0.0.1"] }, nameServer.findAddresses);
    const answers: Exchange[] = [];
    for (let n = 0; n < 2; n += 1) {
      const answer = await egress(`https://kept.test:${ports.secure}/`, call);
      answers.push(answer.exchange);
      await textOf(answer);
    }
    nameServer.close();
    const [first, second] = answers;
    expect(stepsOf(first!)).toEqual(["dnsMs", "connectMs", "tlsMs", "firstByteMs"]);
    const { dnsMs = 0, connectMs = 0, tlsMs = 0, firstByteMs = 0 } = first!;
    expect([dnsMs, connectMs, tlsMs, firstByteMs]).toEqual(
      [dnsMs, connectMs, tlsMs, firstByteMs].toSorted((a, b) => a - b),
    );
    expect(stepsOf(second!)).toEqual(["firstByteMs"]);
    expect(answers.map(({ address }) => address)).toEqual(["127.0.0.1", "127.0.0.1"]);
  });

  it("is made anew where the server has closed it", async () => {
    const server = createTcpServer((socket) => {
      opened += 1;
      socket.on("error", () => undefined);
      // A second request on the same connection finds it closed.
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        socket.once("data", () => socket.destroy());
      });
    });
    let opened = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
    const egress = openEgress();
    for (let n = 0; n < 3; n += 1) {
      const body = Buffer.from("{}");
      expect(await textOf(await egress(url, { ...call, method: "POST", body }))).toBe("ok");
    }
    // The second call found its connection closed and got one of its own; the third a new one that is kept.
    expect(opened).toBe(3);
    server.close();
  });

  it("is judged for each call before a byte of it is sent", async () => {
    const rules = makeAddressGuard(["127.0.0.1"]);
    let isOpen = true;
    const judge = (address: string): boolean => isOpen && rules.maySpeakPlainly(address);
    const nameServer = await startNameServer(() => ["127.0.0.1"]);
    const dialling = {
      guard: { mayReach: judge, maySpeakPlainly: judge },
      findAddresses: nameServer.findAddresses,
      signal: AbortSignal.timeout(5000),
      kept: makeKeptConnections(),
    };
    const send = async () => {
      const request = await dial(new URL(`http://kept.test:${ports.plain}/`), { method: "POST" }, dialling);
      request.end("secret");
      const [answer] = await once(request, "response");
      for await (const _ of answer) continue;
    };
    await send();
    isOpen = false;
    const attempts = await attemptsDuring(async () => {
      expect((await failureOf(send())).reason).toBe("address_refused");
    });
    nameServer.close();
    expect(attempts).toEqual([]);
    expect(calls).toEqual(["POST /"]);
  });

  it("ends with a silent answer, and is not used again", async () => {
    const egress = openEgress();
    await textOf(await egress(`${base()}/`, call));
    const silent = await egress(`${base()}/silent`, { ...call, silenceMsMax: 100 });
    expect((await failureOf(textOf(silent))).reason).toBe("timed_out");
    await textOf(await egress(`${base()}/`, call));
    expect(sockets.length).toBe(2);
  });

  it("is closed with an answer that nobody read to its end", async () => {
    const egress = openEgress();
    (await egress(`${base()}/silent`, call)).discard();
    await textOf(await egress(`${base()}/`, call));
    expect(sockets.length).toBe(2);
  });
});

describe("a failed call", () => {
  it("reports how far it came", async () => {
    const late = await failureOf(openEgress()(`${base()}/mute`, { ...call, headMsMax: 100 }));
    expect(late.reason).toBe("timed_out");
    expect(late.exchange).toMatchObject({ address: "127.0.0.1", connectMs: expect.any(Number) });
    expect(late.exchange).not.toHaveProperty("firstByteMs");
    const refused = await failureOf(makeEgress({ allow: [] })(`${base()}/`, call));
    expect([refused.reason, refused.exchange]).toEqual(["address_refused", {}]);
  });
});

describe("a URL that is stored for later calls", () => {
  const judge = makeJudgeUrl({ allow: [] });

  it.each(hostileUrls.filter(({ at }) => at === undefined).map(({ why, url }) => [why, url] as const))(
    "is refused without a look-up: %s, %j",
    async (_why, url) => {
      expect(await attemptsDuring(async () => expect(judge(url)).toEqual(expect.any(String)))).toEqual([]);
    },
  );

  it.each(["https://hooks.example.com/idem", "https://8.8.8.8:8443/?token=x", "https://[2606:4700::1111]/"])(
    "is accepted: %s",
    (url) => expect(judge(url)).toBeUndefined(),
  );

  it("may be plain for this host alone, and only where it is allowed", () => {
    const open = makeJudgeUrl({ allow: ["127.0.0.0/8", "10.0.0.0/8"] });
    expect(open("http://127.0.0.1:8080/")).toBeUndefined();
    expect(open("http://localhost:8080/")).toBeUndefined();
    expect(open("https://10.0.0.1/")).toBeUndefined();
    for (const url of ["http://10.0.0.1/", "http://hooks.example.com/", "http://8.8.8.8/"])
      expect(open(url), url).toEqual(expect.any(String));
    expect(judge("http://localhost:8080/")).toContain("only https:");
    expect(makeJudgeUrl({ allow: ["10.0.0.0/8"] })("http://localhost/")).toContain("only https:");
  });
});
