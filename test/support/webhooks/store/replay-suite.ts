import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { at, closeFresh, countRows, newTenantIn, openFresh, type StoreHarness } from "../../storage/suite.ts";
import { aLease, anAttempt, newDestination, recordEvents } from "../deliveries.ts";

/** The guarantees of every store for deliveries, as operators see them. */
export const describeReplays = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`deliveries of operators: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    const owner = () => ({ tenantId, environment: "test" }) as const;
    const entry = (id: string) => ({ id, kind: "deliveries_replayed", at: at(50), body: { range: "all" } });
    /** An event of this time alone, so that ranges tell events apart. */
    const recordAt = (operationId: string, ms: number) =>
      recordEvents(store, tenantId, operationId, { at: at(ms), events: [] });
    const lease = async (ms: number) => (await store.leaseDeliveries(aLease({ now: at(ms) }))).deliveries;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    it("that are held are released as a range, the oldest first", async () => {
      const id = await newDestination(store, tenantId, { state: "paused" });
      for (const [n, operation] of ["a", "b", "c"].entries()) await recordAt(operation, 100 * n);
      const stored = await store.findDestination(owner(), id);
      await store.changeDestination(stored!, { at: at(400), state: { is: "active" } }, { evidence: [] });
      const range = { tenantId, destinationId: id, from: at(100), to: at(200) };
      expect(await store.countDeliveries(range, ["held"], at(500))).toBe(1);
      expect(await store.releaseDeliveries(range, at(500), entry("one"))).toEqual({ count: 1, isLast: true });
      expect((await lease(500)).map(({ event }) => event.operationId)).toEqual(["b"]);
      expect(await store.releaseDeliveries({ tenantId, destinationId: id }, at(600))).toMatchObject({
        count: 2,
      });
      expect((await lease(600)).map(({ event }) => event.operationId)).toEqual(["a", "c"]);
      expect(await harness.query("select body from evidence_bodies")).toEqual([
        { body: '{"count":1,"range":"all"}' },
      ]);
    });

    it("that are held become due in the commit that makes their destination active", async () => {
      const id = await newDestination(store, tenantId, { state: "paused" });
      for (const [n, operation] of ["a", "b"].entries()) await recordAt(operation, 100 * n);
      const stored = await store.findDestination(owner(), id);
      const change = { at: at(400), state: { is: "active" }, releases: true } as const;
      expect(await store.changeDestination({ ...stored!, revision: 9 }, change, { evidence: [] })).toBe(
        false,
      );
      expect(await lease(500)).toEqual([]);
      expect(await store.changeDestination(stored!, change, { evidence: [] })).toBe(true);
      expect((await lease(500)).map(({ event }) => event.operationId)).toEqual(["a", "b"]);
    });

    it("are never held for an active destination, also where another process records at the same moment", async () => {
      const second = await harness.open();
      for (let round = 0; round < 12; round += 1) {
        const id = await newDestination(store, tenantId, { id: `destination ${round}`, state: "paused" });
        const stored = await store.findDestination(owner(), id);
        const change = { at: at(400), state: { is: "active" }, releases: true } as const;
        await Promise.all([
          ...Array.from({ length: 4 }, (_, n) => recordAt(`operation ${round} ${n}`, n)),
          second.changeDestination(stored!, change, { evidence: [] }),
        ]);
      }
      await second.close();
      const [held] = await harness.query("select count(*) as n from deliveries where state = 'held'");
      expect(Number(held?.["n"])).toBe(0);
    });

    it("are sent again by range and state, with a new ladder, marked, and as evidence", async () => {
      const id = await newDestination(store, tenantId);
      for (const [n, operation] of ["a", "b", "c"].entries()) await recordAt(operation, 100 * n);
      const leased = await lease(500);
      const ends = leased.map((one) =>
        one.event.operationId === "a"
          ? anAttempt(one)
          : anAttempt(one, { outcome: "timed_out", decision: "failed", state: "failed", failures: 10 }),
      );
      const batch = { worker: "one", at: at(510), retries: [], destinations: [] };
      await store.finishDeliveries({ ...batch, attempts: ends });
      const range = { tenantId, destinationId: id, to: at(200) };
      expect(await store.countDeliveries(range, ["failed"], at(600))).toBe(1);
      expect(await store.countDeliveries(range, ["failed", "delivered"], at(600))).toBe(2);
      expect(await store.replayDeliveries(range, ["failed"], at(600), entry("one"))).toEqual({
        count: 1,
        isLast: true,
      });
      expect(await store.replayDeliveries(range, ["failed"], at(600), entry("two"))).toMatchObject({
        count: 0,
      });
      expect(await countRows(harness, "evidence")).toBe(1);
      const [again] = await lease(600);
      expect(again).toMatchObject({ attempts: 1, failures: 0, isManual: true, event: { operationId: "b" } });
      // In flight: no second sending beside the first.
      expect(await store.replayDeliveries(range, ["due"], at(601), entry("three"))).toMatchObject({
        count: 0,
      });
      await store.finishDeliveries({ ...batch, attempts: [anAttempt(again!)] });
      const found = await store.findDelivery(owner(), again!);
      expect(found?.attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
        [2, "delivered"],
        [1, "timed_out"],
      ]);
    });

    it("of a range are sent again once, also where a command takes a part of it", async () => {
      const destinationId = await newDestination(store, tenantId);
      await recordAt("a", 0);
      const finish = async (attempts: number, end: number): Promise<void> => {
        const leased = await lease(end - 1);
        await store.finishDeliveries({
          worker: "one",
          at: at(end),
          attempts: leased.map((one) => anAttempt({ ...one, attempts })),
          retries: [],
          destinations: [],
        });
      };
      await finish(0, 110);
      const range = { tenantId, destinationId, endedBefore: at(200) };
      const replayAt = async (ms: number, id: string) =>
        (await store.replayDeliveries(range, ["failed", "delivered"], at(ms), entry(id))).count;
      expect(await replayAt(200, "first")).toBeGreaterThan(0);
      await finish(1, 300);
      expect(await replayAt(301, "rest")).toBe(0);
    });

    it("that are held for a removed destination become due, so that they end", async () => {
      const id = await newDestination(store, tenantId, { state: "paused" });
      await newDestination(store, tenantId, { state: "paused" });
      await recordAt("a", 0);
      expect(await store.releaseRemoved()).toBe(0);
      const stored = await store.findDestination(owner(), id);
      await store.removeDestination(stored!, at(5), { evidence: [] });
      expect(await store.releaseRemoved()).toBe(1);
      expect(await store.releaseRemoved()).toBe(0);
      const [leased] = await lease(10);
      expect(leased).toMatchObject({ destinationId: id });
      expect(leased?.destination.stored).toBeUndefined();
    });

    it("of one event are sent again to each destination, or to one", async () => {
      const ids = [await newDestination(store, tenantId), await newDestination(store, tenantId)];
      await recordAt("a", 0);
      const leased = await lease(100);
      const { eventId } = leased[0]!;
      expect(await store.replayEvent({ tenantId, eventId }, at(101), entry("one"))).toBe(0);
      await store.finishDeliveries({
        worker: "one",
        at: at(110),
        attempts: leased.map((one) => anAttempt(one)),
        retries: [],
        destinations: [],
      });
      expect(
        await store.replayEvent({ tenantId, eventId, destinationId: ids[0]! }, at(200), entry("two")),
      ).toBe(1);
      expect((await lease(200)).map(({ destinationId }) => destinationId)).toEqual([ids[0]]);
      expect(await store.replayEvent({ tenantId, eventId }, at(201), entry("three"))).toBe(1);
      expect((await lease(201)).map(({ destinationId }) => destinationId)).toEqual([ids[1]]);
      // A removed destination keeps what it received as delivered.
      const stored = await store.findDestination(owner(), ids[0]!);
      await store.finishDeliveries({
        worker: "one",
        at: at(210),
        attempts: leased.map((one) => anAttempt({ ...one, attempts: 1 })),
        retries: [],
        destinations: [],
      });
      await store.removeDestination(stored!, at(220), { evidence: [] });
      expect(await store.replayEvent({ tenantId, eventId }, at(230), entry("removed"))).toBe(1);
      const one = { destinationId: ids[0]!, eventId };
      expect(await store.findDelivery(owner(), one)).toMatchObject({ delivery: { state: "delivered" } });
      const other = await newTenantIn(store);
      expect(await store.replayEvent({ tenantId: other, eventId }, at(300), entry("four"))).toBe(0);
    });

    it("are the probe of an open breaker where the operator sends them again", async () => {
      const id = await newDestination(store, tenantId);
      for (const [n, operation] of ["a", "b", "c"].entries()) await recordAt(operation, 100 * n);
      await store.finishDeliveries({
        worker: "one",
        at: at(300),
        attempts: [],
        retries: [],
        destinations: [{ tenantId, destinationId: id, at: at(300), blockedUntil: at(30_000) }],
      });
      expect(await lease(400)).toEqual([]);
      const { deliveries } = await store.listDeliveries(owner(), { destinationId: id });
      const { eventId } = deliveries.find(({ operationId }) => operationId === "c")!;
      expect(await store.replayEvent({ tenantId, eventId, destinationId: id }, at(500), entry("one"))).toBe(
        1,
      );
      expect(await lease(500)).toMatchObject([
        { event: { operationId: "c" }, destination: { health: { isProbe: true } } },
      ]);
      expect(await lease(501)).toEqual([]);
    });

    it("are listed by destination, event and state, in pages, of their environment alone", async () => {
      const id = await newDestination(store, tenantId);
      const paused = await newDestination(store, tenantId, { state: "paused" });
      for (let n = 0; n < 60; n += 1) await recordAt(`operation ${n}`, n);
      const first = await store.listDeliveries(owner(), { destinationId: id });
      expect(first.deliveries).toHaveLength(50);
      expect(first.isLast).toBe(false);
      expect(first.deliveries[0]).toMatchObject({ operationId: "operation 59", name: "operation_started" });
      const last = first.deliveries.at(-1)!;
      const place = { at: last.eventAt, destinationId: id, eventId: last.eventId };
      const second = await store.listDeliveries(owner(), { destinationId: id }, place);
      expect(second).toMatchObject({ isLast: true });
      expect(second.deliveries).toHaveLength(10);
      const { eventId } = last;
      const ofEvent = await store.listDeliveries(owner(), { eventId });
      expect(
        new Set(ofEvent.deliveries.map(({ destinationId, state }) => `${destinationId} ${state}`)),
      ).toEqual(new Set([`${id} due`, `${paused} held`]));
      const held = await store.listDeliveries(owner(), { eventId, state: "held" });
      expect(held.deliveries).toHaveLength(1);
      const live = { tenantId, environment: "live" } as const;
      expect(await store.listDeliveries(live, { destinationId: id })).toEqual({
        deliveries: [],
        isLast: true,
      });
      expect(await store.findDelivery(live, last)).toBeUndefined();
      const other = { tenantId: await newTenantIn(store), environment: "test" } as const;
      expect(await store.findDelivery(other, last)).toBeUndefined();
    });

    it("that wait are read for the metrics, held ones included", async () => {
      const due = await newDestination(store, tenantId);
      const paused = await newDestination(store, tenantId, { state: "paused" });
      await recordAt("a", 100);
      await recordAt("b", 200);
      expect(await store.readQueue(at(1_000), 10)).toEqual({
        dueSince: at(100),
        waiting: expect.arrayContaining([
          { destinationId: due, oldestAt: at(100) },
          { destinationId: paused, oldestAt: at(100) },
        ]),
        openBreakers: 0,
      });
      expect((await store.readQueue(at(1_000), 1)).waiting).toHaveLength(1);
      const change = { tenantId, destinationId: due, at: at(1), blockedUntil: at(9_000) };
      await store.finishDeliveries({
        worker: "one",
        at: at(1),
        attempts: [],
        retries: [],
        destinations: [change],
      });
      const blocked = await store.readQueue(at(1_000), 1);
      expect(blocked.openBreakers).toBe(1);
      expect(blocked.dueSince).toBeUndefined();
      expect((await store.readQueue(at(9_000), 1)).dueSince).toEqual(at(100));
    });
  });
};
