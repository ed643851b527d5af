import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { signatureKeyOf, writeCloudEvent } from "#record/events/cloud-event";
import type { Destination } from "#record/webhooks/destinations/destination";
import type { Send } from "#record/webhooks/send/send";
import { mailboxBounds, makeMailbox } from "./mailbox.ts";
import { makeReceive } from "./receive.ts";
import { acceptingMailbox, makeMailboxSend } from "./send-to-mailbox.ts";

const now = new Date("2026-11-21T09:30:00.000Z");
const tenant = { tenantId: "t", environment: "test" } as const;
const other = { tenantId: "u", environment: "test" } as const;
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

const messageOf = (body: string) => ({
  receivedAt: now,
  destinationId: "d",
  headers: {},
  body,
  webhook: { holds: true } as const,
  event: { holds: true } as const,
});

describe("the mailbox", () => {
  it("lists the messages of one tenant after a number, the oldest first", () => {
    const mailbox = makeMailbox();
    for (const body of ["a", "b", "c"]) mailbox.put(tenant, messageOf(body));
    mailbox.put(other, messageOf("of another"));
    mailbox.put({ ...tenant, environment: "live" }, messageOf("live"));
    expect(mailbox.list(tenant, 0, 10).map(({ number, body }) => [number, body])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "c"],
    ]);
    expect(mailbox.list(tenant, 1, 1).map(({ body }) => body)).toEqual(["b"]);
    mailbox.put(tenant, messageOf("d"));
    // A number that counts others' messages would tell how many they have.
    expect(mailbox.list(tenant, 3, 10).map(({ number }) => number)).toEqual([4]);
    expect(mailbox.list({ tenantId: "none", environment: "test" }, 0, 10)).toEqual([]);
  });

  it("keeps a bounded number and size for each tenant, and drops the oldest", () => {
    const mailbox = makeMailbox({ ...mailboxBounds, messagesOfOne: 3, bytesOfOne: 30 });
    for (const body of ["1", "2", "3", "4"]) mailbox.put(tenant, messageOf(body));
    expect(mailbox.list(tenant, 0, 10).map(({ body }) => body)).toEqual(["2", "3", "4"]);
    mailbox.put(tenant, messageOf("x".repeat(28)));
    expect(mailbox.list(tenant, 0, 10).map(({ body }) => body.length)).toEqual([28]);
  });

  it("takes the bytes of all from the tenant that has the most", () => {
    const mailbox = makeMailbox({ ...mailboxBounds, bytesOfAll: 100 });
    mailbox.put(other, messageOf("kept"));
    for (let index = 0; index < 20; index += 1) mailbox.put(tenant, messageOf("x".repeat(20)));
    expect(mailbox.list(other, 0, 10)).toHaveLength(1);
    expect(mailbox.list(tenant, 0, 100).length).toBeLessThan(5);
  });

  it("wakes a reader when a message arrives, and ends its wait with its signal", async () => {
    const mailbox = makeMailbox();
    const leaving = new AbortController();
    const arrived = mailbox.wait(tenant, 0, leaving.signal);
    mailbox.put(tenant, messageOf("a"));
    await arrived;
    expect(getEventListeners(leaving.signal, "abort")).toHaveLength(0);
    const nothing = mailbox.wait(tenant, 1, leaving.signal);
    leaving.abort();
    await nothing;
    await mailbox.wait(tenant, 0, new AbortController().signal);
  });
});

const destination: Destination = {
  ...tenant,
  id: "d",
  name: "Mailbox",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  url: "mailbox:",
  headers: { "x-source": "private-value", "Webhook-Own": "private-value" },
  auth: { kind: "api-key", header: "X-Key", value: "k-e-y" },
  handshake: false,
  timeoutMs: 1_000,
  revision: 1,
  secrets: [secret],
};

const body = writeCloudEvent(
  {
    ...tenant,
    id: "5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21",
    operationId: "op",
    sequence: 1,
    name: "operation_started",
    at: now,
    data: { customerId: "customer-1" },
    assets: [],
  },
  { vendor: "idem", linkTo: () => "", secret: signatureKeyOf(secret) },
);

/** The seam of deliveries, over a mailbox of this test. */
const open = () => {
  const mailbox = makeMailbox();
  const sent: string[] = [];
  const send: Send = async ({ url }) => {
    sent.push(url);
    return { outcome: "delivered", status: 204, timings: { totalMs: 0 } };
  };
  const receive = makeReceive(mailbox, () => now);
  return { mailbox, sent, deliver: makeMailboxSend(send, receive), send };
};
const message = {
  id: "5b0f7c9e-58a4-4b35-9d38-1a0f4a4c7e21",
  at: now,
  body,
  contentType: "application/cloudevents+json",
};

describe("a delivery to the mailbox", () => {
  it("arrives without the destination's own headers and key, and both signatures hold", async () => {
    const { mailbox, sent, deliver } = open();
    expect(await deliver(destination, message)).toMatchObject({ outcome: "delivered", status: 204 });
    const [arrived] = mailbox.list(tenant, 0, 10);
    expect(arrived).toMatchObject({
      body,
      destinationId: "d",
      webhook: { holds: true },
      event: { holds: true },
    });
    expect(arrived?.headers).toMatchObject({ "webhook-id": message.id });
    const names = ["content-type", "webhook-id", "webhook-signature", "webhook-timestamp"];
    expect(Object.keys(arrived?.headers ?? {}).toSorted()).toEqual(names);
    for (const value of ["k-e-y", "private-value"]) expect(JSON.stringify(arrived)).not.toContain(value);
    expect(sent).toEqual([]);
  });

  it("is refused and shown where a signature does not hold", async () => {
    const { mailbox, deliver } = open();
    const changed = { ...message, body: body.replace("customer-1", "customer-2") };
    expect(await deliver(destination, changed)).toMatchObject({ outcome: "refused", status: 401 });
    expect(mailbox.list(tenant, 0, 10)[0]).toMatchObject({
      webhook: { holds: true },
      event: { holds: false },
    });
  });

  it("is refused where it is larger than an event may be", async () => {
    const { mailbox, deliver } = open();
    const large = { ...message, body: "x".repeat(mailboxBounds.bodyBytes + 1) };
    expect(await deliver(destination, large)).toMatchObject({ outcome: "refused", status: 413 });
    expect(mailbox.list(tenant, 0, 10)).toEqual([]);
  });

  it("is blocked for the live environment, and in a process without a mailbox", async () => {
    const { mailbox, deliver, send } = open();
    expect(await deliver({ ...destination, environment: "live" }, message)).toMatchObject({
      outcome: "blocked",
    });
    const without = makeMailboxSend(send, undefined);
    expect(await without(destination, message)).toMatchObject({ outcome: "blocked" });
    expect(mailbox.list(tenant, 0, 10)).toEqual([]);
  });

  it("goes by the tenant of the destination, whatever its URL names; other URLs go out as before", async () => {
    const { mailbox, sent, deliver } = open();
    for (const url of ["mailbox:u", "mailbox://u", "https://example.org/mailbox:"]) {
      await deliver({ ...destination, url }, message);
    }
    expect(sent).toHaveLength(3);
    expect(mailbox.list(other, 0, 10)).toEqual([]);
    expect(mailbox.list(tenant, 0, 10)).toEqual([]);
  });
});

it("accepts `mailbox:` alone beside the URLs of egress", () => {
  const judge = acceptingMailbox(() => "refused");
  expect(judge("mailbox:")).toBeUndefined();
  expect(judge("mailbox:", "test")).toBeUndefined();
  expect(judge("mailbox:", "live")).toBe("mailbox: takes the events of test keys only");
  for (const url of ["mailbox:x", "MAILBOX:", " mailbox:", "http://mailbox:"])
    expect(judge(url)).toBe("refused");
});
