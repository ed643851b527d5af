import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceProcess } from "#cli/serve/service-process";
import { memberOf } from "../scripts/contract/json.ts";
import { persons, toBase64 } from "./harness/images.ts";
import { type Harness, makeHarness, untilReady } from "./harness/service.ts";

let harness: Harness;
let service: ServiceProcess;
/** Printed by the first start alone. */
let apiKey: string;
beforeAll(async () => {
  harness = await makeHarness();
  service = await harness.start();
  ({ apiKey } = service);
  await untilReady(service.url);
});
afterAll(() => harness.clear());

const ask = async (path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(`${service.url}${path}`, {
    headers: { "x-api-key": apiKey, ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  expect(answer.status, path).toBe(200);
  return await answer.json();
};

const imageBuffer = toBase64(persons.selfie);

const open = async (): Promise<string> => {
  const operationId = randomUUID();
  await ask("/services/evaluatePassiveLiveness", { imageBuffer, tracking: { operationId } });
  return operationId;
};

const linkOf = async (operationId: string): Promise<string> => {
  const [asset] = Object.values(Object(memberOf(await ask(`/operator/operations/${operationId}`), "assets")));
  return String(memberOf(asset, "url"));
};

it("a link names the address of the service, works over the network, and no forged one does", async () => {
  const url = await linkOf(await open());
  expect(url.startsWith(`${service.url}/assets/`)).toBe(true);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(Buffer.from(persons.selfie).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect((await fetch(url.replace(/.$/u, (last) => (last === "0" ? "1" : "0")))).status).toBe(404);
});

it("an answered end of an operation survives the death of the process, and its links do", async () => {
  const operationId = await open();
  const url = new URL(await linkOf(operationId));
  const finish = { family: "OnBoarding", status: "DENIED", extraData: "a token", operationId };
  const first = await ask("/services/finishTracking", finish);
  expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
    'idem_operations_ended{state="DENIED"} 1',
  );
  service.kill("SIGKILL");
  await service.ended;
  service = await harness.start();
  await untilReady(service.url);
  expect(await ask(`/operator/operations/${operationId}`)).toMatchObject({ state: "DENIED" });
  const again = await ask("/services/finishTracking", finish);
  expect(memberOf(again, "transactionId")).toBe(memberOf(first, "transactionId"));
  expect((await fetch(`${service.url}${url.pathname}${url.search}`)).status).toBe(200);
});
