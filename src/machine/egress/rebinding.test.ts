import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCertificate } from "#support/egress/certificate";
import { attemptsDuring } from "#support/egress/connections";
import { type NameServer, startNameServer } from "#support/egress/name-server";
import { type AddressGuard, makeAddressGuard } from "./address.ts";
import { dial } from "./connect.ts";
import { EgressError } from "./egress.ts";
import { makeEgress } from "./make-egress.ts";

/** Allowed like a public address, and an address of this host that is not. */
const [permitted, internal] = ["127.0.0.1", "127.0.0.2"];
const call = { bytesMax: 1000, headMsMax: 5000 };
const seen: string[] = [];
const serve: RequestListener = (request, response) => {
  seen.push(`${request.method} ${request.headers.host} ${request.url}`);
  if (request.url === "/again") response.writeHead(302, { location: "/" }).end();
  else response.end("permitted");
};
const leaked: Buffer[] = [];
let internalConnections = 0;

const portOf = (server: TcpServer): number => {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
};

/** A server on the permitted address, and one on the internal address with the same port. */
const startPair = async (server: Server): Promise<readonly [port: number, inside: TcpServer]> => {
  server.listen(0, permitted);
  await once(server, "listening");
  const inside = createTcpServer((socket) => {
    internalConnections++;
    socket.on("data", (bytes) => leaked.push(bytes));
    socket.on("error", () => undefined);
  });
  inside.listen(portOf(server), internal);
  await once(inside, "listening");
  return [portOf(server), inside];
};

const servers: (Server | TcpServer)[] = [];
const ports = { plain: 0, secure: 0 };
let nameServer: NameServer;
let answers: (n: number) => readonly string[];

beforeAll(async () => {
  const { cert, key } = makeCertificate("rebind.test");
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  const [plain, secure] = [createServer(serve), createSecureServer({ cert, key }, serve)];
  const [[plainPort, plainInside], [securePort, secureInside]] = [
    await startPair(plain),
    await startPair(secure),
  ];
  Object.assign(ports, { plain: plainPort, secure: securePort });
  servers.push(plain, secure, plainInside, secureInside);
});
afterAll(() => {
  for (const server of servers) server.close();
});
beforeEach(async () => {
  seen.length = 0;
  leaked.length = 0;
  internalConnections = 0;
  nameServer = await startNameServer((_name, n) => answers(n));
});
afterEach(() => nameServer.close());

const egressOf = () => makeEgress({ allow: [permitted] }, nameServer.findAddresses);
const textOf = async (url: string, redirectsMax = 0): Promise<string> => {
  try {
    const { body } = await egressOf()(url, { ...call, redirectsMax });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } catch (error) {
    return error instanceof EgressError ? error.reason : String(error);
  }
};

const schemes = [
  ["http", () => `http://rebind.test:${ports.plain}`],
  ["https", () => `https://rebind.test:${ports.secure}`],
] as const;

describe.each(schemes)("a name that is bound to another address (%s)", (_scheme, base) => {
  it("is asked once for a call, and connects to the address that was judged", async () => {
    answers = (n) => [n === 0 ? permitted : internal];
    const attempts = await attemptsDuring(async () => {
      expect(await textOf(`${base()}/`)).toBe("permitted");
    });
    expect(nameServer.asked).toEqual(["rebind.test"]);
    expect(attempts).toEqual([new URL(base()).port].map((port) => `${permitted}:${port}`));
    expect(await textOf(`${base()}/`)).toBe("address_refused");
    expect(internalConnections).toBe(0);
  });

  it("is judged again at each redirect", async () => {
    answers = (n) => [n === 0 ? permitted : internal];
    expect(await textOf(`${base()}/again`, 3)).toBe("address_refused");
    expect(seen).toHaveLength(1);
    expect([nameServer.asked.length, internalConnections]).toEqual([2, 0]);
  });

  it.each([
    ["last", [permitted, internal]],
    ["first", [internal, permitted]],
    ["in the middle", [permitted, "10.0.0.1", permitted]],
  ])("is refused for one closed address of several, %s", async (_place, addresses) => {
    answers = () => addresses;
    expect(
      await attemptsDuring(async () => expect(await textOf(`${base()}/`)).toBe("address_refused")),
    ).toEqual([]);
  });

  it("is unreachable without an address", async () => {
    answers = () => [];
    expect(await textOf(`${base()}/`)).toBe("unreachable");
  });
});

describe.each(schemes)("the address of the connected socket (%s)", (_scheme, base) => {
  /** Judges the look-up as public, whatever it answers, and the connected address by the rules. */
  const guardAfterLookup = (): AddressGuard => {
    const rules = makeAddressGuard([permitted]);
    let judged = 0;
    const judge = (address: string): boolean => judged++ === 0 || rules.maySpeakPlainly(address);
    return { mayReach: judge, maySpeakPlainly: judge };
  };
  const send = async (address: string): Promise<string> => {
    answers = () => [address];
    const request = await dial(
      new URL(`${base()}/`),
      { method: "POST", headers: { authorization: "Bearer secret" } },
      {
        guard: guardAfterLookup(),
        findAddresses: nameServer.findAddresses,
        signal: AbortSignal.timeout(5000),
      },
    );
    request.end("secret");
    return await once(request, "response").then(
      () => "answered",
      (error: unknown) => (error instanceof EgressError ? error.reason : String(error)),
    );
  };

  it("is judged too, before a byte of the request is sent", async () => {
    expect(await send(internal)).toBe("address_refused");
    expect(Buffer.concat(leaked).includes("secret")).toBe(false);
    expect(Buffer.concat(leaked).includes("POST")).toBe(false);
  });

  it("is permitted where the rules permit it", async () => {
    expect(await send(permitted)).toBe("answered");
  });
});
