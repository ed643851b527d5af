import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWebhookBench, type WebhookBench } from "#app/webhook-bench";
import { readConfig } from "#machine/config/config";
import { webhookKeyOf } from "#record/events/standard-webhooks";
import { eventually } from "#support/contract/eventually";
import { destroyTenantKeys } from "#trust/key-ring/keyring";
import { openSettings } from "../destinations/settings.ts";

type Arrival = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver on a free port. It answers as `answer` says. */
const openReceiver = async () => {
  const arrivals: Arrival[] = [];
  const state = { status: 204, answer: "", hangs: false };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      arrivals.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      });
      if (!state.hangs) response.writeHead(state.status).end(state.answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { arrivals, state, url: (path = "/hook") => `http://127.0.0.1:${port}${path}`, server };
};

describe("the delivery of events", () => {
  let folder: string;
  let bench: WebhookBench;
  let reports: unknown[][];
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  const masterKey = randomBytes(32);
  const open = (): Promise<WebhookBench> => {
    const config = readConfig({ IDEM_DATA: folder, IDEM_EGRESS_ALLOW: "127.0.0.1" });
    return openWebhookBench({ ...config, masterKey }, (...report) => void reports.push(report));
  };
  const owner = (tenantId: string) => ({ tenantId, environment: "test" }) as const;
  const destinationOf = async (tenantId: string) => {
    const [destination] = await bench.storage.sealedStore.listDestinations(owner(tenantId));
    return destination!;
  };
  const deliveriesOf = async (tenantId: string) => {
    const destinationId = (await destinationOf(tenantId)).id;
    const { deliveries } = await bench.storage.sealedStore.listDeliveries(owner(tenantId), { destinationId });
    return deliveries;
  };
  const untilState = (tenantId: string, state: string, timeout = 15_000) =>
    eventually(
      async () => {
        const deliveries = await deliveriesOf(tenantId);
        expect(deliveries.map((one) => one.state)).toEqual(deliveries.map(() => state));
        expect(deliveries.length).toBeGreaterThan(0);
        return deliveries;
      },
      { timeout, interval: 20 },
    );
  const attemptsOf = async (tenantId: string) => {
    const [delivery] = await deliveriesOf(tenantId);
    return (await bench.storage.sealedStore.findDelivery(owner(tenantId), delivery!))!.attempts;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-delivery-"));
    receiver = await openReceiver();
    reports = [];
    bench = await open();
  });
  afterEach(async () => {
    receiver.server.closeAllConnections();
    receiver.server.close();
    await bench.stop();
    await bench.close();
    await rm(folder, { recursive: true });
  });

  it("sends a CloudEvent with both signatures, and logs the attempt", async () => {
    receiver.state.answer = "gracias";
    receiver.state.status = 200;
    const tenantId = await bench.addTenant([receiver.url()]);
    bench.start();
    const operationId = await bench.recordEvent(tenantId);
    const [delivery] = await untilState(tenantId, "delivered");
    const [arrival] = receiver.arrivals;
    const { signature, ...event } = JSON.parse(arrival!.body);
    expect(event).toMatchObject({
      specversion: "1.0",
      type: "com.idem.api.workflows.operation_started.v1",
      source: `/operations/${operationId}`,
      id: delivery!.eventId,
      sequence: "0000000001",
    });
    const { sealedStore, keyring } = bench.storage;
    const { secret } = await openSettings(keyring, await destinationOf(tenantId));
    const embedded = createHmac("sha256", secret).update(JSON.stringify(event), "utf8").digest("base64");
    expect(signature).toBe(embedded);
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": header } = arrival!.headers;
    expect(id).toBe(delivery!.eventId);
    const signed = createHmac("sha256", webhookKeyOf(secret)).update([id, time, arrival!.body].join("."));
    expect(header).toBe(`v1,${signed.digest("base64")}`);
    const found = await sealedStore.findDelivery(owner(tenantId), delivery!);
    expect(found?.attempts).toMatchObject([
      { attempt: 1, outcome: "delivered", status: 200, decision: "delivered", address: "127.0.0.1" },
    ]);
    expect(found?.attempts[0]?.sealedAnswer).toBeDefined();
    expect(Buffer.from(found!.attempts[0]!.sealedAnswer!).includes("gracias")).toBe(false);
    expect(receiver.arrivals).toHaveLength(1);
  });

  it("repeats a refused event with the same id, and without an image with the same body signature, until it arrives", async () => {
    receiver.state.status = 503;
    const tenantId = await bench.addTenant([receiver.url()], { retrySchedule: [0, 1, 1] });
    bench.start();
    await bench.recordEvent(tenantId);
    await eventually(() => expect(receiver.arrivals).toHaveLength(1), { timeout: 15_000 });
    receiver.state.status = 204;
    await untilState(tenantId, "delivered");
    expect(new Set(receiver.arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.arrivals.map(({ body }) => JSON.parse(body).signature)).size).toBe(1);
    expect((await attemptsOf(tenantId)).map(({ outcome, decision }) => [outcome, decision])).toEqual([
      ["delivered", "delivered"],
      ["refused", "retry"],
    ]);
  });

  it("ends after the last attempt of the destination's schedule", async () => {
    receiver.state.status = 302;
    const tenantId = await bench.addTenant([receiver.url()], { retrySchedule: [0, 1] });
    bench.start();
    await bench.recordEvent(tenantId);
    await untilState(tenantId, "failed");
    expect((await attemptsOf(tenantId)).map(({ decision }) => decision)).toEqual(["failed", "retry"]);
    expect(receiver.arrivals).toHaveLength(2);
  });

  it("disables a destination that answers 410 still after an hour, and holds its events", async () => {
    receiver.state.status = 410;
    const tenantId = await bench.addTenant([receiver.url()], { retrySchedule: [0, 2, 2, 3600] });
    await bench.recordEvent(tenantId);
    bench.start();
    await eventually(() => expect(receiver.arrivals).toHaveLength(2), { timeout: 15_000 });
    await eventually(async () => expect((await attemptsOf(tenantId)).length).toBe(2), { timeout: 15_000 });
    expect(await destinationOf(tenantId)).toMatchObject({ state: "active" });
    const sqlite = new Database(join(folder, "idem.sqlite"));
    sqlite.exec("update destinations set gone_since = gone_since - 3600000");
    sqlite.close();
    await untilState(tenantId, "held");
    expect(await destinationOf(tenantId)).toMatchObject({ state: "disabled", stateReason: "gone" });
    await bench.recordEvent(tenantId);
    expect((await untilState(tenantId, "held")).length).toBe(2);
    expect(receiver.arrivals).toHaveLength(3);
  });

  it("stops to send to a receiver that fails ten times, and spends no attempt of the others", async () => {
    receiver.state.status = 500;
    const tenantId = await bench.addTenant([receiver.url()], { retrySchedule: [0, 3600] });
    for (let n = 0; n < 40; n += 1) await bench.recordEvent(tenantId);
    bench.start();
    await eventually(
      async () => {
        const { openBreakers } = await bench.storage.sealedStore.readQueue(new Date(), 1);
        expect(openBreakers).toBe(1);
      },
      { timeout: 15_000 },
    );
    await bench.stop();
    // Those in flight when it opened, of the eight that the destination may have, come to an end.
    expect(receiver.arrivals.length).toBeLessThan(10 + 16);
    const untried = (await deliveriesOf(tenantId)).filter(({ attempts }) => attempts === 0);
    expect(untried.length).toBe(40 - receiver.arrivals.length);
  });

  it("ends events of an erased tenant, and sends nothing", async () => {
    const tenantId = await bench.addTenant([receiver.url()]);
    await bench.recordEvent(tenantId);
    await destroyTenantKeys(bench.storage.sealedStore, tenantId, new Date());
    // A process may use a key that it has for two seconds more.
    await bench.close();
    bench = await open();
    bench.start();
    await untilState(tenantId, "failed");
    expect(await attemptsOf(tenantId)).toMatchObject([{ outcome: "event_erased", decision: "failed" }]);
    expect(receiver.arrivals).toEqual([]);
  });

  it("ends events of a destination that was removed while they waited", async () => {
    const tenantId = await bench.addTenant([receiver.url()]);
    await bench.recordEvent(tenantId);
    const { sealedStore } = bench.storage;
    const stored = await destinationOf(tenantId);
    await sealedStore.removeDestination(stored, new Date(), { evidence: [] });
    bench.start();
    const list = () =>
      sealedStore.listDeliveries(owner(tenantId), { destinationId: stored.id, state: "failed" });
    await eventually(async () => expect((await list()).deliveries).toHaveLength(1), { timeout: 15_000 });
    const [delivery] = (await list()).deliveries;
    const found = await sealedStore.findDelivery(owner(tenantId), delivery!);
    expect(found?.attempts).toMatchObject([{ outcome: "destination_removed" }]);
    expect(receiver.arrivals).toEqual([]);
  });

  /** Changes rows past the service, as who can write to the file does. */
  const forge = (statement: string): void => {
    const sqlite = new Database(join(folder, "idem.sqlite"));
    sqlite.pragma("foreign_keys = off");
    sqlite.prepare(statement).run();
    sqlite.close();
  };
  const finishedOnly = { topics: ["workflows/operation-finished/v1"] };

  it("sends no event for a delivery that was added past the service, ends it with the reason, and reports its ids", async () => {
    const tenantId = await bench.addTenant([receiver.url()], finishedOnly);
    await bench.recordEvent(tenantId);
    const { id } = await destinationOf(tenantId);
    forge(`insert into deliveries (tenant_id, destination_id, event_id, operation_id, sequence, event_at, state, attempts, failures,
        is_manual, due_at, created_at)
      select tenant_id, '${id}', id, operation_id, sequence, at, 'due', 0, 0, 0, at, at from events`);
    bench.start();
    const [delivery] = await untilState(tenantId, "failed");
    expect(await attemptsOf(tenantId)).toMatchObject([
      { outcome: "forged", decision: "failed", reason: expect.stringContaining("past the service") },
    ]);
    expect(reports).toMatchObject([
      [
        "webhooks",
        "A delivery was not sent",
        expect.any(Error),
        `deliveries ${tenantId} ${id} ${delivery?.eventId}`,
      ],
    ]);
    expect(receiver.arrivals).toEqual([]);
  });

  it("sends no event that was put into another environment than its destination has", async () => {
    const tenantId = await bench.addTenant([receiver.url()]);
    await bench.recordEvent(tenantId);
    forge("update events set environment = 'live'");
    bench.start();
    const { id: destinationId } = await destinationOf(tenantId);
    const { sealedStore } = bench.storage;
    // The operator of the environment of the event sees it.
    const live = { tenantId, environment: "live" } as const;
    const list = () => sealedStore.listDeliveries(live, { destinationId, state: "failed" });
    await eventually(async () => expect((await list()).deliveries).toHaveLength(1), { timeout: 15_000 });
    const found = await sealedStore.findDelivery(live, (await list()).deliveries[0]!);
    expect(found?.attempts).toMatchObject([{ outcome: "forged", decision: "failed" }]);
    expect(receiver.arrivals).toEqual([]);
  });

  it("sends what waited when the topics of its destination changed, also again", async () => {
    const tenantId = await bench.addTenant([receiver.url()]);
    await bench.recordEvent(tenantId);
    const { sealedStore } = bench.storage;
    const before = await destinationOf(tenantId);
    await sealedStore.changeDestination(before, { at: new Date(), ...finishedOnly }, { evidence: [] });
    bench.start();
    const [delivery] = await untilState(tenantId, "delivered");
    const entry = { id: randomUUID(), kind: "deliveries_replayed", at: new Date(), body: {} };
    expect(await sealedStore.replayEvent({ tenantId, eventId: delivery!.eventId }, new Date(), entry)).toBe(
      1,
    );
    await eventually(() => expect(receiver.arrivals).toHaveLength(2), { timeout: 15_000 });
    expect(reports).toEqual([]);
  });

  it("waits at its end for running attempts, and stores their ends", async () => {
    const tenantId = await bench.addTenant([receiver.url()], { timeoutSeconds: 2, retrySchedule: [0, 3600] });
    receiver.state.hangs = true;
    bench.start();
    await bench.recordEvent(tenantId);
    await eventually(() => expect(receiver.arrivals).toHaveLength(1), { timeout: 15_000 });
    await bench.stop();
    expect(await attemptsOf(tenantId)).toMatchObject([{ outcome: "timed_out", decision: "retry" }]);
  });

  it("goes on with what an earlier process left", async () => {
    const tenantId = await bench.addTenant([receiver.url()]);
    await bench.recordEvent(tenantId);
    await bench.stop();
    await bench.close();
    bench = await open();
    bench.start();
    await untilState(tenantId, "delivered");
    expect(receiver.arrivals).toHaveLength(1);
  });
});
