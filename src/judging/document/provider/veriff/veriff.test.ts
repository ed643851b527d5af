import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { startVeriffSimulator, type VeriffSimulator } from "#support/document/provider/veriff-simulator";
import { listenLocally } from "#support/egress/local-server";
import type { SentImage } from "../../validation/provider/document-provider.ts";
import { makeVeriff } from "./veriff.ts";

const keys = { apiKey: randomUUID(), sharedSecret: randomUUID() };
const egress = makeEgress({ allow: ["127.0.0.1"] });
const document = { reference: "scan-1", type: "DRIVING_LICENSE", country: "CHL" } as const;
const image: SentImage = { side: "front", format: "jpeg", bytes: new Uint8Array([0xff, 0xd8, 0xff]) };
const { signal } = new AbortController();

const servers: Server[] = [];
const simulators: VeriffSimulator[] = [];
afterEach(() => {
  servers.splice(0).forEach((server) => server.close());
  simulators.splice(0).forEach(({ close }) => close());
});

const start = async (verdict: Readonly<Record<string, unknown>> | null = null) => {
  const simulator = await startVeriffSimulator(keys, () => verdict);
  simulators.push(simulator);
  const at = { egress, baseUrl: simulator.baseUrl, ...keys, timeoutMs: 300 };
  return { simulator, at, provider: makeVeriff(at) };
};

const submitted = async (verdict: Readonly<Record<string, unknown>> | null) => {
  const { provider } = await start(verdict);
  const id = await provider.openSession(document, signal);
  await provider.sendImage(id, image, signal);
  await provider.submit(id, signal);
  return await provider.findDecision(id, signal);
};

it("opens a session with the validation's reference, and with type and country in the provider's codes", async () => {
  const { simulator, provider } = await start();
  const id = await provider.openSession(document, signal);
  expect(simulator.sessions.get(id)).toMatchObject({
    vendorData: "scan-1",
    document: { type: "DRIVERS_LICENSE", country: "CL" },
    media: [],
  });
});

it("returns no decision while there is none", async () => {
  expect(await submitted(null)).toBeUndefined();
});

it("returns the decision of the provider and the values that it read, in our formats", async () => {
  const person = {
    firstName: "ANA",
    lastName: "SOLIS",
    gender: "F",
    dateOfBirth: "1990-01-01",
    nationality: "CL",
  };
  const found = {
    type: "DRIVERS_LICENSE",
    country: "CL",
    number: "F1",
    validUntil: "2035-01-01",
    validFrom: null,
  };
  expect(await submitted({ code: 9102, reason: "Odd", reasonCode: 4711, person, document: found })).toEqual({
    status: "Declined",
    reason: "Odd",
    reasonCode: 4711,
    document: {
      type: "DRIVING_LICENSE",
      country: "CHL",
      number: "F1",
      issued: null,
      expires: "2035-01-01",
      placeOfIssue: null,
      issuedBy: null,
    },
    person: {
      firstName: "ANA",
      lastName: "SOLIS",
      nationality: "CHL",
      sex: "F",
      dateOfBirth: "1990-01-01",
      yearOfBirth: null,
      idNumber: null,
      placeOfBirth: null,
    },
  });
});

it("ignores values of an unknown format", async () => {
  const person = { gender: "female", dateOfBirth: "01.02.1990", nationality: "Chile" };
  const decision = await submitted({ code: 9001, person, document: { type: "OTHER", country: "ZZ" } });
  expect(decision).toMatchObject({ document: { type: "UNSUPPORTED", country: null } });
  expect(decision).toMatchObject({ person: { sex: null, dateOfBirth: null, nationality: null } });
});

it("accepts a repeated image and a repeated submit", async () => {
  const { provider } = await start();
  const id = await provider.openSession(document, signal);
  await provider.sendImage(id, image, signal);
  await provider.submit(id, signal);
  await provider.sendImage(id, image, signal);
  await provider.submit(id, signal);
});

it.each([
  ["a wrong secret", { sharedSecret: "other" }, "code 1818", true],
  ["an unknown key", { apiKey: "other" }, "code 1803", true],
] as const)("reports %s to the operator as a transient error", async (_, change, words, isTransient) => {
  const { at } = await start();
  const asked = makeVeriff({ ...at, ...change }).openSession(document, signal);
  await expect(asked).rejects.toMatchObject({ name: "ProviderError", isTransient });
  await expect(asked).rejects.toThrow(words);
});

it.each([
  [500, true],
  [429, true],
  [413, false],
  ["silence", true],
  ["lost answer", true],
] as const)("fails on %s; transient: %s", async (kind, isTransient) => {
  const { simulator, provider } = await start();
  simulator.faults.push({ step: "open", kind });
  const asked = provider.openSession(document, signal);
  await expect(asked).rejects.toMatchObject({ name: "ProviderError", isTransient });
});

it.each([
  ["no JSON", (_, response) => response.end("<html>")],
  ["another shape", (_, response) => response.end('{"verification":{"id":"../other"}}')],
  [
    "a very slow answer",
    (_, response) => {
      const writing = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(writing));
    },
  ],
  ["a wrong signature", (_, response) => response.setHeader("x-hmac-signature", "ab".repeat(32)).end("{}")],
] as const satisfies readonly (readonly [string, RequestListener])[])(
  "treats %s as no answer",
  async (_, listener) => {
    const server = createServer(listener);
    servers.push(server);
    const baseUrl = `http://127.0.0.1:${await listenLocally(server)}`;
    const provider = makeVeriff({ egress, baseUrl, ...keys, timeoutMs: 300 });
    const asked = provider.openSession(document, signal);
    await expect(asked).rejects.toMatchObject({ name: "ProviderError", isTransient: true });
  },
);

it("refuses an unknown decision code", async () => {
  await expect(submitted({ code: 1 })).rejects.toThrow("not known");
});

it("checks the credentials at the provider, and opens no session", async () => {
  const { simulator, at, provider } = await start();
  await provider.checkAccess(signal);
  await expect(makeVeriff({ ...at, sharedSecret: "other" }).checkAccess(signal)).rejects.toThrow("code 1818");
  simulator.close();
  await expect(provider.checkAccess(signal)).rejects.toThrow("gave no answer");
  expect(simulator.sessions.size).toBe(0);
});
