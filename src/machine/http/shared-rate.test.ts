import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { takeFromBucket } from "#trust/tenants/store/rate";
import type { AskRate, RateLimit } from "./options.ts";
import { makeSharedRate } from "./shared-rate.ts";

const key = { tenantId: "t", keyId: "k" };

type State = { nowMs: number; asks: number; store: "answers" | "fails" | "is silent" };

/** Several processes over one store, with one clock that the test sets. */
const makeDeployment = (limit: RateLimit, processes: number) => {
  const fullAts = new Map<string, number>();
  const outages: unknown[] = [];
  const state: State = { nowMs: 1_000_000, asks: 0, store: "answers" };
  const askRate: AskRate = async ({ keyId }, ask) => {
    state.asks += 1;
    if (state.store === "fails") throw new Failure("store_unavailable");
    if (state.store === "is silent") return await new Promise(() => undefined);
    const nowUs = state.nowMs * 1000;
    const grant = takeFromBucket((fullAts.get(keyId) ?? 0) - nowUs, ask);
    fullAts.set(keyId, nowUs + grant.missingUs);
    return grant;
  };
  const deps = {
    askRate,
    clock: () => new Date(state.nowMs),
    onOutage: (error: unknown) => outages.push(error),
  };
  const rates = Array.from({ length: processes }, () => makeSharedRate(limit, deps));
  const take = async (process: number, cost = 1): Promise<number> =>
    await rates[process % processes]!.take(key, cost, state.nowMs);
  return { state, outages, take };
};

describe("a rate over several processes", () => {
  it("is exceeded by at most a fortieth of the burst for each process, at any time", async () => {
    const call = fc.record({
      process: fc.nat({ max: 1 }),
      cost: fc.constantFrom(1, 1, 2, 4, 10),
      afterMs: fc.constantFrom(0, 0, 0, 1, 50),
    });
    const limits = fc.record({
      perSecond: fc.constantFrom(1, 7, 100, 30_000),
      burst: fc.constantFrom(1, 10, 39, 40, 200, 1_000),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(call, { maxLength: 400 }), async (limit, calls) => {
        const { state, take } = makeDeployment(limit, 2);
        const startMs = state.nowMs;
        let spent = 0;
        for (const { process, cost, afterMs } of calls) {
          state.nowMs += afterMs;
          if ((await take(process, cost)) === 0) spent += Math.min(cost, limit.burst);
          const allowed = limit.burst + (limit.perSecond * (state.nowMs - startMs)) / 1000;
          expect(spent).toBeLessThanOrEqual(allowed + limit.burst / 20);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives the whole rate to callers that reach only one process, and to those that reach both", async () => {
    for (const processes of [1, 2]) {
      const { state, take } = makeDeployment({ perSecond: 100, burst: 200 }, processes);
      let spent = 0;
      for (let call = 0; call < 4_000; call += 1) {
        if (call % 4 === 0) state.nowMs += 10;
        spent += (await take(call)) === 0 ? 1 : 0;
      }
      // Ten seconds: 200 at once and 100 in each second, less what the second process still holds.
      expect(spent).toBeGreaterThanOrEqual(1_190);
      expect(spent).toBeLessThanOrEqual(1_205);
    }
  });

  it("asks the store once for the calls that wait together, and once for forty of a large bucket", async () => {
    const large = makeDeployment({ perSecond: 1, burst: 1_600 }, 1);
    for (let call = 0; call < 410; call += 1) expect(await large.take(0)).toBe(0);
    expect(large.state.asks).toBe(10);
    const together = makeDeployment({ perSecond: 1, burst: 30 }, 1);
    const waits = await Promise.all(Array.from({ length: 40 }, () => together.take(0)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(30);
    expect(together.state.asks).toBe(2);
  });

  it("refuses without a question while the bucket must be empty, and names the seconds to wait", async () => {
    const { state, take } = makeDeployment({ perSecond: 2, burst: 10 }, 1);
    expect(await take(0, 99)).toBe(0);
    const { asks } = state;
    expect([await take(0), await take(0, 4), await take(0, 99)]).toEqual([1, 2, 5]);
    expect(state.asks).toBe(asks);
    state.nowMs += 500;
    expect(await take(0)).toBe(0);
  });

  it("lets each process count alone for a second after the store has failed", async () => {
    const { state, outages, take } = makeDeployment({ perSecond: 1, burst: 10 }, 2);
    expect(await take(0, 6)).toBe(0);
    expect(await take(1, 1)).toBe(0);
    state.store = "fails";
    // The first process has last seen 4 left, the second one 3.
    expect([await take(0, 4), await take(0), await take(1, 3), await take(1)]).toEqual([0, 1, 0, 1]);
    expect(outages).toHaveLength(2);
    state.store = "answers";
    const { asks } = state;
    state.nowMs += 999;
    expect(await take(0)).toBe(1);
    state.nowMs += 1;
    expect(await take(0)).toBe(0);
    expect(state.asks).toBe(asks + 1);
  });

  it("does not hang with a store that does not answer", async () => {
    const { state, outages, take } = makeDeployment({ perSecond: 1, burst: 10 }, 1);
    state.store = "is silent";
    expect(await Promise.all([take(0), take(0)])).toEqual([0, 0]);
    expect(outages).toEqual([expect.objectContaining({ code: "store_unavailable" })]);
    expect(await take(0)).toBe(0);
    expect(state.asks).toBe(1);
  });
});
