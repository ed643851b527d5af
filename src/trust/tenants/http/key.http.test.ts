import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { hashApiKey, looksLikeApiKey } from "#contract/api-key";
import { activeKeysMax } from "#contract/key-failure";
import { type Scope, scopes } from "#contract/scope";
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { openStoreHere } from "#support/app/store-here";
import { type Harness, startServer } from "#support/http/harness";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { type KeyAdmin, makeKeyAdmin } from "../key-admin.ts";
import { makeKeys } from "../keys.ts";
import { type MadeKey, makeKey } from "../make-key.ts";
import { keyEndpoints } from "./key.endpoint.ts";

const start = Date.UTC(2026, 10, 1);
const tenantId = randomUUID();
const otherTenantId = randomUUID();

let folder: string;
let store: Store;
let idem: Harness;
let now: Date;
let admin: KeyAdmin;
const clock = (): Date => now;

beforeEach(async () => {
  now = new Date(start);
  folder = await mkdtemp(join(tmpdir(), "idem-keys-"));
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  for (const id of [tenantId, otherTenantId]) {
    await store.createTenant({ id, name: `Bank ${id}`, createdAt: now });
  }
  admin = makeKeyAdmin({ store, clock, newId: randomUUID });
  const keys = makeKeys({ admin, clock, newId: randomUUID });
  const find = (hash: string) => store.findApiKey(hash);
  idem = startServer({
    endpoints: keyEndpoints(keys),
    answerOnce: makeAnswerOnce({
      store,
      keyring: makeKeyring({ store, masters: [masterKeyOf(new Uint8Array(randomBytes(32)))], now: clock }),
      leaseMs: 45_000,
      keptMs: 86_400_000,
      referenceKeptMs: 0,
      tokenKeptMs: 0,
      clock,
      count: () => undefined,
      onError: (_, error) => {
        throw error;
      },
    }),
    keys: { find, touch: store.touchApiKeys },
    limits: { keyCacheMs: 0 },
    clock,
  });
});
afterEach(async () => {
  await idem.server.app.close();
  await store.close();
  await rm(folder, { recursive: true });
});

type Owner = { readonly tenant?: string; readonly environment?: "live" | "test" };

/** A key as a command makes it. */
const commandKey = (
  of: readonly Scope[] = ["key", "face", "document"],
  { tenant = tenantId, environment = "test" }: Owner = {},
): Promise<MadeKey> =>
  makeKey(
    { admin, clock, newId: randomUUID },
    { tenantId: tenant, name: "console", environment, scopes: of },
  );

type Body = Readonly<Record<string, unknown>>;
const call = async (method: "GET" | "POST", path: string, as: string, payload: object = {}, id?: string) => {
  const answer = await idem.server.app.inject({
    method,
    url: `/operator/keys${path}`,
    headers: { "x-api-key": as, "content-type": "application/json", ...(id && { "idempotency-key": id }) },
    ...(method === "POST" && { payload }),
  });
  const body: Body & { readonly apiKey: Body; readonly former: Body; readonly keys: readonly Body[] } =
    answer.json();
  return { status: answer.statusCode, body, text: answer.body };
};
const evidence = (): readonly (readonly [kind: string, body: unknown])[] => {
  const sqlite = new Database(join(folder, "idem.sqlite"), { readonly: true });
  const sql = "select kind, body from evidence join evidence_bodies using (tenant_id, seq) order by seq";
  const rows = sqlite.prepare<[], { kind: string; body: string }>(sql).all();
  sqlite.close();
  return rows.map(({ kind, body }) => [kind, JSON.parse(body)]);
};

describe("keys by the operator", () => {
  it("makes a key that opens what it was granted, shows it once, and stores its hash alone", async () => {
    const manager = await commandKey();
    const wish = { name: "Onboarding", scopes: ["document", "face"], days: 30 };
    const { status, body } = await call("POST", "", manager.key, wish);
    expect(status).toBe(200);
    const text = String(body["key"]);
    expect(looksLikeApiKey(text)).toBe(true);
    const shown = {
      keyId: body["keyId"],
      name: "Onboarding",
      environment: "test",
      scopes: ["face", "document"],
      state: "active",
      createdAt: now.toISOString(),
      expiresAt: new Date(start + 30 * 86_400_000).toISOString(),
      revokedAt: null,
      lastUsedAt: null,
    };
    expect(body.apiKey).toStrictEqual(shown);
    expect(await store.findApiKey(hashApiKey(text))).toMatchObject({
      tenantId,
      scopes: ["face", "document"],
    });
    const listed = await call("GET", "", manager.key);
    expect(listed.body.keys).toContainEqual(shown);
    expect(listed.text).not.toContain(text);
    expect(listed.text).not.toContain(hashApiKey(text));
    expect(idem.lines.join()).not.toContain(text);
    expect((await call("GET", "", text)).status).toBe(403);
  });

  it("renews a key: both are valid for the overlap, and the former one then ends", async () => {
    const manager = await commandKey();
    const { apiKey: former } = await commandKey(["face"]);
    const renewed = await call("POST", `/${former.id}/renew`, manager.key, { overlapHours: 2 });
    expect(renewed).toMatchObject({
      status: 200,
      body: {
        apiKey: { scopes: ["face"], name: "console", state: "active" },
        former: { keyId: former.id, state: "active", expiresAt: new Date(start + 7_200_000).toISOString() },
      },
    });
    now = new Date(start + 7_200_000);
    const states = (await call("GET", "", manager.key)).body.keys.map(({ keyId, state }) => [keyId, state]);
    expect(states).toContainEqual([former.id, "expired"]);
    expect(states).toContainEqual([renewed.body["keyId"], "active"]);
    expect(await call("POST", `/${former.id}/renew`, manager.key)).toMatchObject({
      status: 409,
      body: { failure: "key_ended", facts: { state: "expired" } },
    });
  });

  it.each([
    [30, undefined, 30],
    [undefined, undefined, 365],
    [30, 7, 7],
  ])("renews a key of %s days, asked for %s, to one of %s days from now on", async (made, asked, days) => {
    const manager = await commandKey();
    const former =
      made === undefined
        ? (await commandKey(["face"])).apiKey.id
        : (await call("POST", "", manager.key, { name: "x", scopes: ["face"], days: made })).body["keyId"];
    now = new Date(start + 10 * 86_400_000);
    const renewed = await call("POST", `/${String(former)}/renew`, manager.key, {
      ...(asked && { days: asked }),
    });
    const expiresAt = new Date(now.getTime() + days * 86_400_000).toISOString();
    expect(renewed).toMatchObject({ status: 200, body: { apiKey: { expiresAt } } });
  });

  it.each([
    ["again", []],
    ["a third time", [30_000]],
  ])(
    "gives a key that is renewed %s within its overlap the validity that it was made with",
    async (_, between) => {
      const manager = await commandKey();
      const wish = { name: "x", scopes: ["face"], days: 30 };
      const former = String((await call("POST", "", manager.key, wish)).body["keyId"]);
      for (const waitMs of [1, ...between, 3_600_001]) {
        now = new Date(now.getTime() + waitMs);
        const renewed = await call("POST", `/${former}/renew`, manager.key, { overlapHours: 2 });
        const expiresAt = new Date(now.getTime() + 30 * 86_400_000).toISOString();
        expect(renewed).toMatchObject({ status: 200, body: { apiKey: { expiresAt } } });
        expect(renewed.body.former["expiresAt"]).toBe(new Date(start + 1 + 7_200_000).toISOString());
      }
    },
  );

  it("gives each key of a chain of renewals the validity of the first one, while all are in their overlap", async () => {
    const manager = await commandKey();
    const wish = { name: "x", scopes: ["face"], days: 30 };
    const ids = [String((await call("POST", "", manager.key, wish)).body["keyId"])];
    for (const at of [0, 1, 0]) {
      now = new Date(now.getTime() + 1_001);
      const renewed = await call("POST", `/${ids[at]}/renew`, manager.key);
      const expiresAt = new Date(now.getTime() + 30 * 86_400_000).toISOString();
      expect(renewed).toMatchObject({ status: 200, body: { apiKey: { expiresAt } } });
      ids.push(String(renewed.body["keyId"]));
    }
  });

  it.each([
    ["another name", { name: "y", scopes: ["face"] }, 0],
    ["other scopes", { name: "x", scopes: ["document"] }, 0],
    ["a creation that no overlap explains", { name: "x", scopes: ["face"] }, 1],
  ])("does not give a key the validity of a later one with %s", async (_, fields, offsetMs) => {
    const manager = await commandKey();
    const wish = { name: "x", scopes: ["face"], days: 2 };
    const former = String((await call("POST", "", manager.key, wish)).body["keyId"]);
    now = new Date(start + 86_400_000 + offsetMs);
    await call("POST", "", manager.key, { ...fields, days: 300 });
    const renewed = await call("POST", `/${former}/renew`, manager.key);
    const expiresAt = new Date(now.getTime() + 2 * 86_400_000).toISOString();
    expect(renewed).toMatchObject({ status: 200, body: { apiKey: { expiresAt } } });
  });

  it("renews and revokes the calling key too: then it opens nothing", async () => {
    const manager = await commandKey();
    const { body } = await call("POST", `/${manager.apiKey.id}/renew`, manager.key, { overlapHours: 0 });
    expect((await call("GET", "", manager.key)).status).toBe(401);
    const next = String(body["key"]);
    const revoked = await call("POST", `/${String(body["keyId"])}/revoke`, next);
    expect(revoked).toMatchObject({ status: 200, body: { apiKey: { state: "revoked" } } });
    expect((await call("GET", "", next)).status).toBe(401);
  });

  it("revokes a key once: again changes nothing", async () => {
    const manager = await commandKey(scopes);
    const { apiKey } = await commandKey(scopes);
    const first = await call("POST", `/${apiKey.id}/revoke`, manager.key);
    now = new Date(start + 1000);
    const second = await call("POST", `/${apiKey.id}/revoke`, manager.key);
    expect(first.body.apiKey["revokedAt"]).toBe(new Date(start).toISOString());
    expect(second.body.apiKey).toStrictEqual(first.body.apiKey);
    expect(evidence().filter(([kind]) => kind === "api_key_revoked")).toHaveLength(1);
  });

  it("grants no scope that the calling key lacks, by creation or by renewal", async () => {
    const manager = await commandKey(["key", "face"]);
    const strong = await commandKey(["face", "token"]);
    const before = (await store.listApiKeys(tenantId)).length;
    for (const [path, fields] of [
      ["", { name: "x", scopes: ["face", "token", "review"] }],
      [`/${strong.apiKey.id}/renew`, {}],
    ] as const) {
      const refused = await call("POST", path, manager.key, fields);
      expect(refused).toMatchObject({ status: 403, body: { failure: "key_scope_refused" } });
    }
    expect((await store.listApiKeys(tenantId)).length).toBe(before);
    const granted = await call("POST", "", manager.key, { name: "x", scopes: ["key", "face"] });
    expect(granted.status).toBe(200);
  });

  it("revokes and renews no key with a scope that the calling key lacks, whatever its state", async () => {
    const manager = await commandKey(["key", "face"]);
    const active = await commandKey(["key", "face", "token"]);
    const revoked = await commandKey(scopes);
    await admin.revokeApiKey(tenantId, revoked.apiKey.id, now);
    const before = await store.listApiKeys(tenantId);
    for (const { apiKey } of [active, revoked]) {
      for (const verb of ["revoke", "renew"]) {
        expect(await call("POST", `/${apiKey.id}/${verb}`, manager.key)).toMatchObject({
          status: 403,
          body: { failure: "key_scope_refused" },
        });
      }
    }
    expect(await store.listApiKeys(tenantId)).toStrictEqual(before);
    const equal = await commandKey(["face", "key"]);
    expect((await call("POST", `/${equal.apiKey.id}/revoke`, manager.key)).status).toBe(200);
  });

  it("repeats no secret: not to another key, not to a key without the right, and not to its own retry", async () => {
    const strong = await commandKey(scopes);
    const equal = await commandKey(scopes);
    const weak = await commandKey(["key"]);
    const wish = { name: "worker", scopes: ["face", "token"] };
    for (const [path, fields] of [
      ["", wish],
      [`/${strong.apiKey.id}/renew`, {}],
    ] as const) {
      const first = await call("POST", path, strong.key, fields, "create-worker-key-1");
      expect(first.status).toBe(200);
      const { length } = await store.listApiKeys(tenantId);
      expect(await call("POST", path, weak.key, fields, "create-worker-key-1")).toMatchObject({
        status: 403,
        body: { failure: "key_scope_refused" },
      });
      expect(await call("POST", path, equal.key, fields, "create-worker-key-1")).toMatchObject({
        status: 409,
        body: { failure: "idempotency_key_taken" },
      });
      const again = await call("POST", path, strong.key, fields, "create-worker-key-1");
      expect(again).toMatchObject({
        status: 409,
        body: { failure: "idempotency_secret_shown", facts: { keyId: first.body["keyId"] } },
      });
      expect(again.text).not.toContain(String(first.body["key"]));
      expect(await store.listApiKeys(tenantId)).toHaveLength(length);
      const replaced = await call("POST", `/${String(first.body["keyId"])}/revoke`, strong.key);
      expect(replaced.status).toBe(200);
    }
    await admin.revokeApiKey(tenantId, strong.apiKey.id, now);
    const late = await call("POST", "", weak.key, wish, "create-worker-key-1");
    expect(late).toMatchObject({ status: 403, body: { failure: "key_scope_refused" } });
  });

  it("tells a renewal of the asking key, which may be all that is left of it, what the call made", async () => {
    const { key, apiKey } = await commandKey(scopes);
    const first = await call("POST", "", key, { name: "x", scopes: ["face"] }, "one");
    const renewed = await call("POST", `/${apiKey.id}/renew`, key, { overlapHours: 0 }, "two");
    const next = String(renewed.body["key"]);
    expect(await call("POST", "", next, { name: "x", scopes: ["face"] }, "one")).toMatchObject({
      status: 409,
      body: { failure: "idempotency_secret_shown", facts: { keyId: first.body["keyId"] } },
    });
    const third = await call("POST", `/${String(renewed.body["keyId"])}/renew`, next);
    expect(await store.findApiKey(hashApiKey(String(third.body["key"])))).toMatchObject({
      lineage: apiKey.id,
    });
    expect(await store.findApiKey(hashApiKey(String(first.body["key"])))).not.toHaveProperty("lineage");
  });

  it("needs the scope of keys", async () => {
    const { key } = await commandKey(scopes.filter((scope) => scope !== "key"));
    expect(await call("GET", "", key)).toMatchObject({ status: 403, body: { failure: "scope_missing" } });
  });

  it("of another tenant or environment is as unknown as none, to the byte", async () => {
    const { apiKey } = await commandKey();
    const others = [
      await commandKey(scopes, { tenant: otherTenantId }),
      await commandKey(scopes, { environment: "live" }),
    ];
    const unknown = "00000000-0000-4000-8000-000000000000";
    const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"|"instance":"[^"]*"/g, "");
    for (const other of others) {
      for (const verb of ["renew", "revoke"]) {
        const [foreign, none, odd] = [
          await call("POST", `/${apiKey.id}/${verb}`, other.key),
          await call("POST", `/${unknown}/${verb}`, other.key),
          await call("POST", `/no-uuid%00/${verb}`, other.key),
        ];
        expect([foreign.status, none.status, odd.status], verb).toEqual([404, 404, 404]);
        expect(withoutIds(foreign.text), verb).toBe(withoutIds(none.text));
      }
      const listed = (await call("GET", "", other.key)).body.keys;
      expect(listed.map(({ keyId }) => keyId)).toEqual([other.apiKey.id]);
      const made = await call("POST", "", other.key, { name: "x", scopes: ["face"] });
      expect(made.body.apiKey["environment"]).toBe(other.apiKey.environment);
      expect(await store.findApiKey(hashApiKey(String(made.body["key"])))).toMatchObject({
        tenantId: other.apiKey.tenantId,
      });
    }
    expect(await store.findApiKey(apiKey.hash)).toStrictEqual(apiKey);
  });

  it("states each change in the evidence, with who made it", async () => {
    const manager = await commandKey();
    const by = { key: manager.apiKey.id };
    const made = await call("POST", "", manager.key, { name: "Zoë Quill", scopes: ["face"], days: 1 });
    const id = String(made.body["keyId"]);
    const renewed = await call("POST", `/${id}/renew`, manager.key, { days: 2 });
    await call("POST", `/${id}/revoke`, manager.key);
    const expiresAt = (days: number) => new Date(start + days * 86_400_000).toISOString();
    const face = { environment: "test", scopes: ["face"] };
    expect(evidence()).toStrictEqual([
      [
        "api_key_created",
        {
          apiKey: manager.apiKey.id,
          environment: "test",
          expiresAt: null,
          scopes: ["key", "face", "document"],
        },
      ],
      ["api_key_created", { apiKey: id, expiresAt: expiresAt(1), ...face, ...by }],
      [
        "api_key_created",
        { apiKey: renewed.body["keyId"], expiresAt: expiresAt(2), renews: id, ...face, ...by },
      ],
      ["api_key_ended", { apiKey: id, endsAt: expiresAt(1), ...by }],
      ["api_key_revoked", { apiKey: id, ...by }],
    ]);
    expect(JSON.stringify(evidence())).not.toContain("Quill");
  });

  it("are no more than allowed: active ones, and those of the last day though they are revoked", async () => {
    const manager = await commandKey();
    const expiresAt = new Date(start + 1000);
    for (let n = 2; n < activeKeysMax; n++) {
      const key = { tenantId, name: "n", environment: "test", scopes: ["face"], expiresAt } as const;
      await store.createApiKey({ ...key, id: randomUUID(), hash: `hash-${n}`, createdAt: now });
    }
    const create = () => call("POST", "", manager.key, { name: "x", scopes: ["face"] });
    const last = await create();
    expect(last.status).toBe(200);
    await call("POST", `/${String(last.body["keyId"])}/revoke`, manager.key);
    expect(await create()).toMatchObject({
      status: 409,
      body: { failure: "key_limit", facts: { countMax: activeKeysMax } },
    });
    now = new Date(start + 86_400_000);
    expect((await create()).status).toBe(200);
  });

  it("are no more than allowed when many calls make one at once", async () => {
    const manager = await commandKey();
    for (let n = 3; n < activeKeysMax; n++) {
      const key = { tenantId, name: "n", environment: "test", scopes: ["face"] } as const;
      await store.createApiKey({ ...key, id: randomUUID(), hash: `hash-${n}`, createdAt: now });
    }
    const calls = Array.from({ length: 8 }, () =>
      call("POST", "", manager.key, { name: "x", scopes: ["face"] }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 409, 409, 409, 409, 409, 409]);
    expect(await store.listApiKeys(tenantId)).toHaveLength(activeKeysMax);
  });

  it("lists the newest first, in pages, each key once", async () => {
    const manager = await commandKey();
    for (let n = 0; n < 101; n++) {
      const key = { tenantId, name: "n", environment: "test", scopes: ["face"] } as const;
      const createdAt = new Date(start + Math.floor(n / 2));
      await store.createApiKey({ ...key, id: randomUUID(), hash: `hash-${n}`, createdAt });
    }
    const first = await call("GET", "", manager.key);
    const second = await call("GET", `?after=${String(first.body["next"])}`, manager.key);
    expect([first.body.keys.length, second.body.keys.length, second.body["next"]]).toEqual([100, 2, null]);
    const all = [...first.body.keys, ...second.body.keys];
    expect(new Set(all.map(({ keyId }) => keyId)).size).toBe(102);
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await call("GET", "?after=x", manager.key)).status).toBe(400);
  });

  it.each([
    [{ scopes: ["face"] }, "name"],
    [{ name: "a\u001b[2J", scopes: ["face"] }, "name"],
    [{ name: "a", scopes: [] }, "scopes"],
    [{ name: "a", scopes: ["all"] }, "scopes"],
    [{ name: "a", scopes: ["face"], days: 0 }, "days"],
    [{ name: "a", scopes: ["face"], days: 3651 }, "days"],
  ])("refuses %j, and names the field", async (fields, field) => {
    const manager = await commandKey();
    const refused = await call("POST", "", manager.key, fields);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(field);
    expect(await store.listApiKeys(tenantId)).toHaveLength(1);
  });

  it.each([-1, 8761, 0.5])("refuses an overlap of %d hours", async (overlapHours) => {
    const manager = await commandKey();
    const refused = await call("POST", `/${manager.apiKey.id}/renew`, manager.key, { overlapHours });
    expect(refused.status).toBe(400);
  });
});
