import { expect, it } from "vitest";
import type { Call, Endpoint } from "#contract/endpoint";
import { listMailboxRoute, triggerEventRoute } from "#contract/mailbox.routes";
import { byEnvironment, endpointsByEnvironment } from "./by-environment.ts";

const answering = (route: Endpoint["route"], answer: string): Endpoint => ({
  route,
  handle: () => Promise.resolve(answer),
});

const callOf = (environment: "live" | "test"): Call<unknown> => ({
  request: {},
  caller: { tenantId: "tenant", keyId: "key", environment },
  transactionId: "transaction",
  requestId: "request",
  receivedAt: new Date(0),
  signal: new AbortController().signal,
  elapsedMs: () => 1,
});

it("hands a live key the live value, and a test key the test value", () => {
  const choose = byEnvironment("of test", "of live");
  expect(choose({ environment: "live" })).toBe("of live");
  expect(choose({ environment: "test" })).toBe("of test");
});

it("sends each call to the endpoint of its key", async () => {
  const [joined] = endpointsByEnvironment(
    [answering(listMailboxRoute, "of test")],
    [answering(listMailboxRoute, "of live")],
  );
  expect(await joined!.handle(callOf("live"))).toBe("of live");
  expect(await joined!.handle(callOf("test"))).toBe("of test");
});

it("refuses lists of different routes, which would send a live call to another endpoint", () => {
  const [one, other] = [answering(listMailboxRoute, ""), answering(triggerEventRoute, "")];
  expect(() => endpointsByEnvironment([one], [other])).toThrow("listMailbox");
  expect(() => endpointsByEnvironment([one], [one, other])).toThrow("numbers");
});
