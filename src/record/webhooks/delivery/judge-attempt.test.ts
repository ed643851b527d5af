import { describe, expect, it } from "vitest";
import type { DestinationHealth, LeasedDelivery } from "./delivery.ts";
import { type Attempted, isOfReceiver, judgeAttempt, judgeOneShot } from "./judge-attempt.ts";

const now = new Date(1_790_000_000_000);
const hourMs = 3_600_000;
const ago = (ms: number): Date => new Date(now.getTime() - ms);

const healthy: DestinationHealth = { warned: 0, isProbe: false, lastSuccessAt: ago(1_000) };

const judge = (
  attempted: Omit<Attempted, "at">,
  { failures = 0, health = healthy }: { failures?: number; health?: DestinationHealth } = {},
) => {
  const delivery: Pick<LeasedDelivery, "failures" | "destination"> = {
    failures,
    destination: { tenantId: "tenant", id: "destination", health },
  };
  return judgeAttempt(delivery, { ...attempted, at: now }, 0.5);
};

const failingFor = (ms: number, warned = 0): DestinationHealth => ({
  warned,
  isProbe: false,
  failingSince: ago(ms),
});

describe("an attempt", () => {
  it("that is delivered ends its delivery", () => {
    expect(judge({ outcome: "delivered", status: 204 })).toStrictEqual({
      decision: "delivered",
      state: "delivered",
      failures: 0,
    });
  });

  it.each([301, 400, 404, 429, 500, 503])("that is answered %i is made again", (status) => {
    expect(judge({ outcome: "refused", status })).toMatchObject({
      decision: "retry",
      state: "due",
      failures: 1,
      nextAt: new Date(now.getTime() + 5_000),
      health: { kind: "failing" },
    });
  });

  it("waits as a 429 or 503 asks, up to twice the pause", () => {
    const { nextAt } = judge({ outcome: "refused", status: 429, retryAfterMs: 9_000 });
    expect(nextAt).toStrictEqual(new Date(now.getTime() + 9_000));
  });

  it("is the last after nine failures", () => {
    expect(judge({ outcome: "timed_out" }, { failures: 8 })).toMatchObject({ state: "due", failures: 9 });
    expect(judge({ outcome: "timed_out" }, { failures: 9 })).toMatchObject({
      decision: "failed",
      state: "failed",
      failures: 10,
    });
  });

  it("that is answered 410 for the first time is made again, and the 410 is noted", () => {
    expect(judge({ outcome: "refused", status: 410 })).toMatchObject({
      decision: "retry",
      state: "due",
      failures: 1,
      health: { kind: "failing" },
      isFirstGone: true,
    });
    const failing = judge({ outcome: "refused", status: 410 }, { health: failingFor(hourMs) });
    expect(failing).toMatchObject({ decision: "retry", isFirstGone: true });
    expect(failing.health).toBeUndefined();
  });

  it("that is answered 410 an hour after the first 410 disables the destination, and its delivery is held", () => {
    const gone = { outcome: "refused", status: 410 } as const;
    const before = judge(gone, { health: { ...failingFor(hourMs), goneSince: ago(hourMs - 1) } });
    expect(before).toMatchObject({ decision: "retry", state: "due" });
    expect([before.health, before.isFirstGone]).toEqual([undefined, undefined]);
    expect(judge(gone, { health: { ...failingFor(hourMs), goneSince: ago(hourMs) } })).toStrictEqual({
      decision: "gone",
      state: "held",
      failures: 1,
      health: { kind: "disabled", reason: "gone" },
    });
  });

  it("with another status does not disable a destination that answered 410 before", () => {
    const health = { ...failingFor(2 * hourMs), goneSince: ago(2 * hourMs) };
    expect(judge({ outcome: "refused", status: 500 }, { health })).toMatchObject({ decision: "retry" });
    expect(judge({ outcome: "token_failed", status: 410 }, { health })).toMatchObject({ decision: "retry" });
  });

  it("whose token server answers 410 is made again: the receiver has not said that it is gone", () => {
    expect(judge({ outcome: "token_failed", status: 410 })).toMatchObject({
      decision: "retry",
      state: "due",
      health: { kind: "failing" },
    });
  });

  it("whose token server answers 410 does not make a destination that fails for long gone", () => {
    const health = failingFor(120 * hourMs, 90);
    expect(judge({ outcome: "token_failed", status: 410 }, { health })).toMatchObject({
      decision: "disabled",
      state: "held",
      health: { kind: "disabled", reason: "failures" },
    });
  });

  it.each(["destination_removed", "event_erased", "unreadable"] as const)(
    "that ends with %s is never repeated, and says nothing about the receiver",
    (outcome) => {
      expect(judge({ outcome })).toStrictEqual({ decision: "failed", state: "failed", failures: 1 });
      expect(isOfReceiver(outcome)).toBe(false);
    },
  );

  it("that this service failed is repeated, and says nothing about the receiver", () => {
    const judged = judge({ outcome: "internal" });
    expect(judged).toMatchObject({ decision: "retry", state: "due" });
    expect(judged.health).toBeUndefined();
  });
});

describe("a destination", () => {
  const refused = { outcome: "refused", status: 500 } as const;

  it("is disabled after 120 hours of nothing but failures, and not before", () => {
    expect(judge(refused, { health: failingFor(120 * hourMs - 1, 90) }).health).toBeUndefined();
    expect(judge(refused, { health: failingFor(120 * hourMs, 90) })).toMatchObject({
      decision: "disabled",
      state: "held",
      health: { kind: "disabled", reason: "failures" },
    });
  });

  it("is warned of at 50 and 90 % of that time, once each", () => {
    expect(judge(refused, { health: failingFor(60 * hourMs - 1) }).health).toBeUndefined();
    expect(judge(refused, { health: failingFor(60 * hourMs) }).health).toEqual({
      kind: "warned",
      percent: 50,
    });
    expect(judge(refused, { health: failingFor(60 * hourMs, 50) }).health).toBeUndefined();
    expect(judge(refused, { health: failingFor(108 * hourMs - 1, 50) }).health).toBeUndefined();
    expect(judge(refused, { health: failingFor(108 * hourMs, 50) }).health).toEqual({
      kind: "warned",
      percent: 90,
    });
    expect(judge(refused, { health: failingFor(108 * hourMs, 90) }).health).toBeUndefined();
  });

  it("that answers again forgets its failures", () => {
    const health = failingFor(119 * hourMs, 90);
    expect(judge({ outcome: "delivered" }, { health }).health).toEqual({ kind: "succeeded" });
    const gone = { ...health, goneSince: ago(119 * hourMs) };
    expect(judge({ outcome: "delivered" }, { health: gone }).health).toEqual({ kind: "succeeded" });
  });

  it("whose first 410 comes after 120 hours of failures is disabled for these", () => {
    expect(
      judge({ outcome: "refused", status: 410 }, { health: failingFor(120 * hourMs, 90) }),
    ).toStrictEqual({
      decision: "disabled",
      state: "held",
      failures: 1,
      health: { kind: "disabled", reason: "failures" },
    });
  });

  it("whose probe arrives closes its breaker", () => {
    const health = { ...healthy, isProbe: true };
    expect(judge({ outcome: "delivered" }, { health }).health).toEqual({ kind: "succeeded" });
  });

  it("that works notes a success once a minute", () => {
    const successOf = (ms: number) =>
      judge({ outcome: "delivered" }, { health: { ...healthy, lastSuccessAt: ago(ms) } }).health;
    expect(successOf(59_999)).toBeUndefined();
    expect(successOf(60_000)).toEqual({ kind: "succeeded" });
  });
});

describe("an attempt to deliver a one-shot", () => {
  const followed = (attempted: Omit<Attempted, "at">, failures = 0) =>
    judgeOneShot(failures, { ...attempted, at: now }, 0.5);

  it("ends it where the receiver accepts, and where the receiver is gone", () => {
    expect(followed({ outcome: "delivered", status: 204 })).toEqual({
      decision: "delivered",
      state: "delivered",
      failures: 0,
    });
    expect(followed({ outcome: "refused", status: 410 }, 1)).toEqual({
      decision: "gone",
      state: "failed",
      failures: 2,
    });
  });

  it("that fails is made again on the ladder of deliveries, ten times in all", () => {
    expect(followed({ outcome: "timed_out" })).toMatchObject({
      decision: "retry",
      state: "due",
      failures: 1,
    });
    expect(followed({ outcome: "refused", status: 500 }, 8)).toMatchObject({ state: "due", failures: 9 });
    expect(followed({ outcome: "refused", status: 500 }, 9)).toEqual({
      decision: "failed",
      state: "failed",
      failures: 10,
    });
  });

  it("is the last one where nothing can be sent", () => {
    expect(followed({ outcome: "unreadable" })).toEqual({ decision: "failed", state: "failed", failures: 1 });
  });
});
