import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { makePhotographCard } from "#support/document/card-photographs";
import { ecuador } from "#support/document/national-cards";
import { json } from "#support/registry/gateway-server";
import { imaging, persons, toBase64 } from "./harness/images.ts";
import { registeredNumber as number, registeredPerson as person, startRegistry } from "./harness/registry.ts";
import { type Harness, makeHarness } from "./harness/service.ts";

/** Civil validation of a whole service, through the gateway to a registry in another server. */
let harness: Harness;
let service: ServiceProcess;
let server: Awaited<ReturnType<typeof startRegistry>>;
let card: { readonly front: Uint8Array; readonly back: Uint8Array };

beforeAll(async () => {
  harness = await makeHarness();
  server = await startRegistry(harness);
  service = await harness.start(server.environment);
  const photograph = await makePhotographCard(imaging);
  card = await photograph(ecuador, 5, { width: 1600, height: 1200 });
}, 300_000);
afterAll(async () => {
  server.close();
  await harness.clear();
});

const ask = async (change: object = {}) => {
  const response = await fetch(`${service.url}/services/civilValidation`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": service.apiKey },
    body: JSON.stringify({
      operation: "FULL",
      platform: "WEB",
      countryCode: "ECU",
      imageFrontDocument: toBase64(card.front),
      imageBackDocument: toBase64(card.back),
      documentCode: "V1234I5678",
      templateRaw: toBase64(persons.selfie),
      ...change,
    }),
  });
  return { status: response.status, body: await response.json() };
};

describe("a service with a registry", { timeout: 300_000 }, () => {
  it("reads the card, asks the registry by its number, and compares data and photo", async () => {
    const { status, body } = await ask({ returnPII: true });
    expect([status, body.outcome, body.serviceFacialAuthenticationResult]).toEqual([200, "approved", 3]);
    expect(server.received.map(({ url }) => url)).toEqual([`/${number}`]);
    const codes = body.civilDataValidation.map((one: { field: string; code: string }) => [
      one.field,
      one.code,
    ]);
    expect(codes).toEqual(
      expect.arrayContaining([
        ["documentNumber", "0"],
        ["lastName", "0"],
        ["firstName", "0"],
        ["dateOfBirth", "0"],
      ]),
    );
    expect(body.civilServiceData).toMatchObject({ firstName: "Ana María", dateOfBirth: "1990-01-01" });
  });

  it("gives one answer to a retry with its key, and asks the registry once", async () => {
    const before = server.received.length;
    const headers = {
      "content-type": "application/json",
      "x-api-key": service.apiKey,
      "idempotency-key": "one",
    };
    const request = {
      operation: "FACIAL",
      platform: "WEB",
      countryCode: "ECU",
      documentNumber: number,
      documentCode: "V1234I5678",
      imageFrontDocument: toBase64(card.front),
      imageBackDocument: toBase64(card.back),
      templateRaw: toBase64(persons.selfie),
    };
    const send = async () => {
      const body = JSON.stringify(request);
      return await (
        await fetch(`${service.url}/services/civilValidation`, { method: "POST", headers, body })
      ).text();
    };
    const [first, second] = [await send(), await send()];
    expect(JSON.parse(first)).toMatchObject({ serviceFacialAuthenticationResult: 3 });
    expect(second).toBe(first);
    expect(server.received.length).toBe(before + 1);
  });

  it("answers 502 while the registry breaks, and goes on when it is back", async () => {
    server.answerWith(
      (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    );
    expect(await ask()).toMatchObject({ status: 502, body: { failure: "upstream_failed" } });
    server.answerWith(json({ ...person, persona: { ...person.persona, cedula: "0912345675" } }));
    expect(await ask()).toMatchObject({ status: 502, body: { failure: "upstream_failed" } });
    server.answerWith(json({ codigo: "001" }));
    expect(await ask()).toMatchObject({ status: 200, body: { outcome: "rejected" } });
    server.answerUsual();
    expect(await ask()).toMatchObject({ status: 200, body: { outcome: "approved" } });
  });

  it("has no registry for another country", async () => {
    const { status, body } = await ask({ countryCode: "PER", documentNumber: "70275722" });
    expect([status, body.failure, body.facts]).toEqual([409, "registry_not_configured", { country: "PER" }]);
  });
});
