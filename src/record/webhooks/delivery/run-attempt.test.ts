import { expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { EgressError } from "#machine/egress/egress";
import { writeCloudEvent } from "#record/events/cloud-event";
import type { Destination } from "../destinations/destination.ts";
import type { StoredDestination } from "../store/stored-destination.ts";
import type { LeasedDelivery } from "./delivery.ts";
import { interruptionsMax, makeRunAttempt } from "./run-attempt.ts";

const now = new Date(1_790_000_000_000);
const owner = { tenantId: "tenant", environment: "test" } as const;

const destination: Destination = {
  ...owner,
  id: "destination",
  name: "Recepción",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  url: "https://example.org/hook",
  headers: {},
  auth: { kind: "none" },
  handshake: false,
  timeoutMs: 1_000,
  retrySchedule: [0, 7],
  revision: 1,
  secrets: ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
};

const stored: StoredDestination = {
  ...owner,
  id: "destination",
  name: "Recepción",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  sealedSettings: new Uint8Array(),
  revision: 1,
  createdAt: now,
  changedAt: now,
};

const delivery: LeasedDelivery = {
  tenantId: "tenant",
  destinationId: "destination",
  eventId: "event",
  attempts: 0,
  failures: 0,
  isManual: false,
  stated: { operationId: "operation", sequence: 1, eventAt: now },
  event: {
    ...owner,
    id: "event",
    operationId: "operation",
    sequence: 1,
    name: "operation_started",
    at: now,
    sealedData: new Uint8Array(),
  },
  destination: { tenantId: "tenant", id: "destination", stored, health: { warned: 0, isProbe: false } },
};

it.each([
  ["an unknown error", new Error("The key does not open")],
  ["a store that is away", new Failure("store_unavailable")],
])("keeps its result when the answer cannot be sealed: %s", async (_, error) => {
  const runAttempt = makeRunAttempt({
    keyring: { seal: () => Promise.reject(error) },
    openEvent: async () => ({ data: {}, assets: [] }),
    openDestination: async () => destination,
    linkToAsset: async () => "",
    writeCloudEvent,
    signatureKeyOf: (secret) => Buffer.from(secret),
    contentType: "application/cloudevents+json",
    vendor: "idem",
    send: async () => ({
      outcome: "delivered",
      status: 200,
      timings: { totalMs: 3 },
      answer: Buffer.from("gracias"),
    }),
    attemptMsMax: 30_000,
    clock: () => now,
  });
  expect(await runAttempt(delivery, new AbortController().signal)).toStrictEqual({
    kind: "attempted",
    at: now,
    result: { outcome: "delivered", status: 200, timings: { totalMs: 3 } },
    ladder: [0, 7],
  });
});

it("a repeat of an event with an image has the same id, and a new link, body and signature", async () => {
  let at = now;
  const event = { ...delivery.event, name: "selfie_captured" } as const;
  const sent: string[] = [];
  const runAttempt = makeRunAttempt({
    keyring: { seal: async (_tenant, _purpose, plain) => plain },
    openEvent: async () => ({ data: {}, assets: [{ id: "asset", type: "selfie" }] }),
    openDestination: async () => destination,
    linkToAsset: async ({ id }, signedAt) => `https://idem.example.org/assets/${id}?at=${signedAt.getTime()}`,
    writeCloudEvent,
    signatureKeyOf: (secret) => Buffer.from(secret),
    contentType: "application/cloudevents+json",
    vendor: "idem",
    send: async (_destination, message) => {
      sent.push(`${message.id} ${message.body}`);
      return { outcome: "refused", status: 503, timings: { totalMs: 3 } };
    },
    attemptMsMax: 30_000,
    clock: () => at,
  });
  for (const ms of [0, 0, 5_000]) {
    at = new Date(now.getTime() + ms);
    await runAttempt({ ...delivery, event }, new AbortController().signal);
  }
  const [first, same, repeat] = sent.map((text) => JSON.parse(text.slice("event ".length)));
  expect(same).toEqual(first);
  expect([first.id, repeat.id]).toEqual(["event", "event"]);
  expect(repeat.signature).not.toBe(first.signature);
  expect(JSON.stringify(repeat)).toContain(`at=${now.getTime() + 5_000}`);
});

const interrupted = new EgressError("interrupted", "The thread of outgoing calls ended");

/** Attempts whose calls end so, one after another. */
const runsThatEnd = (ends: readonly (EgressError | "delivered")[]) => {
  const left = [...ends];
  return makeRunAttempt({
    keyring: { seal: async (_tenant, _purpose, plain) => plain },
    openEvent: async () => ({ data: {}, assets: [] }),
    openDestination: async () => destination,
    linkToAsset: async () => "",
    writeCloudEvent,
    signatureKeyOf: (secret) => Buffer.from(secret),
    contentType: "application/cloudevents+json",
    vendor: "idem",
    send: async () => {
      const end = left.shift() ?? interrupted;
      if (end !== "delivered") throw end;
      return { outcome: "delivered", status: 200, timings: { totalMs: 3 } };
    },
    attemptMsMax: 30_000,
    clock: () => now,
  });
};
const endOf = async (
  run: ReturnType<typeof runsThatEnd>,
  of = delivery,
  signal = new AbortController().signal,
) => {
  const ended = await run(of, signal);
  return ended.kind === "attempted" ? ended.result.outcome : ended.kind;
};

it("counts the third interruption in a row of one delivery as unreachable, and begins anew after it", async () => {
  const run = runsThatEnd([]);
  const ends = [];
  for (let n = 0; n < 2 * interruptionsMax; n++) ends.push(await endOf(run));
  expect(ends).toEqual(["retry", "retry", "unreachable", "retry", "retry", "unreachable"]);
  expect(await run(delivery, new AbortController().signal)).toMatchObject({ afterMs: 5_000 });
});

it("counts no interruption of another delivery, none before an attempt, and none at the end of the process", async () => {
  const run = runsThatEnd([interrupted, interrupted, interrupted, "delivered"]);
  const other = { ...delivery, eventId: "another event" };
  expect([await endOf(run), await endOf(run, other), await endOf(run), await endOf(run)]).toEqual([
    "retry",
    "retry",
    "retry",
    "delivered",
  ]);
  expect([await endOf(run), await endOf(run)]).toEqual(["retry", "retry"]);
  const ending = AbortSignal.abort();
  for (let n = 0; n < 3; n++) expect(await endOf(run, delivery, ending)).toBe("retry");
  expect(await endOf(run)).toBe("unreachable");
});

it("an interrupted delivery that ends as unreachable keeps the ladder of its destination", async () => {
  const run = runsThatEnd([]);
  for (let n = 1; n < interruptionsMax; n++) await endOf(run);
  const ended = await run(delivery, new AbortController().signal);
  expect(ended).toMatchObject({ result: { outcome: "unreachable" }, ladder: [0, 7] });
  expect(JSON.stringify(ended)).toContain("broke the call off");
});
