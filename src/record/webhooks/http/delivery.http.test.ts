import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, startServer as startIdem } from "#support/http/harness";
import { anOperationStep } from "#support/storage/suite";
import { aFailure, anAttempt } from "#support/webhooks/deliveries";
import { openWebhookHarness, type WebhookHarness } from "#support/webhooks/harness";
import { makeDeliveryAdmin } from "../delivery/delivery-admin.ts";
import { sealAnswer } from "../delivery/sealed-answer.ts";
import { deliveryEndpoints } from "./delivery.endpoint.ts";

let harness: WebhookHarness;
let idem: Harness;
let key = "";
let wakes = 0;
let destinationId = "";

beforeAll(async () => {
  harness = await openWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  const { store, keyring, tenantId } = harness;
  wakes = 0;
  const admin = makeDeliveryAdmin({
    store,
    keyring,
    prepareTest: async ({ environment }, operationId, at) =>
      anOperationStep(operationId, {
        environment,
        operationId,
        at,
        transactionId: randomUUID(),
        events: [],
        opening: {
          started: { id: randomUUID(), name: "operation_started", sealedData: new Uint8Array(1) },
          expiresAt: new Date(at.getTime() + 1_000),
        },
      }),
    wake: () => void (wakes += 1),
    clock: () => harness.clock.now,
    newId: randomUUID,
  });
  idem = startIdem({ endpoints: deliveryEndpoints(admin) });
  key = idem.makeKey({ tenantId });
  ({ id: destinationId } = await harness.newDestination({ topics: ["*"] }));
});

const call = async (method: "GET" | "POST", path: string, payload: object = {}, as = key) => {
  const answer = await idem.server.app.inject({
    method,
    url: `/operator${path}`,
    headers: { "x-api-key": as, "content-type": "application/json" },
    ...(method === "POST" && { payload }),
  });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
};
const post = (path: string, payload: object = {}, as = key) => call("POST", path, payload, as);
const get = (path: string, as = key) => call("GET", path, {}, as);

/** A test event on the way of every event; returns its delivery, leased. */
const lease = async () => {
  const { body } = await post(`/destinations/${destinationId}/test`);
  const { deliveries } = await harness.store.leaseDeliveries({
    worker: "one",
    now: new Date(harness.clock.now.getTime() + 1),
    leaseMs: 1_000,
    limit: 10,
    inFlightMax: 8,
    after: "",
  });
  return deliveries.find(({ eventId }) => eventId === body.eventId)!;
};

const finish = async (
  attempt: Parameters<WebhookHarness["store"]["finishDeliveries"]>[0]["attempts"][number],
) =>
  await harness.store.finishDeliveries({
    worker: "one",
    at: harness.clock.now,
    attempts: [attempt],
    retries: [],
    destinations: [],
  });

describe("deliveries", () => {
  it("are listed by destination, event and state", async () => {
    const { eventId } = await lease();
    for (const query of [
      `destinationId=${destinationId}`,
      `eventId=${eventId}`,
      `eventId=${eventId}&state=due`,
    ]) {
      const { status, body } = await get(`/deliveries?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        deliveries: [{ destinationId, eventId, name: "operation_started", state: "due", attempts: 0 }],
        next: null,
      });
    }
    expect((await get(`/deliveries?eventId=${eventId}&state=held`)).body.deliveries).toEqual([]);
  });

  it("go on behind the place that `after` names", async () => {
    const { eventId } = await lease();
    const at = harness.clock.now.getTime();
    const behind = async (place: string) => await get(`/deliveries?eventId=${eventId}&after=${place}`);
    const sizeBehind = async (time: number): Promise<number> =>
      (await behind(`${time}.${eventId}.${destinationId}`)).body.deliveries.length;
    expect([await sizeBehind(at + 60_000), await sizeBehind(at - 60_000)]).toEqual([1, 0]);
    for (const place of [
      `${at}.${eventId}`,
      `${at}.${eventId}.${destinationId}0`,
      `${eventId}.${destinationId}`,
    ]) {
      const { status, body } = await behind(place);
      expect(status).toBe(400);
      expect(body.errors).toEqual(["after: must be `next` of a page"]);
    }
  });

  it("need a destination or an event", async () => {
    const { status, body } = await get("/deliveries");
    expect(status).toBe(400);
    expect(body.errors).toEqual(["destinationId: is required"]);
  });

  it("show their attempts, with the opened start of the answer", async () => {
    const leased = await lease();
    const answer = Buffer.from("gracias");
    const sealedAnswer = await sealAnswer(harness.keyring, { ...leased, environment: "test" }, 1, answer);
    const nextAt = new Date(harness.clock.now.getTime() + 5_000);
    await finish({ ...aFailure(leased, nextAt), sealedAnswer, reason: "The receiver answered 500" });
    const { body } = await get(`/deliveries/${destinationId}/${leased.eventId}`);
    expect(body).toMatchObject({
      delivery: { state: "due", attempts: 1, nextAt: nextAt.toISOString() },
      attempts: [
        {
          attempt: 1,
          outcome: "refused",
          status: 500,
          decision: "retry",
          address: "192.0.2.7",
          dnsMs: 1,
          tlsMs: 9,
          answer: answer.toString("base64"),
          reason: "The receiver answered 500",
        },
      ],
    });
  });

  it("are sent again one by one, and not while they are in flight", async () => {
    const leased = await lease();
    const path = `/deliveries/${destinationId}/${leased.eventId}/retry`;
    expect((await post(path)).body).toMatchObject({ count: 0 });
    await finish(anAttempt(leased));
    expect((await post(path)).body).toMatchObject({ count: 1 });
    expect((await get(`/deliveries?eventId=${leased.eventId}`)).body.deliveries).toMatchObject([
      { state: "due", isManual: true },
    ]);
    expect(wakes).toBeGreaterThan(0);
    expect((await post(`/events/${leased.eventId}/replay`)).body).toMatchObject({ count: 1 });
  });

  it("are counted, then sent again as a range", async () => {
    await finish(anAttempt(await lease()));
    const path = `/destinations/${destinationId}/replay`;
    expect((await post(path, { failedOnly: true, dryRun: true })).body).toMatchObject({ count: 0 });
    expect((await post(path, { dryRun: true })).body).toMatchObject({ count: 1, isComplete: true });
    const past = new Date(harness.clock.now.getTime() - 1_000).toISOString();
    expect((await post(path, { to: past, dryRun: true })).body).toMatchObject({ count: 0 });
    expect((await post(path, { from: past })).body).toMatchObject({ count: 1, isComplete: true });
    expect((await post(path, { dryRun: true })).body).toMatchObject({ count: 0 });
    expect((await post(path, { from: "yesterday" })).status).toBe(400);
    expect((await post(path, { from: past, to: past })).body.errors).toEqual([
      "to: must be after `from`. A date alone begins at 00:00 UTC",
    ]);
  });

  it("of a test event are marked by the id of their operation", async () => {
    const { body } = await post(`/destinations/${destinationId}/test`);
    expect(body.operationId).toMatch(/^test-/);
    expect(wakes).toBe(1);
  });

  it("of other tenants and environments answer as those that do not exist", async () => {
    const { eventId } = await lease();
    const none = randomUUID();
    const live = idem.makeKey({ tenantId: harness.tenantId, environment: "live" });
    const other = idem.makeKey({ tenantId: randomUUID() });
    const paths = (destination: string, event: string) =>
      [
        ["GET", `/deliveries/${destination}/${event}`],
        ["POST", `/deliveries/${destination}/${event}/retry`],
        ["POST", `/events/${event}/replay`],
        ["POST", `/destinations/${destination}/replay`],
        ["POST", `/destinations/${destination}/release`],
        ["POST", `/destinations/${destination}/test`],
      ] as const;
    const stable = ({ status, text }: { readonly status: number; readonly text: string }) => [
      status,
      text.replaceAll(/"(instance|requestId|transactionId|timestamp)":"[^"]*"/gu, ""),
    ];
    for (const as of [live, other]) {
      const [foreign, unknown] = [paths(destinationId, eventId), paths(none, none)];
      for (const [n, [method, path]] of foreign.entries()) {
        const [ofForeign, ofNone] = [
          await call(method, path, {}, as),
          await call(method, unknown[n]![1], {}, as),
        ];
        expect(ofForeign.status).toBe(404);
        expect(stable(ofForeign)).toEqual(stable(ofNone));
      }
      expect((await get(`/deliveries?destinationId=${destinationId}`, as)).body.deliveries).toEqual([]);
    }
  });
});
