// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Receiver, startReceiver } from "#cli/bench/start-receiver";
import type { Arrival } from "#cli/bench/webhook-receiver";
import { makeClient } from "#cli/kit/service/client";
import { eventually } from "#support/contract/eventually";
import { createDatabase, type PostgresDatabase } from "#support/storage/postgres-database";
import { onePixelPng } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";

let database: PostgresDatabase;
let harness: Harness;
let receiver: Receiver;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  database = await createDatabase();
  harness = await makeHarness();
  receiver = await startReceiver();
  environment = { IDEM_DATABASE_URL: database.url, IDEM_EGRESS_ALLOW: "127.0.0.1" };
  const migrated = await runIdem(["migrate"], { IDEM_DATA: harness.directory, ...environment });
  expect(migrated.code, migrated.stderr).toBe(0);
});
afterEach(async () => {
  receiver.stop();
  await harness.clear();
  await database.remove();
});

it("answers in a process of the role api, and delivers in others of the role delivery", async () => {
  const api = await harness.start(environment, ["--role", "api"]);
  const client = makeClient(api.url, api.apiKey);
  const url = receiver.url("/hook");
  const created = await client.post("/operator/destinations", { name: "receiver", url, topics: ["*"] });
  expect(created.status).toBe(200);
  const operationId = randomUUID();
  const call = async (): Promise<void> => {
    const body = { imageBuffer: onePixelPng, tracking: { operationId } };
    expect((await client.post("/services/evaluatePassiveLiveness", body)).status).toBe(200);
  };
  await call();
  expect(await receiver.report()).toEqual([]);

  const delivery = await harness.start(environment, ["--role", "delivery"]);
  const arrivals: Arrival[] = [];
  const untilArrived = (sequence: string) =>
    eventually(
      async () => {
        arrivals.push(...(await receiver.report()));
        expect(arrivals.map((one) => one.sequence)).toContain(sequence);
      },
      { timeout: 30_000, interval: 50 },
    );
  await untilArrived("0000000001");
  expect(arrivals[0]?.source).toBe(`/operations/${operationId}`);
  const last = arrivals.length;
  await call();
  await untilArrived(String(last + 1).padStart(10, "0"));

  expect((await fetch(`${delivery.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${delivery.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${delivery.url}/metrics`)).text()).toContain(
    'idem_webhook_attempts{outcome="delivered"}',
  );
  const refused = await makeClient(delivery.url, api.apiKey).post("/services/evaluatePassiveLiveness", {});
  expect(refused.status).toBe(404);
  expect(await delivery.stop()).toBe(0);
  expect(await api.stop()).toBe(0);
});
