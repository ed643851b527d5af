import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { linkIn } from "./harness/assets.ts";
import { persons, toBase64 } from "./harness/images.ts";
import { openTenant } from "./harness/tenant.ts";

it("a link names the address of the service, works over the network, and no forged one does", async () => {
  const { url: service, apiKey } = await openTenant();
  const operationId = randomUUID();
  const calls = makeClient(service, apiKey);
  const imageBuffer = toBase64(persons.selfie);
  const body = { imageBuffer, tracking: { operationId } };
  expect((await calls.post("/services/evaluatePassiveLiveness", body)).status).toBe(200);
  const shown = await calls.get(`/operator/operations/${operationId}`);
  const url = linkIn(shown.body);
  expect(url.startsWith(`${service}/assets/`)).toBe(true);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(Buffer.from(persons.selfie).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect((await fetch(url.replace(/.$/u, (last) => (last === "0" ? "1" : "0")))).status).toBe(404);
});
