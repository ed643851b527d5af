import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { makeEgress } from "../../../egress/make-egress.ts";
import { listenLocally } from "../../../egress/testing/local-server.ts";
import type { SentPicture } from "../morphology-provider.ts";
import { startVeriffSimulator, type VeriffSimulator } from "../testing/veriff-simulator.ts";
import { makeVeriff } from "./veriff.ts";

const keys = { apiKey: randomUUID(), sharedSecret: randomUUID() };
const egress = makeEgress({ allow: ["127.0.0.1"] });
const document = { reference: "scan-1", type: "DRIVING_LICENSE", country: "CHL" } as const;
const picture: SentPicture = { side: "front", format: "jpeg", bytes: new Uint8Array([0xff, 0xd8, 0xff]) };
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
  await provider.sendPicture(id, picture, signal);
  await provider.submit(id, signal);
  return await provider.findDecision(id, signal);
};

it("opens a session under the validation's reference and tells kind and country in the provider's words", async () => {
  const { simulator, provider } = await start();
  const id = await provider.openSession(document, signal);
  expect(simulator.sessions.get(id)).toMatchObject({
    vendorData: "scan-1",
    document: { type: "DRIVERS_LICENSE", country: "CL" },
    media: [],
  });
});

it("knows no decision while there is none", async () => {
  expect(await submitted(null)).toBeUndefined();
});

it("tells what the provider decided and read, in plain words", async () => {
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

it("takes no value of a form that it does not know", async () => {
  const person = { gender: "female", dateOfBirth: "01.02.1990", nationality: "Chile" };
  const told = await submitted({ code: 9001, person, document: { type: "OTHER", country: "ZZ" } });
  expect(told).toMatchObject({ document: { type: "UNSUPPORTED", country: null } });
  expect(told).toMatchObject({ person: { sex: null, dateOfBirth: null, nationality: null } });
});

it("finds what it had sent or submitted already no fault", async () => {
  const { provider } = await start();
  const id = await provider.openSession(document, signal);
  await provider.sendPicture(id, picture, signal);
  await provider.submit(id, signal);
  await provider.sendPicture(id, picture, signal);
  await provider.submit(id, signal);
});

it.each([
  ["a wrong secret", { sharedSecret: "other" }, "code 1818", true],
  ["an unknown key", { apiKey: "other" }, "code 1803", true],
] as const)("tells the operator of %s, who may mend it", async (_, change, words, isPassing) => {
  const { at } = await start();
  const asked = makeVeriff({ ...at, ...change }).openSession(document, signal);
  await expect(asked).rejects.toMatchObject({ name: "ProviderError", isPassing });
  await expect(asked).rejects.toThrow(words);
});

it.each([
  [500, true],
  [429, true],
  [413, false],
  ["silence", true],
  ["lost answer", true],
] as const)("fails on %s, which may pass: %s", async (kind, isPassing) => {
  const { simulator, provider } = await start();
  simulator.faults.push({ step: "open", kind });
  const asked = provider.openSession(document, signal);
  await expect(asked).rejects.toMatchObject({ name: "ProviderError", isPassing });
});

it.each([
  ["no JSON", (_, response) => response.end("<html>")],
  ["another shape", (_, response) => response.end('{"verification":{"id":"../other"}}')],
  [
    "an answer in drops",
    (_, response) => {
      const dropping = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(dropping));
    },
  ],
  ["a foreign signature", (_, response) => response.setHeader("x-hmac-signature", "ab".repeat(32)).end("{}")],
] as const satisfies readonly (readonly [string, RequestListener])[])(
  "takes %s for no answer",
  async (_, listener) => {
    const server = createServer(listener);
    servers.push(server);
    const baseUrl = `http://127.0.0.1:${await listenLocally(server)}`;
    const provider = makeVeriff({ egress, baseUrl, ...keys, timeoutMs: 300 });
    const asked = provider.openSession(document, signal);
    await expect(asked).rejects.toMatchObject({ name: "ProviderError", isPassing: true });
  },
);

it("knows no decision by a code that is none", async () => {
  await expect(submitted({ code: 1 })).rejects.toThrow("not known");
});

it("sees whether the provider takes the credentials, and opens nothing there", async () => {
  const { simulator, at, provider } = await start();
  await provider.checkAccess(signal);
  await expect(makeVeriff({ ...at, sharedSecret: "other" }).checkAccess(signal)).rejects.toThrow("code 1818");
  simulator.close();
  await expect(provider.checkAccess(signal)).rejects.toThrow("gave no answer");
  expect(simulator.sessions.size).toBe(0);
});
