import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { mailboxUrl } from "#contract/mailbox.routes";
import { makeEgress } from "#machine/egress/make-egress";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { aDestination, openWebhookHarness, type WebhookHarness } from "#support/webhooks/harness";
import { type LocalServer, startServer } from "#support/webhooks/servers";
import { openDestinationService, openSend } from "./destinations.ts";

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await openWebhookHarness();
});
afterAll(() => harness.close());

let receiver: LocalServer;
beforeEach(async () => {
  receiver = await startServer((_, _request, response) =>
    response.writeHead(204, { "webhook-allowed-origin": "*" }).end(),
  );
});
afterEach(() => receiver.close());

/** The service of a deployment that lists the receivers of test keys. */
const open = (...testReceivers: string[]) => {
  const { store, keyring } = harness;
  const config = { egress: { allow: ["127.0.0.1"], testReceivers }, http: { publicUrl: undefined } };
  const deliveries = { hold: async () => undefined, release: async () => undefined };
  const parts = { config, egress: makeEgress(config.egress), store, keyring, clock: () => new Date() };
  return { ...openDestinationService({ ...parts, deliveries }), send: openSend(parts, signStandardWebhook) };
};
const actorOf = (environment: "live" | "test") => ({ tenantId: harness.tenantId, environment });
const wish = (url: string) => ({ name: "receiver", url, topics: ["workflows/*/v1"] });
const oauth = (tokenUrl: string) =>
  ({ kind: "oauth2", tokenUrl, clientId: "idem", clientSecret: "secret" }) as const;
const message = () => ({ id: randomUUID(), at: new Date(), body: "{}", contentType: "application/json" });
const { signal } = new AbortController();

it("stores receivers of test keys that are listed, and the mailbox", async () => {
  const { destinations } = open("hooks.example.com");
  const test = actorOf("test");
  const { destination } = await destinations.create(test, wish("https://hooks.example.com/a"));
  await destinations.create(test, wish(mailboxUrl));
  const refused = {
    code: "request_invalid",
    facts: { errors: [expect.stringContaining("IDEM_TEST_RECEIVERS")] },
  };
  const other = wish("https://other.example.com/a");
  await expect(destinations.create(test, other)).rejects.toMatchObject(refused);
  await expect(destinations.change(test, destination.id, other)).rejects.toMatchObject(refused);
  const auth = oauth("https://other.example.com/token");
  await expect(destinations.change(test, destination.id, { auth })).rejects.toMatchObject(refused);
  await destinations.create(actorOf("live"), other);
});

it("sends nothing of a test key to a receiver or a token server that is not listed", async () => {
  const { send } = open("hooks.example.com");
  const blocked = { outcome: "blocked", reason: expect.stringContaining("IDEM_TEST_RECEIVERS") };
  const { url } = receiver;
  expect(await send(aDestination({ url }), message())).toMatchObject(blocked);
  const auth = { ...oauth(url), credentialsIn: "header" } as const;
  const ofTokens = aDestination({ url: "https://hooks.example.com/", auth });
  expect(await send(ofTokens, message())).toMatchObject(blocked);
  expect(receiver.received).toEqual([]);
  expect(await send(aDestination({ url, environment: "live" }), message())).toMatchObject({ status: 204 });
  expect(await open("127.0.0.1").send(aDestination({ url }), message())).toMatchObject({ status: 204 });
});

it("asks no receiver for consent that a test key may not reach", async () => {
  const before = open("127.0.0.1");
  const wished = { ...wish(receiver.url), handshake: true };
  const { destination } = await before.destinations.create(actorOf("test"), wished);
  const asked = await open("hooks.example.com").handshake(actorOf("test"), destination.id, signal);
  expect(asked.consent).toMatchObject({
    consents: false,
    reason: expect.stringContaining("IDEM_TEST_RECEIVERS"),
  });
  expect(receiver.received).toEqual([]);
  expect((await before.handshake(actorOf("test"), destination.id, signal)).consent.consents).toBe(true);
});
