import { describe, expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { eventually } from "#support/contract/eventually";
import { goodBody, post, startServer } from "#support/http/harness";

const unauthorized = '{"message":"Unauthorized"}';

describe("keys", () => {
  it("answers a missing, malformed, unknown, expired or revoked key with the same body, and its fault in header and log", async () => {
    const harness = startServer();
    const past = new Date(Date.now() - 1);
    const keys = [
      [undefined, "no_key"],
      ["", "no_key"],
      ["idem_live_short", "unknown_key"],
      [makeApiKey("live"), "unknown_key"],
      [harness.makeKey({ expiresAt: past }), "expired_key"],
      [harness.makeKey({ revokedAt: new Date() }), "revoked_key"],
      [harness.makeKey({ expiresAt: past, revokedAt: past }), "revoked_key"],
    ] as const;
    for (const [key, fault] of keys) {
      const answer = await post(harness, key, goodBody);
      expect([answer.statusCode, answer.body, answer.headers["content-type"]]).toEqual([
        401,
        unauthorized,
        "application/json; charset=utf-8",
      ]);
      expect(answer.headers["www-authenticate"]).toBe(`ApiKey realm="idem", error="${fault}"`);
    }
    await eventually(() =>
      expect(harness.logged().map(({ failure, reason }) => [failure, reason])).toEqual(
        keys.map(([, fault]) => ["unauthorized", fault]),
      ),
    );
  });

  it("names in the log the owner of a known key that is refused, and no owner of an unknown one", async () => {
    const harness = startServer();
    const past = new Date(Date.now() - 1);
    const owner = { id: "k", tenantId: "t" };
    for (const key of [
      harness.makeKey({ ...owner, expiresAt: past }),
      harness.makeKey({ ...owner, revokedAt: past }),
      harness.makeKey({ ...owner, scopes: ["document"] }),
      makeApiKey("live"),
    ])
      await post(harness, key, goodBody);
    await eventually(() =>
      expect(
        harness.logged().map(({ reason, failure, tenantId, keyId }) => [reason ?? failure, tenantId, keyId]),
      ).toEqual([
        ["expired_key", "t", "k"],
        ["revoked_key", "t", "k"],
        ["scope_missing", "t", "k"],
        ["unknown_key", undefined, undefined],
      ]),
    );
  });

  it("accepts a key with the scope and answers 403 to a key without it", async () => {
    const harness = startServer();
    expect((await post(harness, harness.makeKey({ scopes: ["face"] }), goodBody)).statusCode).toBe(200);
    const refused = await post(harness, harness.makeKey({ scopes: ["document"] }), goodBody);
    expect([refused.statusCode, refused.json().failure]).toEqual([403, "scope_missing"]);
  });

  it("gives the handler the tenant, id and environment of the key", async () => {
    const harness = startServer({ handle: async (call) => ({ seen: call.caller }) });
    const key = harness.makeKey({ id: "k", tenantId: "t", environment: "live" });
    expect((await post(harness, key, goodBody)).json().seen).toEqual({
      tenantId: "t",
      keyId: "k",
      environment: "live",
    });
  });

  it("checks the key before the body", async () => {
    expect((await post(startServer(), undefined, "no json")).statusCode).toBe(401);
  });

  it("refuses a revoked key when its cache entry ends, and reads the store once until then", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const harness = startServer({ clock: () => now, limits: { keyCacheMs: 3_000 } });
    const key = harness.makeKey();
    await post(harness, key, goodBody);
    const [record] = harness.records.values();
    if (record === undefined) throw new Error("No key was made");
    harness.records.set(record.hash, { ...record, revokedAt: now });
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    expect(harness.lookUps()).toBe(1);
    now = new Date(now.getTime() + 3_001);
    expect((await post(harness, key, goodBody)).statusCode).toBe(401);
  });

  it("accepts a new key at once although it was unknown a moment ago", async () => {
    const harness = startServer();
    const key = harness.makeKey();
    const [record] = harness.records.values();
    harness.records.clear();
    expect((await post(harness, key, goodBody)).statusCode).toBe(401);
    if (record !== undefined) harness.records.set(record.hash, record);
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
  });

  it("answers 500, and works again, when the store failed once", async () => {
    let isDown = true;
    const harness = startServer();
    const { records } = harness;
    const failing = startServer({
      keys: {
        find: (hash) => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(records.get(hash))),
        touch: () => Promise.resolve(),
      },
    });
    const key = harness.makeKey();
    expect((await post(failing, key, goodBody)).statusCode).toBe(500);
    isDown = false;
    expect((await post(failing, key, goodBody)).statusCode).toBe(200);
  });

  it("writes the last use of each key once per batch", async () => {
    const harness = startServer();
    const key = harness.makeKey({ id: "used" });
    await post(harness, key, goodBody);
    await post(harness, key, goodBody);
    expect(harness.uses).toEqual([]);
    await harness.server.drain();
    expect(harness.uses.map((use) => use.keyId)).toEqual(["used"]);
  });
});

describe("wrong keys", () => {
  it("use up the budget of an address, and then get 429; a right key never used there is served all the same", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const wrongKeys = { perSecond: 0.1, burst: 3 };
    const harness = startServer({ clock: () => now, limits: { wrongKeys }, trustedProxies: ["127.0.0.1"] });
    const from = (address: string) => ({ "x-forwarded-for": address });
    const ask = (sent: string, address = "192.0.2.1") => post(harness, sent, goodBody, from(address));
    for (let i = 0; i < 3; i++) expect((await ask(makeApiKey("test"))).statusCode).toBe(401);
    for (let i = 0; i < 20; i++) {
      const slowed = await ask(makeApiKey("test"));
      expect([slowed.statusCode, slowed.headers["retry-after"]]).toEqual([429, "10"]);
      expect((await ask(harness.makeKey())).statusCode).toBe(200);
    }
    expect((await ask(makeApiKey("test"), "192.0.2.2")).statusCode).toBe(401);
    now = new Date(now.getTime() + 10_000);
    expect((await ask(makeApiKey("test"))).statusCode).toBe(401);
    expect((await ask(makeApiKey("test"))).statusCode).toBe(429);
  });

  it("get no more answers for a right key of the guesser: it gives nothing back", async () => {
    const harness = startServer({ limits: { wrongKeys: { perSecond: 0.000001, burst: 2 } } });
    const key = harness.makeKey();
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await post(harness, makeApiKey("test"), goodBody)).statusCode);
      expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  });

  it("at one moment are no more than in turn, and stop no right key at that moment", async () => {
    const harness = startServer({ limits: { wrongKeys: { perSecond: 0.001, burst: 5 } } });
    const keys = Array.from({ length: 20 }, () => harness.makeKey());
    const [wrong, right] = await Promise.all([
      Promise.all(keys.map(() => post(harness, makeApiKey("test"), goodBody))),
      Promise.all(keys.map((key) => post(harness, key, goodBody))),
    ]);
    const statuses = wrong.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    expect(right.map(({ statusCode }) => statusCode)).toEqual(keys.map(() => 200));
  });

  it("are not those that ended: such a key has a budget of its own, and does not stop the key in its place", async () => {
    const harness = startServer({ limits: { wrongKeys: { perSecond: 0.001, burst: 3 } } });
    const revoked = harness.makeKey({ revokedAt: new Date(0) });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await post(harness, revoked, goodBody)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await post(harness, harness.makeKey(), goodBody)).statusCode).toBe(200);
  });

  it("are none during an outage of the store", async () => {
    let isDown = true;
    const { records, makeKey } = startServer();
    const harness = startServer({
      limits: { wrongKeys: { perSecond: 0.001, burst: 1 } },
      keys: {
        find: (hash) => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(records.get(hash))),
        touch: () => Promise.resolve(),
      },
    });
    const key = makeKey();
    for (let n = 0; n < 3; n++) expect((await post(harness, key, goodBody)).statusCode).toBe(500);
    isDown = false;
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
  });

  it("share the budget of an IPv6 network, in every spelling of its addresses", async () => {
    const limits = { wrongKeys: { perSecond: 0.1, burst: 2 } };
    const harness = startServer({ limits, trustedProxies: ["127.0.0.1"] });
    const from = async (address: string) =>
      (await post(harness, makeApiKey("test"), goodBody, { "x-forwarded-for": address })).statusCode;
    expect([await from("2001:db8::1"), await from("2001:db8::2")]).toEqual([401, 401]);
    expect(await from("2001:db8:0:0:3:3:3:3")).toBe(429);
    expect(await from("2001:db8:0:1::1")).toBe(401);
  });

  it("of another form are looked up, and share the budget", async () => {
    const limits = { wrongKeys: { perSecond: 0.1, burst: 2 } };
    const harness = startServer({ limits });
    const imported = "9f1c7a3e-5b2d-4e80-a6c4-1d0f8b79e35a";
    expect((await post(harness, imported, goodBody)).statusCode).toBe(401);
    expect(harness.lookUps()).toBe(1);
    harness.makeKey();
    const [record] = harness.records.values();
    if (record === undefined) throw new Error("No key was made");
    harness.records.set(hashApiKey(imported), { ...record, hash: hashApiKey(imported) });
    expect((await post(harness, imported, goodBody)).statusCode).toBe(200);
    const guesses = ["0", "1", "2"].map((end) => `${imported.slice(0, -1)}${end}`);
    const statuses = [];
    for (const guess of guesses) statuses.push((await post(harness, guess, goodBody)).statusCode);
    expect(statuses).toEqual([401, 429, 429]);
    expect((await post(harness, imported, goodBody)).statusCode).toBe(200);
    expect(harness.lines.join()).not.toContain(imported.slice(0, 12));
  });

  it("that are too short or too long for a key never reach the store", async () => {
    const harness = startServer();
    for (const length of [19, 513]) await post(harness, "a".repeat(length), goodBody);
    expect(harness.lookUps()).toBe(0);
    for (const length of [20, 512]) await post(harness, "a".repeat(length), goodBody);
    expect(harness.lookUps()).toBe(2);
  });

  it("without a checksum never reach the store, and use up the budget", async () => {
    const harness = startServer({ limits: { wrongKeys: { perSecond: 0.1, burst: 1 } } });
    expect((await post(harness, "idem_test_guess", goodBody)).statusCode).toBe(401);
    expect((await post(harness, "idem_test_guess", goodBody)).statusCode).toBe(429);
    expect(harness.lookUps()).toBe(0);
    await post(harness, makeApiKey("test"), goodBody);
    expect(harness.lookUps()).toBe(1);
  });

  it("never limits a caller without a key", async () => {
    const harness = startServer({ limits: { wrongKeys: { perSecond: 0.1, burst: 1 } } });
    for (let i = 0; i < 5; i++) expect((await post(harness, undefined, goodBody)).statusCode).toBe(401);
  });
});

describe("rate", () => {
  it("takes the route's cost from the key's budget, which refills with time", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const harness = startServer({ clock: () => now, limits: { rate: { perSecond: 1, burst: 2 } } });
    const [key, other] = [harness.makeKey(), harness.makeKey()];
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
    const refused = await post(harness, key, goodBody);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect((await post(harness, other, goodBody)).statusCode).toBe(200);
    now = new Date(now.getTime() + 1_000);
    expect((await post(harness, key, goodBody)).statusCode).toBe(200);
  });
});
