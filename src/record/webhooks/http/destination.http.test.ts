import { readFile } from "node:fs/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { type Harness, startServer as startIdem } from "#support/http/harness";
import { allowingRules, openWebhookHarness, type WebhookHarness } from "#support/webhooks/harness";
import { startServer } from "#support/webhooks/servers";
import { makeHandshake } from "../destinations/handshake.ts";
import { openDestination } from "../destinations/settings.ts";
import { makeAskConsent } from "../send/ask-consent.ts";
import { destinationEndpoints } from "./destination.endpoint.ts";

let harness: WebhookHarness;
let idem: Harness;
let key = "";

beforeAll(async () => {
  harness = await openWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  const { store, keyring, destinations, tenantId } = harness;
  const clock = (): Date => harness.clock.now;
  const askConsent = makeAskConsent({
    egress: makeEgress(allowingRules),
    takeToken: harness.newSender().takeToken,
    origin: "idem.example.com",
  });
  const handshake = makeHandshake({ store, keyring, destinations, askConsent, clock });
  idem = startIdem({ endpoints: destinationEndpoints({ destinations, handshake }) });
  key = idem.makeKey({ tenantId });
  await harness.store.forgetDestinations(tenantId, harness.clock.now);
});

const base = "/operator/destinations";
type Body = Readonly<Record<string, unknown>>;
const call = async (method: "GET" | "POST", path: string, payload: object = {}, as = key) => {
  const headers = { "x-api-key": as, "content-type": "application/json" };
  const url = `${base}${path}`;
  const answer = await idem.server.app.inject({
    method,
    url,
    headers,
    ...(method === "POST" && { payload }),
  });
  const body: Body & { readonly destination: Body } = answer.json();
  return { status: answer.statusCode, body, text: answer.body };
};
const post = (path: string, payload: object = {}, as = key) => call("POST", path, payload, as);
const get = (path: string, as = key) => call("GET", path, {}, as);

const wish = {
  name: "Receiver",
  url: "https://hooks.example.com/idem",
  topics: ["workflows/*/v1"],
  headers: [{ name: "X-Source", value: "canary-header" }],
  auth: { kind: "api-key", header: "X-Api-Key", value: "canary-key" },
};
const create = async (change: object = {}, as = key) => {
  const { status, body } = await post("", { ...wish, ...change }, as);
  expect(status).toBe(200);
  return { id: String(body.destination["destinationId"]), secret: String(body["secret"]), body };
};
const evidence = async (): Promise<readonly unknown[]> => {
  const sqlite = new Database(harness.path, { readonly: true });
  const sql = "select kind, body from evidence join evidence_bodies using (tenant_id, seq) order by seq";
  const rows = sqlite.prepare<[], { kind: string; body: string }>(sql).all();
  sqlite.close();
  return rows.map(({ kind, body }) => [kind, JSON.parse(body)]);
};

describe("a destination", () => {
  it("shows its secret once, and no credential ever", async () => {
    const { id, secret, body } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body.destination).toMatchObject({
      name: "Receiver",
      state: "active",
      stateReason: null,
      headerNames: ["x-source"],
      auth: { kind: "api-key", header: "x-api-key", clientId: null },
      timeoutSeconds: 15,
      retrySchedule: [],
      maxConcurrent: 0,
      ordered: false,
      handshake: false,
    });
    for (const { text } of [await get(`/${id}`), await get(""), await post(`/${id}`, { name: "new" })]) {
      expect(text).toContain(id);
      expect(text).not.toMatch(/canary|whsec_/);
    }
    const stored = Buffer.concat([await readFile(harness.path), await readFile(`${harness.path}-wal`)]);
    expect(stored.includes("x-source")).toBe(false);
    expect(stored.includes(id)).toBe(true);
    for (const word of ["canary", "whsec_", "hooks.example.com"])
      expect(stored.includes(word), word).toBe(false);
    expect(idem.lines.join()).not.toMatch(/canary|whsec_|hooks\.example/);
  });

  it("changes only what is named, and its evidence names fields and no value", async () => {
    const { id, secret } = await create();
    const changed = await post(`/${id}`, { timeoutSeconds: 5, topics: ["*"], ordered: true });
    expect(changed.body.destination).toMatchObject({
      timeoutSeconds: 5,
      topics: ["*"],
      ordered: true,
      url: wish.url,
      headerNames: ["x-source"],
    });
    const stored = await harness.store.findDestination(
      { tenantId: harness.tenantId, environment: "test" },
      id,
    );
    const opened = await openDestination(harness.keyring, stored!, harness.clock.now);
    expect(opened).toMatchObject({
      secrets: [secret],
      headers: { "x-source": "canary-header" },
      revision: 2,
    });
    const [created, change] = (await evidence()).slice(-2);
    expect(created).toEqual([
      "destination_created",
      { destination: id, key: expect.any(String), topics: wish.topics, auth: "api-key" },
    ]);
    expect(change).toEqual([
      "destination_changed",
      { destination: id, key: expect.any(String), fields: ["isOrdered", "timeoutSeconds", "topics"] },
    ]);
    expect(JSON.stringify(await evidence())).not.toMatch(/canary|whsec_|hooks\.example/);
  });

  it.each([
    [{ url: "http://hooks.example.com/" }, /url: "http:\/\/hooks\.example\.com\/" is refused/],
    [{ url: "https://169.254.169.254/" }, /url: .*169\.254\.169\.254/],
    [{ topics: ["workflows/id-captured/v2"] }, /topics\.0: "workflows\/id-captured\/v2" is no topic/],
    [{ headers: [{ name: "host", value: "x" }] }, /headers\.0\.name: "host"/],
    [{ auth: { kind: "oauth2", tokenUrl: "https://10.0.0.1/" } }, /auth\.tokenUrl: /],
    [{ auth: { kind: "password" } }, /auth\.kind: must be one of/],
    [{ timeoutSeconds: 99 }, /timeoutSeconds: is 99/],
    [{ headers: "x: y" }, /headers: must be an array/],
  ])("is refused with its fault, new or changed: %j", async (fault, expected) => {
    const { id } = await create();
    for (const { status, body } of [await post("", { ...wish, ...fault }), await post(`/${id}`, fault)]) {
      expect([status, body["failure"]]).toEqual([400, "request_invalid"]);
      expect(String(body["errors"])).toMatch(expected);
    }
    expect((await get(`/${id}`)).body.destination["url"]).toBe(wish.url);
  });

  it("is refused with all its faults at once: of its schema, of its rules, and of what is missing", async () => {
    const { id } = await create();
    const wrong = { url: "http://x", topics: ["nope", "no"], timeoutSeconds: 99, retrySchedule: [-1] };
    const shape = { auth: { kind: "password" }, handshake: "yes" };
    const fields = [
      "auth.kind",
      "handshake",
      "url",
      "topics.0",
      "topics.1",
      "timeoutSeconds",
      "retrySchedule.0",
    ];
    const fieldsOf = (body: Body): readonly string[] =>
      [body["errors"]]
        .flat()
        .map(String)
        .map((fault) => fault.slice(0, fault.indexOf(":")));
    const created = await post("", { ...wrong, ...shape });
    expect(created.status).toBe(400);
    expect(fieldsOf(created.body).toSorted()).toEqual(["name", ...fields].toSorted());
    const changed = await post(`/${id}`, { ...wrong, ...shape });
    expect(fieldsOf(changed.body).toSorted()).toEqual(fields.toSorted());
  });

  it("may be one of fifty in its environment", async () => {
    for (let n = 0; n < 50; n += 1) await create({ name: `receiver ${n}` });
    const refused = await post("", wish);
    expect([refused.status, refused.body["failure"]]).toEqual([409, "destination_limit"]);
    expect((await get("")).body["destinations"]).toHaveLength(50);
    await create({}, idem.makeKey({ tenantId: harness.tenantId, environment: "live" }));
  });

  it("is paused and resumed, and its deliveries with it", async () => {
    const { id } = await create();
    expect((await post(`/${id}/pause`)).body.destination).toMatchObject({
      state: "paused",
      stateReason: "operator",
    });
    // A retry of the call changes nothing.
    const entries = (await evidence()).length;
    expect((await post(`/${id}/pause`)).body.destination).toMatchObject({ state: "paused" });
    expect(await evidence()).toHaveLength(entries);
    const refused = await post(`/${id}/enable`);
    expect([refused.status, refused.body["failure"], refused.body["facts"]]).toEqual([
      409,
      "destination_state_refused",
      { state: "paused", reason: "operator" },
    ]);
    expect((await post(`/${id}/resume`)).body.destination).toMatchObject({
      state: "active",
      stateReason: null,
    });
    for (const verb of ["resume", "enable"])
      expect((await post(`/${id}/${verb}`)).body.destination).toMatchObject({ state: "active" });
    // A repeated resume makes due what an interrupted one left.
    expect(harness.deliveries.filter((one) => one.endsWith(id))).toEqual([
      `hold ${id}`,
      `release ${id}`,
      `release ${id}`,
    ]);
  });

  it("is enabled after its failures, and held deliveries wait unless they are asked for", async () => {
    for (const [body, released] of [
      [{}, false],
      [{ deliverHeld: true }, true],
    ] as const) {
      const { id } = await create();
      const read = { tenantId: harness.tenantId, id, revision: 1 };
      const disabling = { at: harness.clock.now, state: { is: "disabled", reason: "failures" } } as const;
      await harness.store.changeDestination(read, disabling, { evidence: [] });
      expect((await get(`/${id}`)).body.destination).toMatchObject({
        state: "disabled",
        stateReason: "failures",
      });
      expect((await post(`/${id}/resume`)).status).toBe(409);
      expect((await post(`/${id}/enable`, body)).body.destination).toMatchObject({ state: "active" });
      expect(harness.deliveries.includes(`release ${id}`)).toBe(released);
    }
  });

  it("rotates its secret: both sign for a time, then the former is gone", async () => {
    const { id, secret } = await create();
    const start = harness.clock.now;
    const rotated = await post(`/${id}/rotate-secret`);
    const next = String(rotated.body["secret"]);
    expect(next).not.toBe(secret);
    const until = new Date(start.getTime() + 86_400_000);
    expect(rotated.body.destination["formerSecretUntil"]).toBe(until.toISOString());
    const secretsNow = async () => {
      const stored = await harness.store.findDestination(
        { tenantId: harness.tenantId, environment: "test" },
        id,
      );
      return (await openDestination(harness.keyring, stored!, harness.clock.now)).secrets;
    };
    expect(await secretsNow()).toEqual([next, secret]);
    expect(await harness.destinations.dropFormerSecrets()).toBe(0);
    harness.clock.now = until;
    expect(await secretsNow()).toEqual([next]);
    expect(await harness.destinations.dropFormerSecrets()).toBe(1);
    expect(await harness.destinations.dropFormerSecrets()).toBe(0);
    const alone = String((await post(`/${id}/rotate-secret`, { formerHours: 0 })).body["secret"]);
    expect(await secretsNow()).toEqual([alone]);
    for (const formerHours of [-1, 169]) {
      const refused = await post(`/${id}/rotate-secret`, { formerHours });
      expect(refused.body["code"]).toBe(1104);
      expect(String(refused.body["errors"])).toBe(
        `formerHours: is ${formerHours}, and must be a whole number from 0 to 168`,
      );
    }
    for (let n = 0; n < 5; n += 1) expect((await post(`/${id}/rotate-secret`)).status).toBe(200);
    expect((await post(`/${id}/rotate-secret`)).body["failure"]).toBe("destination_secret_limit");
  });

  it("is removed with its secrets, and is not found again", async () => {
    const { id } = await create();
    expect(await post(`/${id}/remove`)).toMatchObject({ status: 200, body: { destinationId: id } });
    for (const { status } of [await get(`/${id}`), await post(`/${id}/remove`), await post(`/${id}/pause`)])
      expect(status).toBe(404);
    expect((await get("")).body["destinations"]).toEqual([]);
    expect((await evidence()).at(-1)).toEqual([
      "destination_removed",
      { destination: id, key: expect.any(String) },
    ]);
  });

  it("is removed too where its row was changed past the service and its settings do not open", async () => {
    const { id } = await create();
    const sqlite = new Database(harness.path);
    sqlite.prepare("update destinations set sealed_settings = x'00', topics = 'none' where id = ?").run(id);
    sqlite.close();
    expect((await get(`/${id}`)).status).toBe(500);
    expect(await post(`/${id}/remove`)).toMatchObject({ status: 200, body: { destinationId: id } });
    expect((await get("")).body["destinations"]).toEqual([]);
  });

  it("of another tenant or environment is as unknown as none, to the byte", async () => {
    const { id } = await create();
    const otherKeys = [
      idem.makeKey({ tenantId: "other" }),
      idem.makeKey({ tenantId: harness.tenantId, environment: "live" }),
    ];
    const unknown = "00000000-0000-4000-8000-000000000000";
    const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"|"instance":"[^"]*"/g, "");
    for (const otherKey of otherKeys) {
      expect((await get("", otherKey)).body["destinations"]).toEqual([]);
      for (const path of ["", "/pause", "/resume", "/enable", "/rotate-secret", "/handshake", "/remove"]) {
        const [foreign, none, odd] = [
          await post(`/${id}${path}`, {}, otherKey),
          await post(`/${unknown}${path}`, {}, otherKey),
          await post(`/no-uuid%00${path}`, {}, otherKey),
        ];
        expect([foreign.status, none.status, odd.status], path).toEqual([404, 404, 404]);
        expect(withoutIds(foreign.text), path).toBe(withoutIds(none.text));
      }
      expect((await get(`/${id}`, otherKey)).status).toBe(404);
    }
    expect((await get(`/${id}`)).status).toBe(200);
  });

  it("needs the scope webhook", async () => {
    const weak = idem.makeKey({ tenantId: harness.tenantId, scopes: ["face", "review", "tracking"] });
    expect((await get("", weak)).body["failure"]).toBe("scope_missing");
  });

  it("waits for the consent of its receiver where it must have it", async () => {
    let allowed: Readonly<Record<string, string>> = {};
    const receiver = await startServer((_, _request, response) => response.writeHead(200, allowed).end());
    const { id } = await create({ url: receiver.url, handshake: true });
    expect((await get(`/${id}`)).body.destination).toMatchObject({
      state: "paused",
      stateReason: "handshake",
    });
    expect((await post(`/${id}/resume`)).body["failure"]).toBe("destination_state_refused");
    const refused = await post(`/${id}/handshake`);
    expect(refused.body).toMatchObject({ consents: false, status: 200, destination: { state: "paused" } });
    allowed = { "webhook-allowed-origin": "other.example.com" };
    expect((await post(`/${id}/handshake`)).body["consents"]).toBe(false);
    allowed = { "webhook-allowed-origin": "idem.example.com" };
    expect((await post(`/${id}/handshake`)).body).toMatchObject({
      consents: true,
      destination: { state: "active", stateReason: null },
    });
    const [asked] = receiver.received;
    expect([asked?.method, asked?.headers["webhook-request-origin"], asked?.headers["x-api-key"]]).toEqual([
      "OPTIONS",
      "idem.example.com",
      "canary-key",
    ]);
    expect(harness.deliveries.at(-1)).toBe(`release ${id}`);
    await post(`/${id}/pause`);
    expect((await post(`/${id}/resume`)).body.destination).toMatchObject({ state: "active" });
    await post(`/${id}/pause`);
    const moved = await post(`/${id}`, { url: `${receiver.url}/other` });
    expect(moved.body.destination).toMatchObject({ state: "paused", stateReason: "operator" });
    // A new URL needs its own consent, whichever way the destination becomes active.
    const resumed = await post(`/${id}/resume`);
    expect(resumed.body.destination).toMatchObject({ state: "paused", stateReason: "handshake" });
    await post(`/${id}`, { handshake: false });
    expect((await get(`/${id}`)).body.destination).toMatchObject({ state: "active", stateReason: null });
    await post(`/${id}`, { handshake: true });
    expect(harness.deliveries.at(-1)).toBe(`hold ${id}`);
    receiver.close();
    const gone = await post(`/${id}/handshake`);
    expect(gone.body).toMatchObject({
      consents: false,
      status: null,
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });
});
