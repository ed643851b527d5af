import { once } from "node:events";
import { connect } from "node:net";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { showPageRoute } from "#contract/capture-page.routes";
import { implement } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { hashSessionToken, makeSessionToken } from "#contract/session-token";
import { startServer } from "#support/http/harness";
import { makeAddressLimit } from "./address-limit.ts";
import { standardLimits } from "./options.ts";

describe("the budget of an address", () => {
  it.each(["wrongKeys", "wrongTokens", "wrongLinks", "mailboxLoads"] as const)(
    "of %s ends with its burst",
    (name) => {
      const limit = makeAddressLimit(standardLimits[name], () => new Date(0));
      for (let n = 1; n <= standardLimits[name].burst; n++) limit.take("192.0.2.1");
      expect(() => limit.take("192.0.2.1")).toThrow(Failure);
      limit.take("192.0.2.2");
    },
  );

  it("comes back with time, one unit after its second and not before", () => {
    let ms = 0;
    const limit = makeAddressLimit({ perSecond: 1, burst: 1 }, () => new Date(ms));
    limit.take("192.0.2.1");
    ms = 999;
    expect(() => limit.take("192.0.2.1")).toThrow(Failure);
    ms = 1_000;
    limit.take("192.0.2.1");
  });
});

describe("links to images", () => {
  const image = { contentType: "image/png", bytes: new Uint8Array([1, 2]) };
  const open = (failure: "not_found" | "store_unavailable") =>
    startServer({
      limits: { wrongLinks: { perSecond: 0.1, burst: 3 } },
      readAsset: async ({ id }) => {
        if (id !== "good") throw new Failure(failure);
        return image;
      },
    });
  const get = async ({ server }: ReturnType<typeof open>, id: string, remoteAddress = "192.0.2.1") =>
    await server.app.inject({ url: `/assets/${id}`, remoteAddress });

  it("that do not work are answered 404 up to the budget of their address, and 429 above it", async () => {
    const harness = open("not_found");
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n++) statuses.push((await get(harness, "wrong")).statusCode);
    expect(statuses).toEqual([404, 404, 404, 429]);
    expect((await get(harness, "wrong")).headers["retry-after"]).toBe("10");
    expect((await get(harness, "wrong", "192.0.2.2")).statusCode).toBe(404);
  });

  it("that work are served above the budget, to an address that never used them too, and give nothing back", async () => {
    const harness = open("not_found");
    for (let n = 1; n <= 5; n++) expect((await get(harness, "good")).statusCode).toBe(200);
    for (let n = 1; n <= 4; n++) await get(harness, "wrong");
    for (let n = 1; n <= 5; n++) {
      expect((await get(harness, `good?signature=${n}`)).statusCode).toBe(200);
      expect((await get(harness, "wrong")).statusCode).toBe(429);
    }
  });

  it("that an outage stops take nothing of the budget", async () => {
    const harness = open("store_unavailable");
    for (let n = 1; n <= 5; n++) expect((await get(harness, "wrong")).statusCode).toBe(503);
  });
});

describe("tokens of pages", () => {
  const token = makeSessionToken((count) => new Uint8Array(count).fill(7));
  const wrong = (n: number) => makeSessionToken((count) => new Uint8Array(count).fill(n));
  const page = { id: "s", tenantId: "t", keyId: "k", environment: "test", holder: "page" } as const;
  const open = () => {
    const asked: string[] = [];
    const harness = startServer({
      limits: { wrongTokens: { perSecond: 0.1, burst: 3 } },
      endpoints: [
        implement(
          { ...showPageRoute, request: Type.Object({}), response: Type.Object({}) },
          async () => ({}),
        ),
      ],
      findPage: async (hash) => {
        asked.push(hash);
        return hash === hashSessionToken(token) ? { ...page, origins: ["https://page.example"] } : undefined;
      },
    });
    return { ...harness, asked };
  };
  const get = async ({ server }: ReturnType<typeof open>, sent: string, remoteAddress = "192.0.2.1") =>
    await server.app.inject({
      url: showPageRoute.path,
      headers: { authorization: `Bearer ${sent}`, origin: "https://page.example" },
      remoteAddress,
    });

  it("that are wrong use up the budget of their address, and a right one is served above it", async () => {
    const harness = open();
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n++) statuses.push((await get(harness, wrong(n))).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429]);
    for (let n = 1; n <= 5; n++) {
      expect((await get(harness, token)).statusCode).toBe(200);
      expect((await get(harness, wrong(9))).statusCode).toBe(429);
    }
    expect((await get(harness, wrong(9), "192.0.2.2")).statusCode).toBe(401);
  });

  it("of the wrong form never reach the store, and use up the budget", async () => {
    const harness = open();
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n++) statuses.push((await get(harness, `${token}a`)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(harness.asked).toEqual([]);
    await get(harness, wrong(9));
    expect(harness.asked).toEqual([hashSessionToken(wrong(9))]);
  });
});

describe("the token of the metrics", () => {
  it("waits too behind an address that has sent too many wrong ones, also where it was right before", async () => {
    const { server } = startServer({
      limits: { wrongKeys: { perSecond: 0.1, burst: 3 } },
      metricsAccess: { bearer: "s3cret" },
    });
    const get = async (bearer: string, remoteAddress = "192.0.2.1") => {
      const headers = { authorization: `Bearer ${bearer}` };
      return (await server.app.inject({ url: "/metrics", headers, remoteAddress })).statusCode;
    };
    expect(await get("s3cret", "192.0.2.2")).toBe(200);
    expect([await get("a"), await get("b"), await get("c"), await get("d")]).toEqual([401, 401, 401, 429]);
    expect(await get("s3cret")).toBe(429);
    for (let n = 1; n <= 5; n++) expect(await get("s3cret", "192.0.2.2")).toBe(200);
    for (let n = 1; n <= 4; n++) await get("a", "192.0.2.2");
    expect(await get("s3cret", "192.0.2.2")).toBe(429);
  });
});

describe("the stream of the mailbox", () => {
  it("ends when its key no longer opens it", async () => {
    const harness = startServer({
      limits: { keyCacheMs: 0 },
      mailbox: {
        admit: () => undefined,
        follow: async function* (_caller, _after, signal) {
          await once(signal, "abort");
          yield* [];
        },
      },
    });
    const url = await harness.server.listen({ port: 0, host: "127.0.0.1" });
    try {
      const key = harness.makeKey({ scopes: ["webhook"] });
      const answer = await fetch(`${url}/operator/mailbox/stream`, { headers: { "x-api-key": key } });
      expect(answer.status).toBe(200);
      const [record] = harness.records.values();
      if (record === undefined) throw new Error("No key was made");
      const started = performance.now();
      harness.records.set(record.hash, { ...record, revokedAt: new Date() });
      await answer.text();
      expect(performance.now() - started).toBeLessThan(10_000);
      const again = await fetch(`${url}/operator/mailbox/stream`, { headers: { "x-api-key": key } });
      expect(again.status).toBe(401);
    } finally {
      await harness.server.drain();
    }
  }, 30_000);
});

describe("the streams of the mailbox", () => {
  const key = makeApiKey("test");
  const record = {
    id: "k",
    tenantId: "t",
    environment: "test",
    hash: hashApiKey(key),
    scopes: ["webhook"],
  } as const;
  type Store = { fails: boolean; asked: number; readonly msToFind?: number };
  const open = (store: Store, follow: (signal: AbortSignal) => Promise<unknown>) =>
    startServer({
      limits: { keyCacheMs: 0 },
      keys: {
        find: async () => {
          store.asked += 1;
          await pause(store.msToFind ?? 0);
          if (store.fails) throw new Failure("store_unavailable");
          return record;
        },
        touch: () => Promise.resolve(),
      },
      mailbox: {
        admit: () => undefined,
        follow: async function* (_caller, _after, signal) {
          await follow(signal);
          yield* [];
        },
      },
    });
  const pause = async (ms: number): Promise<void> =>
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });

  it("go on through an outage of the store, which says nothing of their key", async () => {
    const store = { fails: false, asked: 0 };
    let endedBy: unknown;
    const harness = open(store, async (signal) => {
      await once(signal, "abort");
      endedBy = signal.reason;
    });
    const url = await harness.server.listen({ port: 0, host: "127.0.0.1" });
    const leaving = new AbortController();
    try {
      const headers = { "x-api-key": key };
      const answer = await fetch(`${url}/operator/mailbox/stream`, { headers, signal: leaving.signal });
      // Read to its end: fetch leaves a stream whose answer the collector has taken.
      const body = answer.text().catch(() => "");
      store.fails = true;
      const before = store.asked;
      await expect.poll(() => store.asked, { timeout: 10_000 }).toBeGreaterThan(before + 1);
      expect(endedBy).toBeUndefined();
      leaving.abort();
      await body;
    } finally {
      leaving.abort();
      await harness.server.drain();
    }
  }, 30_000);

  it("ask for no key any more once their reader has left, also while their key is looked up", async () => {
    const store = { fails: false, asked: 0, msToFind: 300 };
    const harness = open(store, async (signal) => {
      if (!signal.aborted) await once(signal, "abort");
    });
    const url = await harness.server.listen({ port: 0, host: "127.0.0.1" });
    try {
      const { port } = new URL(url);
      for (let n = 0; n < 10; n++) {
        const socket = connect(Number(port), "127.0.0.1");
        await once(socket, "connect");
        socket.write(`GET /operator/mailbox/stream HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`, () =>
          socket.destroy(),
        );
      }
      await expect.poll(() => store.asked).toBe(10);
      await pause(4_000);
      expect(store.asked).toBe(10);
    } finally {
      await harness.server.drain();
    }
  }, 30_000);
});

describe("the page of the mailbox", () => {
  it("is served to an address up to its budget with its script, and refused above it", async () => {
    const { server } = startServer({
      limits: { mailboxLoads: { perSecond: 0.1, burst: 2 } },
      mailbox: { admit: () => undefined, follow: async function* () {} },
    });
    const get = async (url: string, remoteAddress = "192.0.2.1") =>
      (await server.app.inject({ url, remoteAddress })).statusCode;
    expect([await get("/mailbox"), await get("/mailbox/page.js")]).toEqual([200, 200]);
    expect([await get("/mailbox"), await get("/mailbox/page.js")]).toEqual([429, 429]);
    expect(await get("/mailbox", "192.0.2.2")).toBe(200);
  });
});
