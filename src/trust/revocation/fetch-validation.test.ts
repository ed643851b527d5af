import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { listenLocally } from "#support/egress/local-server";
import { makeTestAuthority } from "#support/revocation/authority";
import { makeFetchValidation } from "./fetch-validation.ts";
import type { ValidationQuestion } from "./ports.ts";

const startsAt = Date.parse("2026-01-15T12:00:00Z");
const minuteMs = 60_000;
const hourMs = 3_600_000;

const servers: Server[] = [];
const seen: string[] = [];
const routes = new Map<string, RequestListener>();
let base = "";
let closedBase = "";

const serve: RequestListener = (request, response) => {
  seen.push(`${request.method} ${request.url}`);
  const route = routes.get(request.url ?? "");
  if (route === undefined) response.writeHead(404).end();
  else route(request, response);
};

beforeAll(async () => {
  const [first, second] = [createServer(serve), createServer(serve)];
  servers.push(first, second);
  base = `http://127.0.0.1:${await listenLocally(first)}`;
  second.listen(0, "127.0.0.2");
  await once(second, "listening");
  const address = second.address();
  closedBase = `http://127.0.0.2:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  seen.length = 0;
  routes.clear();
});

/** A way out that reaches one address of this host alone, under a clock that the test moves. */
const open = () => {
  const missing: string[] = [];
  const clock = { now: startsAt };
  const fetch = makeFetchValidation({
    egress: makeEgress({ allow: ["127.0.0.1"] }),
    clock: () => new Date(clock.now),
    onMissing: (host, reason) => missing.push(`${host}: ${reason}`),
  });
  const ask = async (kind: ValidationQuestion["kind"], path: string) =>
    await fetch({ kind, url: new URL(path, base).href, ...(kind === "ocsp" && { body: Uint8Array.of(1) }) });
  const again = async (kind: ValidationQuestion["kind"], path: string) =>
    await fetch({ kind, url: new URL(path, base).href, isAnew: true });
  return { ask, again, clock, missing };
};

const sending =
  (bytes: Uint8Array, announced: boolean): RequestListener =>
  (_, response) => {
    if (announced) response.setHeader("content-length", bytes.length);
    else response.flushHeaders();
    response.end(bytes);
  };

const makeCrl = async (nextUpdate: number): Promise<Uint8Array> => {
  const now = new Date(startsAt);
  const authority = await makeTestAuthority({ now });
  return authority.crlOf(authority.root, { nextUpdate: new Date(nextUpdate) });
};

describe("makeFetchValidation", () => {
  it.each([
    ["ocsp", 65_536],
    ["certificate", 65_536],
    ["crl", 16_777_216],
  ] as const)("takes an answer to %s of %d bytes, and none with a byte more", async (kind, bytesMax) => {
    for (const announced of [true, false]) {
      const { ask, missing } = open();
      routes.set("/full", sending(new Uint8Array(bytesMax), announced));
      routes.set("/long", sending(new Uint8Array(bytesMax + 1), announced));
      expect((await ask(kind, "/full"))?.length).toBe(bytesMax);
      expect(await ask(kind, "/long")).toBeUndefined();
      expect(missing).toEqual([expect.stringContaining(`sends more than the ${bytesMax} bytes`)]);
    }
  });

  it("ends a question to a server that is mute, falls silent or sends without end slowly", async () => {
    const { ask, missing } = open();
    routes.set("/mute", () => undefined);
    routes.set("/silent", (_, response) => void response.write("some"));
    routes.set("/slow", (_, response) => {
      const timer = setInterval(() => response.write("x"), 200);
      response.on("close", () => clearInterval(timer));
    });
    const startedAt = performance.now();
    const paths = ["/mute", "/silent", "/slow"];
    const answers = await Promise.all(paths.map((path) => ask("ocsp", path)));
    expect(answers).toEqual([undefined, undefined, undefined]);
    expect(missing).toHaveLength(3);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(4_500);
    expect(tookMs).toBeLessThan(15_000);
  }, 30_000);

  it("keeps a CRL until its nextUpdate, and no longer than an hour", async () => {
    for (const [nextUpdate, end] of [
      [startsAt + 30 * minuteMs, startsAt + 30 * minuteMs],
      [startsAt + 24 * hourMs, startsAt + hourMs],
    ] as const) {
      const { ask, clock } = open();
      seen.length = 0;
      routes.set("/crl", sending(await makeCrl(nextUpdate), true));
      await ask("crl", "/crl");
      clock.now = end - 1;
      expect(await ask("crl", "/crl")).toBeDefined();
      expect(seen).toHaveLength(1);
      clock.now = end;
      await ask("crl", "/crl");
      expect(seen).toHaveLength(2);
    }
  });

  it("keeps no CRL that is past its nextUpdate or cannot be read, and no failure", async () => {
    const { ask } = open();
    routes.set("/old", sending(await makeCrl(startsAt), true));
    routes.set("/broken", sending(Uint8Array.of(1, 2, 3), true));
    for (const path of ["/old", "/broken", "/absent"]) {
      await ask("crl", path);
      await ask("crl", path);
    }
    const twice = (path: string) => [`GET ${path}`, `GET ${path}`];
    expect(seen).toEqual([...twice("/old"), ...twice("/broken"), ...twice("/absent")]);
  });

  it("keeps a certificate for a day, and no OCSP answer", async () => {
    const { ask, clock } = open();
    const { root } = await makeTestAuthority({ now: new Date(startsAt) });
    routes.set("/any", sending(root.certificate, true));
    await ask("certificate", "/any");
    clock.now = startsAt + 24 * hourMs - 1;
    await ask("certificate", "/any");
    expect(seen).toEqual(["GET /any"]);
    clock.now++;
    await ask("certificate", "/any");
    await ask("ocsp", "/any");
    await ask("ocsp", "/any");
    expect(seen).toEqual(["GET /any", "GET /any", "POST /any", "POST /any"]);
  });

  it("keeps nothing that is no certificate, and asks past a kept answer where the caller cannot use it", async () => {
    const { ask, again } = open();
    routes.set("/none", sending(Uint8Array.of(5, 0), true));
    await ask("certificate", "/none");
    await ask("certificate", "/none");
    expect(seen).toEqual(["GET /none", "GET /none"]);
    seen.length = 0;
    const [wrong, right] = [
      Uint8Array.from(await makeCrl(startsAt + hourMs)),
      Uint8Array.from(await makeCrl(startsAt + hourMs)),
    ];
    routes.set("/crl", sending(wrong, true));
    await ask("crl", "/crl");
    routes.set("/crl", sending(right, true));
    expect(await ask("crl", "/crl")).toEqual(wrong);
    expect(await again("crl", "/crl")).toEqual(right);
    expect(await ask("crl", "/crl")).toEqual(right);
    expect(seen).toEqual(["GET /crl", "GET /crl"]);
  });

  it("has one question for a CRL under way, whose answer all get, and one for each OCSP question", async () => {
    const { ask } = open();
    routes.set("/crl", sending(await makeCrl(startsAt + hourMs), true));
    routes.set("/ocsp", sending(Uint8Array.of(5, 0), true));
    const lists = await Promise.all([1, 2, 3].map(() => ask("crl", "/crl")));
    expect(new Set(lists.map((list) => list?.length)).size).toBe(1);
    await Promise.all([1, 2].map(() => ask("ocsp", "/ocsp")));
    expect(seen).toEqual(["GET /crl", "POST /ocsp", "POST /ocsp"]);
  });

  it("follows two redirects, no third, none of an OCSP question, and none to an address that is not open", async () => {
    const { ask, missing } = open();
    const redirect = (path: string, to: string): void =>
      void routes.set(path, (_, response) => response.writeHead(302, { location: to }).end());
    routes.set("/any", sending(Uint8Array.of(5, 0), true));
    redirect("/1", "/any");
    redirect("/2", "/1");
    redirect("/3", "/2");
    expect(await ask("crl", "/2")).toEqual(Uint8Array.of(5, 0));
    expect(await ask("crl", "/3")).toBeUndefined();
    expect(await ask("ocsp", "/1")).toBeUndefined();
    seen.length = 0;
    for (const to of [
      `${closedBase}/any`,
      "http://10.0.0.1/any",
      "http://169.254.169.254/any",
      "file:///any",
    ]) {
      redirect("/away", to);
      for (const kind of ["crl", "certificate"] as const) expect(await ask(kind, "/away")).toBeUndefined();
    }
    expect(new Set(seen)).toEqual(new Set(["GET /away"]));
    expect(missing).toHaveLength(2 + 8);
  });

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/a", "ldap://127.0.0.1/cn=a", "data:,a", "javascript:1"])(
    "asks nothing at %s",
    async (url) => {
      const { ask, missing } = open();
      for (const kind of ["ocsp", "crl", "certificate"] as const)
        expect(await ask(kind, url)).toBeUndefined();
      expect(missing).toHaveLength(3);
      expect(seen).toEqual([]);
    },
  );
});
