import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "#record/events/verify-event";
import { perTenantMax } from "#record/webhooks/one-shot/one-shot-jobs";
import { anImage, type TestOwner } from "#support/clearing/fill-store";
import { type ClearingHarness, openClearingHarness } from "#support/clearing/harness";
import { type LocalServer, startServer } from "#support/webhooks/servers";

let harness: ClearingHarness;
beforeAll(async () => {
  harness = await openClearingHarness({ egress: { allow: ["127.0.0.1"], testReceivers: ["127.0.0.1"] } });
  harness.callbacks.start();
});
afterAll(() => harness.close());

let receiver: LocalServer;
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  answer = (response) => response.writeHead(204).end();
  receiver = await startServer((_, _request, response) => answer(response));
});
afterEach(() => {
  harness.clock.aheadMs = 0;
  receiver.close();
});

/** A person whose preconditions hold. */
const verified = async (of: Partial<TestOwner> = {}) => {
  const image = anImage();
  return {
    identityTransactionId: await harness.identify({ reference: image, ...of }),
    documentValidationScanReference: await harness.validate({ images: [image], ...of }),
  };
};

const start = async (fields: Readonly<Record<string, unknown>>, of: Partial<TestOwner> = {}) => {
  const sent = await harness.server.app.inject({
    method: "POST",
    url: "/services/previred",
    headers: { "x-api-key": harness.callerOf(of).key, "content-type": "application/json" },
    payload: JSON.stringify({
      customerId: "customer-4711",
      ipVerified: "192.0.2.7",
      callbackUrl: `${receiver.url}/clearing?a=b`,
      ...fields,
    }),
  });
  return { status: sent.statusCode, body: sent.json() };
};

const callbackOf = async (id: string) => {
  const of = { tenantId: harness.tenantId, environment: "test" } as const;
  const listed = await harness.store.listOneShots(of, 100);
  return listed.find((one) => one.id === id);
};
const settled = async (id: string, state: "delivered" | "failed") =>
  await expect.poll(async () => (await callbackOf(id))?.state, { timeout: 20_000 }).toBe(state);
/** Lets this time pass for the service, and wakes its loop. */
const pass = (ms: number): void => {
  harness.clock.aheadMs += ms;
  harness.callbacks.wake();
};

const list = async (after?: string, of: Partial<TestOwner> = {}) => {
  const sent = await harness.server.app.inject({
    url: `/operator/clearing/callbacks${after === undefined ? "" : `?after=${after}`}`,
    headers: { "x-api-key": harness.callerOf(of).key },
  });
  return { status: sent.statusCode, body: sent.json(), text: sent.body };
};

describe("GET /operator/clearing/callbacks", () => {
  it("shows each attempt, and neither URL nor hash nor what the caller stated", async () => {
    const of = { tenantId: await harness.newTenant() };
    answer = (response) => response.writeHead(500).end();
    const { body } = await start(await verified(of), of);
    const attempts = async () => (await list(undefined, of)).body.callbacks[0]?.attempts.length;
    await expect.poll(attempts, { timeout: 20_000 }).toBe(1);
    const due = await list(undefined, of);
    expect(due.body.callbacks).toMatchObject([{ state: "due", settledAt: null }]);
    answer = (response) => response.writeHead(204).end();
    pass(10_000);
    await expect.poll(attempts, { timeout: 20_000 }).toBe(2);
    const shown = await list(undefined, of);
    expect(shown.body).toEqual({
      timestamp: expect.any(String),
      callbacks: [
        {
          transactionId: body.transactionId,
          state: "delivered",
          createdAt: expect.any(String),
          settledAt: expect.any(String),
          attempts: [
            expect.objectContaining({ outcome: "refused", status: 500, decision: "retry", statusCode: 200 }),
            expect.objectContaining({ outcome: "delivered", status: 204, nextAt: null, reason: null }),
          ],
        },
      ],
      next: null,
    });
    for (const secret of [body.hash, receiver.url, "customer-4711", "192.0.2.7"]) {
      expect(due.text + shown.text).not.toContain(secret);
    }
  });

  it("has pages of 50, for its own tenant and environment alone", async () => {
    const of = { tenantId: await harness.newTenant() };
    const person = await verified(of);
    const started: string[] = [];
    for (let n = 0; n < 51; n++) started.unshift((await start(person, of)).body.transactionId);
    const first = await list(undefined, of);
    const second = await list(first.body.next, of);
    const ids = [...first.body.callbacks, ...second.body.callbacks].map(({ transactionId: id }) => id);
    expect([first.body.callbacks.length, second.body.next]).toEqual([50, null]);
    expect(new Set(ids)).toEqual(new Set(started));
    expect((await list(undefined, { ...of, environment: "live" })).body.callbacks).toEqual([]);
    expect((await list("page 2", of)).status).toBe(400);
    for (const id of started)
      await expect
        .poll(() => receiver.received.some(({ headers }) => headers["webhook-id"] === id))
        .toBe(true);
  });
});

describe("POST /services/previred", () => {
  it("answers a hash that opens the certificate, and calls back with its signature", async () => {
    const person = await verified();
    const { status, body } = await start(person);
    expect(status).toBe(200);
    expect(body).toEqual({
      timestamp: expect.any(Number),
      transactionId: expect.stringMatching(/^[\da-f-]{36}$/),
      hash: expect.stringMatching(/^[\da-f]{40}$/),
    });
    const { hash: token, transactionId: id } = body;
    const { key } = harness.callerOf();
    const opened = await harness.load(
      person.identityTransactionId,
      { token, apiKey: key },
      { name: "previred" },
    );
    expect([opened.statusCode, opened.json().scanReference]).toEqual([
      200,
      person.documentValidationScanReference,
    ]);
    await settled(id, "delivered");
    expect(receiver.received).toHaveLength(1);
    const [one] = receiver.received;
    const text = one?.body ?? "";
    expect([one?.url, one?.headers["content-type"], one?.headers["webhook-id"]]).toEqual([
      "/clearing?a=b",
      "application/json",
      id,
    ]);
    expect(JSON.parse(text)).toEqual({
      timestamp: expect.any(Number),
      transactionId: id,
      statusCode: 200,
      status: "succeeded",
    });
    expect(Math.abs(JSON.parse(text).timestamp - body.timestamp)).toBeLessThan(60);
  });

  it("refuses what verify refuses, and stores no callback", async () => {
    const image = anImage();
    const refused = await start({
      identityTransactionId: await harness.identify({ reference: image, result: { facial: 1, liveness: 3 } }),
      documentValidationScanReference: await harness.validate({ images: [image] }),
    });
    expect(refused).toMatchObject({ status: 422, body: { failure: "clearing_face_not_positive" } });
    const unknown = { identityTransactionId: randomUUID(), documentValidationScanReference: randomUUID() };
    expect(await start(unknown)).toMatchObject({ status: 404, body: { failure: "not_found" } });
    expect(receiver.received).toEqual([]);
  });

  it("answers what another tenant or environment has as what there is not", async () => {
    const none = { identityTransactionId: randomUUID(), documentValidationScanReference: randomUUID() };
    const missing = await start(none);
    for (const of of [{ tenantId: await harness.newTenant() }, { environment: "live" }] as const) {
      const foreign = await verified(of);
      const own = await verified();
      for (const named of [
        foreign,
        { ...own, identityTransactionId: foreign.identityTransactionId },
        { ...own, documentValidationScanReference: foreign.documentValidationScanReference },
      ]) {
        expect(await start(named)).toEqual(missing);
      }
    }
    expect(missing).toMatchObject({ status: 404, body: { failure: "not_found" } });
  });

  it.each([
    ["http://fund.example/clearing"],
    ["https://10.0.0.7/clearing"],
    ["https://169.254.169.254/latest"],
    ["https://user:word@fund.example/"],
    ["https://fund.example/#part"],
    ["mailbox:"],
    ["file:///etc/passwd"],
    ["no address"],
  ])("refuses the callback URL %s", async (callbackUrl) => {
    const refused = await start({ ...(await verified()), callbackUrl });
    expect(refused).toMatchObject({ status: 422, body: { failure: "callback_url_refused" } });
  });

  it("refuses a callback URL of a test key that the deployment does not list", async () => {
    const callbackUrl = "https://other.example/clearing";
    const refused = await start({ ...(await verified()), callbackUrl });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        failure: "callback_url_refused",
        facts: { reason: expect.stringContaining("IDEM_TEST_RECEIVERS does not name other.example") },
      },
    });
    const live = { environment: "live" } as const;
    expect(await start({ ...(await verified(live)), callbackUrl }, live)).toMatchObject({ status: 200 });
  });

  it("repeats a refused callback with the same id, and follows no redirect", async () => {
    answer = (response) => response.writeHead(302, { location: "https://10.0.0.7/" }).end();
    const { body } = await start(await verified());
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
    await expect.poll(async () => (await callbackOf(body.transactionId))?.failures).toBe(1);
    answer = (response) => response.writeHead(200).end();
    pass(10_000);
    await settled(body.transactionId, "delivered");
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([
      body.transactionId,
      body.transactionId,
    ]);
    expect((await callbackOf(body.transactionId))?.log).toMatchObject([
      { outcome: "refused", status: 302, decision: "retry", reportedStatus: 200 },
      { outcome: "delivered", status: 200, decision: "delivered", reportedStatus: 200 },
    ]);
  });

  it("says failed once the time of the hash is over", async () => {
    answer = (response) => response.writeHead(500).end();
    const { body } = await start(await verified());
    await expect
      .poll(async () => (await callbackOf(body.transactionId))?.failures, { timeout: 20_000 })
      .toBe(1);
    answer = (response) => response.writeHead(200).end();
    pass(25 * 3_600_000);
    await settled(body.transactionId, "delivered");
    const last = receiver.received.at(-1)?.body ?? "";
    expect(JSON.parse(last)).toMatchObject({ statusCode: 410, status: "failed" });
  });

  it("leaves half of the slots to other tenants while the receivers of one hang", async () => {
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const other = { tenantId: await harness.newTenant() };
    const ids: string[] = [];
    for (let n = 0; n <= perTenantMax; n++) ids.push((await start(await verified())).body.transactionId);
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(perTenantMax);
    const { body } = await start(await verified(other), other);
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(perTenantMax + 1);
    expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(body.transactionId);
    for (const response of held) response.writeHead(204).end();
    answer = (response) => response.writeHead(204).end();
    pass(10_000);
    for (const id of ids) await settled(id, "delivered");
    expect(receiver.received).toHaveLength(perTenantMax + 2);
  });

  it("ends with a receiver that is gone", async () => {
    answer = (response) => response.writeHead(410).end();
    const { body } = await start(await verified());
    await settled(body.transactionId, "failed");
    expect(await callbackOf(body.transactionId)).toMatchObject({ log: [{ status: 410, decision: "gone" }] });
    expect((await callbackOf(body.transactionId))?.sealed).toBeUndefined();
  });

  it("keeps the caller's statements with the record alone, and no hash or URL in plain", async () => {
    const { body } = await start(await verified());
    await settled(body.transactionId, "delivered");
    const record = await harness.store.findTransaction(harness.tenantId, body.transactionId);
    expect(record).toMatchObject({
      endpoint: "startPrevired",
      measurements: { customerId: "customer-4711", ipVerified: "192.0.2.7" },
    });
    const evidence = JSON.stringify(await harness.store.listLinks(harness.tenantId, 0));
    for (const text of [body.hash, receiver.url, "customer-4711", "192.0.2.7"]) {
      expect(evidence + JSON.stringify(record?.result) + harness.lines.join()).not.toContain(text);
    }
  });

  it("signs with the hash", async () => {
    const { body } = await start(await verified());
    await settled(body.transactionId, "delivered");
    const [one] = receiver.received;
    const secret = `whsec_${Buffer.from(body.hash, "utf8").toString("base64")}`;
    await expect(
      verifyWebhook({ headers: one?.headers ?? {}, body: one?.body ?? "", secrets: [secret] }),
    ).resolves.toBeDefined();
  });

  it("sends nothing of an erased tenant", async () => {
    answer = (response) => response.writeHead(500).end();
    const { body } = await start(await verified());
    await expect
      .poll(async () => (await callbackOf(body.transactionId))?.failures, { timeout: 20_000 })
      .toBe(1);
    await harness.erase(harness.tenantId);
    expect(await callbackOf(body.transactionId)).toBeUndefined();
    pass(10_000);
    expect(receiver.received).toHaveLength(1);
  });
});
