import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type {
  DeliveryLease,
  FinishedAttempt,
  LeasedDelivery,
  RetriedDelivery,
} from "#record/webhooks/delivery/delivery";
import { makeFinishQueue } from "#record/webhooks/delivery/finish-queue";
import type { DestinationChange } from "#record/webhooks/store/finish-deliveries";
import { at, closeFresh, countRows, newTenantIn, openFresh, type StoreHarness } from "../../storage/suite.ts";
import { aFailure, aLease, anAttempt, leaseMs, newDestination, recordEvents } from "../deliveries.ts";

/** The guarantees of every store for deliveries, as workers see them. */
export const describeDeliveries = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`deliveries: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    const newReceiver = (change: Parameters<typeof newDestination>[2] = {}) =>
      newDestination(store, tenantId, change);
    const record = (operationId: string) => recordEvents(store, tenantId, operationId);
    const lease = async (change: Partial<DeliveryLease> = {}): Promise<readonly LeasedDelivery[]> =>
      (await store.leaseDeliveries(aLease(change))).deliveries;
    const finish = (
      attempts: readonly FinishedAttempt[],
      change: {
        worker?: string;
        retries?: readonly RetriedDelivery[];
        destinations?: readonly DestinationChange[];
      } = {},
    ) =>
      store.finishDeliveries({
        worker: "one",
        at: at(30),
        attempts,
        retries: [],
        destinations: [],
        ...change,
      });
    const countOf = (leased: readonly LeasedDelivery[]) =>
      Object.fromEntries(
        [...Map.groupBy(leased, (one) => one.destinationId)].map(([id, ofOne]) => [id, ofOne.length]),
      );
    const statesOf = async () =>
      (await harness.query("select state, count(*) as n from deliveries group by state order by state")).map(
        ({ state, n }) => [state, Number(n)],
      );

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    it("are made in the commit of an event, for each destination that takes it", async () => {
      const other = await newTenantIn(store);
      const all = await newReceiver();
      const workflows = await newReceiver({ topics: ["workflows/*/v1"] });
      const started = await newReceiver({ topics: ["workflows/operation-started/v1"] });
      await newReceiver({ topics: ["workflows/id-captured/v1"] });
      await newReceiver({ environment: "live" });
      await newDestination(store, other);
      const paused = await newReceiver({ state: "paused", stateReason: "operator" });
      await record("one");
      const leased = await lease();
      expect(countOf(leased)).toEqual({ [all]: 2, [workflows]: 2, [started]: 1 });
      expect(await statesOf()).toEqual([
        ["due", 5],
        ["held", 2],
      ]);
      expect(
        await harness.query("select distinct destination_id from deliveries where state = 'held'"),
      ).toEqual([{ destination_id: paused }]);
    });

    it("do not exist without their event", async () => {
      await newReceiver();
      const twice = { id: "event", name: "selfie_captured", sealedData: new Uint8Array(1) } as const;
      await expect(recordEvents(store, tenantId, "one", { events: [twice, twice] })).rejects.toThrow();
      expect(await countRows(harness, "deliveries")).toBe(0);
    });

    it("of a test event go to its destination alone, whatever its topics", async () => {
      const one = await newReceiver({ topics: ["workflows/id-captured/v1"] });
      await newReceiver();
      await recordEvents(store, tenantId, "one", { onlyTo: one, events: [] });
      expect(countOf(await lease())).toEqual({ [one]: 1 });
    });

    it("are leased with their event and destination, once", async () => {
      const one = await newReceiver();
      await record("one");
      const leased = await lease();
      expect(leased).toHaveLength(2);
      expect(leased[0]).toMatchObject({
        tenantId,
        destinationId: one,
        attempts: 0,
        failures: 0,
        isManual: false,
        event: { operationId: "one", environment: "test", at: at(1) },
        destination: { id: one, stored: { id: one, topics: ["*"] }, health: { warned: 0, isProbe: false } },
      });
      expect(new Set(leased.map(({ event }) => event.sequence))).toEqual(new Set([1, 2]));
      expect(leased[0]?.event.sealedData).toHaveLength(40);
      expect(await lease({ worker: "two" })).toEqual([]);
    });

    it("of a dead worker are leased again when the lease ends", async () => {
      await newReceiver();
      await record("one");
      await lease();
      expect(await lease({ worker: "two", now: at(10 + leaseMs - 1) })).toEqual([]);
      const again = await store.leaseDeliveries(aLease({ worker: "two", now: at(10 + leaseMs) }));
      expect(again).toMatchObject({ deliveries: [{ attempts: 0 }, { attempts: 0 }], expired: 2 });
    });

    it("wait while their destination has its number in flight, over all workers", async () => {
      const one = await newReceiver();
      const two = await newReceiver({ inFlightMax: 5 });
      for (const operation of ["a", "b", "c"]) await record(operation);
      expect(countOf(await lease({ inFlightMax: 4 }))).toEqual({ [one]: 4, [two]: 5 });
      expect(await lease({ worker: "two", inFlightMax: 4 })).toEqual([]);
      const read = { tenantId, id: two, revision: 1 };
      await store.changeDestination(read, { at: at(11), inFlightMax: "default" }, { evidence: [] });
      expect(countOf(await lease({ worker: "two", inFlightMax: 6 }))).toEqual({ [one]: 2, [two]: 1 });
    });

    it("go around among destinations, so that a backlog of one does not starve the others", async () => {
      const ids = [await newReceiver(), await newReceiver(), await newReceiver()].toSorted();
      for (const operation of ["a", "b", "c"]) await record(operation);
      const first = await lease({ limit: 4 });
      expect(countOf(first)).toEqual({ [ids[0]!]: 2, [ids[1]!]: 1, [ids[2]!]: 1 });
      expect(countOf(await lease({ limit: 1, after: ids[0]! }))).toEqual({ [ids[1]!]: 1 });
      expect(countOf(await lease({ limit: 1, after: ids[2]! }))).toEqual({ [ids[0]!]: 1 });
    });

    it("end with the log of their attempt", async () => {
      await newReceiver();
      await record("one");
      const [leased] = await lease({ limit: 1 });
      const sealedAnswer = new Uint8Array([1, 0, 255]);
      expect(await finish([anAttempt(leased!, { sealedAnswer })])).toEqual([]);
      const found = await store.findDelivery({ tenantId, environment: "test" }, leased!);
      expect(found).toMatchObject({
        delivery: { state: "delivered", attempts: 1, doneAt: at(30) },
        attempts: [
          {
            attempt: 1,
            at: at(20),
            outcome: "delivered",
            status: 204,
            address: "192.0.2.7",
            timings: { dnsMs: 1, connectMs: 2.5, tlsMs: 9, firstByteMs: 12, totalMs: 13 },
            sealedAnswer,
          },
        ],
      });
      expect(await lease({ now: at(1_000_000), limit: 1 })).toHaveLength(1);
      expect(await lease({ now: at(1_000_000), limit: 1 })).toHaveLength(0);
    });

    it("wait for their next attempt, and keep every attempt", async () => {
      await newReceiver();
      await record("one");
      const [leased] = await lease({ limit: 1 });
      await finish([aFailure(leased!, at(5_000))]);
      const due = (now: number) => lease({ now: at(now), worker: "two" });
      expect((await due(4_999)).map((one) => one.eventId)).not.toContain(leased!.eventId);
      expect(await due(5_000)).toMatchObject([{ eventId: leased!.eventId, attempts: 1, failures: 1 }]);
      const [again] = await lease({ now: at(5_000 + leaseMs), worker: "one", limit: 1 });
      await finish([anAttempt(again!)]);
      const found = await store.findDelivery({ tenantId, environment: "test" }, again!);
      expect(found?.attempts.length).toBe(again!.attempts + 1);
    });

    it("of a worker that lost its lease keep the end of the other worker", async () => {
      await newReceiver();
      await record("one");
      const leased = await lease();
      await lease({ worker: "two", now: at(10 + leaseMs) });
      const lost = await finish(leased.map((one) => anAttempt(one)));
      expect(lost.map(({ eventId }) => eventId).toSorted()).toEqual(
        leased.map(({ eventId }) => eventId).toSorted(),
      );
      expect(await countRows(harness, "delivery_attempts")).toBe(0);
      expect(await statesOf()).toEqual([["due", 2]]);
    });

    it("that their worker leased again end once, by the first end", async () => {
      await newReceiver();
      await record("one");
      const first = await lease();
      const second = await lease({ now: at(10 + leaseMs) });
      expect(second).toHaveLength(2);
      expect(await finish([aFailure(first[0]!, at(50_000)), anAttempt(first[1]!)])).toEqual([]);
      const third = await lease({ now: at(60_000 + leaseMs) });
      expect(third).toMatchObject([{ eventId: first[0]!.eventId, attempts: 1 }]);
      // The second run holds the same name of a worker, and its number exists.
      const lost = await finish([anAttempt(second.find(({ eventId }) => eventId === third[0]!.eventId)!)]);
      expect(lost).toHaveLength(1);
      expect(await finish([anAttempt(third[0]!)])).toEqual([]);
      expect(await countRows(harness, "delivery_attempts")).toBe(3);
    });

    it("whose lease ended before their end could be stored are left to the next worker", async () => {
      await newReceiver();
      await record("one");
      const [held, late] = await lease();
      const freed: string[] = [];
      const lost: number[] = [];
      const queue = makeFinishQueue({
        store,
        worker: "one",
        clock: () => at(100),
        onError: (error) => expect(error).toBeUndefined(),
        onLost: (count) => lost.push(count),
      });
      for (const [one, leasedUntil] of [[held!, at(101)] as const, [late!, at(100)] as const])
        queue.add({ end: anAttempt(one), leasedUntil, onStored: () => freed.push(one.eventId) });
      await queue.untilIdle();
      expect(lost).toEqual([1]);
      expect(freed.toSorted()).toEqual([held!.eventId, late!.eventId].toSorted());
      expect(await statesOf()).toEqual([
        ["delivered", 1],
        ["due", 1],
      ]);
    });

    it("stop behind a breaker that opens beside a warning that another process gave first", async () => {
      const one = await newReceiver();
      await record("one");
      const warned = { kind: "warned", percent: 50 } as const;
      const change = { tenantId, destinationId: one, at: at(30), health: warned };
      await finish([], { destinations: [change] });
      await finish([], { destinations: [{ ...change, blockedUntil: at(30_000) }] });
      expect(await lease({ now: at(29_999) })).toEqual([]);
      expect(await lease({ now: at(30_000) })).toHaveLength(1);
    });

    it("that are retried uncounted spend no attempt", async () => {
      await newReceiver();
      await record("one");
      const leased = await lease();
      const retries = leased.map(({ tenantId: of, destinationId, eventId }) => {
        return { tenantId: of, destinationId, eventId, dueAt: at(500) };
      });
      await finish([], { retries });
      expect(await lease({ now: at(499) })).toEqual([]);
      expect(await lease({ now: at(500) })).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);
    });

    it("of an ordered destination keep the sequence of their operation, and block no other", async () => {
      const ordered = await newReceiver({ isOrdered: true });
      await record("a");
      await record("b");
      const first = await lease();
      expect(new Set(first.map(({ event }) => `${event.operationId} ${event.sequence}`))).toEqual(
        new Set(["a 1", "b 1"]),
      );
      const [ofA, ofB] = ["a", "b"].map((id) => first.find(({ event }) => event.operationId === id)!);
      await finish([aFailure(ofA!, at(9_000)), anAttempt(ofB!)]);
      const second = await lease({ now: at(100) });
      expect(second.map(({ event }) => [event.operationId, event.sequence])).toEqual([["b", 2]]);
      const [again] = await lease({ now: at(9_000) });
      expect(again).toMatchObject({ destinationId: ordered, event: { operationId: "a", sequence: 1 } });
      // After its last attempt the next event goes.
      await finish([
        anAttempt(again!, { state: "failed", decision: "failed", outcome: "timed_out", failures: 10 }),
      ]);
      expect(await lease({ now: at(9_001) })).toMatchObject([{ event: { operationId: "a", sequence: 2 } }]);
    });

    it("wait behind an open breaker, then one is the probe", async () => {
      const one = await newReceiver();
      await record("a");
      await record("b");
      const [leased] = await lease({ limit: 1 });
      const change = { tenantId, destinationId: one, at: at(30) };
      await finish([aFailure(leased!, at(31))], {
        destinations: [{ ...change, health: { kind: "failing" }, blockedUntil: at(30_000) }],
      });
      expect(await lease({ now: at(29_999) })).toEqual([]);
      const owner = { tenantId, environment: "test" } as const;
      expect(await store.findDestination(owner, one)).toMatchObject({ breakerUntil: at(30_000) });
      const { deliveries: waiting } = await store.listDeliveries(owner, { destinationId: one, state: "due" });
      expect(waiting.map(({ nextAt }) => nextAt)).toContainEqual(at(30_000));
      const probes = await lease({ now: at(30_000) });
      expect(probes).toMatchObject([{ destination: { health: { isProbe: true, failingSince: at(30) } } }]);
      expect(await lease({ now: at(30_001), worker: "two" })).toEqual([]);
      await finish([anAttempt(probes[0]!)], {
        destinations: [{ ...change, at: at(30_002), health: { kind: "succeeded" } }],
      });
      const others = await lease({ now: at(30_003) });
      expect(others).toHaveLength(3);
      expect(others[0]?.destination.health).toEqual({ warned: 0, isProbe: false, lastSuccessAt: at(30_002) });
    });

    it("of a dead probe are probed again after its lease", async () => {
      const one = await newReceiver();
      await record("a");
      const [leased] = await lease({ limit: 1 });
      await finish([aFailure(leased!, at(31))], {
        destinations: [{ tenantId, destinationId: one, at: at(30), blockedUntil: at(30_000) }],
      });
      await lease({ now: at(30_000) });
      expect(await lease({ now: at(30_000 + leaseMs - 1) })).toEqual([]);
      expect(await lease({ now: at(30_000 + leaseMs) })).toHaveLength(1);
    });

    it("of a disabled destination wait, and its end is evidence once", async () => {
      const one = await newReceiver();
      await record("a");
      const leased = await lease({ limit: 1 });
      const evidence = {
        id: "evidence",
        kind: "destination_disabled",
        at: at(30),
        body: { destinationId: one },
      };
      const health = { kind: "disabled", reason: "gone" } as const;
      const destinations = [{ tenantId, destinationId: one, at: at(30), health, evidence }];
      await finish([anAttempt(leased[0]!, { state: "held", decision: "gone", status: 410 })], {
        destinations,
      });
      await finish([], { destinations });
      expect(await lease({ now: at(1_000_000) })).toEqual([]);
      expect(await countRows(harness, "evidence")).toBe(1);
      await record("b");
      expect(await statesOf()).toEqual([
        ["due", 1],
        ["held", 3],
      ]);
      expect(await store.holdDeliveries({ tenantId, destinationId: one })).toBe(1);
      expect(await statesOf()).toEqual([["held", 4]]);
      expect(await store.findDestination({ tenantId, environment: "test" }, one)).toMatchObject({
        state: "disabled",
        stateReason: "gone",
      });
    });

    it("note the first 410 of their destination until its next success", async () => {
      const one = await newReceiver();
      const record410 = async (time: number) => {
        const changes = [{ tenantId, destinationId: one, at: at(time), isFirstGone: true }] as const;
        await finish([], { destinations: changes });
      };
      const goneSince = async (time: number) => {
        const leased = await lease({ now: at(time), limit: 1 });
        return leased[0]?.destination.health.goneSince;
      };
      for (const operation of ["a", "b", "c", "d"]) await record(operation);
      await record410(20);
      await record410(30);
      expect(await goneSince(40)).toEqual(at(20));
      const success = { tenantId, destinationId: one, at: at(50), health: { kind: "succeeded" } } as const;
      await finish([], { destinations: [success] });
      expect(await goneSince(60)).toBeUndefined();
      await record410(70);
      expect(await goneSince(80)).toEqual(at(70));
    });

    it("of a removed destination are leased without settings, so that they end", async () => {
      const one = await newReceiver();
      await record("a");
      const stored = await store.findDestination({ tenantId, environment: "test" }, one);
      await store.removeDestination(stored!, at(5), { evidence: [] });
      const leased = await lease();
      expect(leased).toHaveLength(2);
      expect(leased[0]?.destination).toMatchObject({ id: one });
      expect(leased[0]?.destination.stored).toBeUndefined();
    });

    it("go with their events, and the log with them", async () => {
      await newReceiver();
      await record("a");
      await finish((await lease()).map((one) => anAttempt(one)));
      expect(await countRows(harness, "delivery_attempts")).toBe(2);
      for (let removed = 1; removed > 0; ) removed = await store.eraseOperations(tenantId, at(100_000));
      const tables = ["delivery_attempts", "deliveries", "events", "operations"];
      const counts = await Promise.all(tables.map((table) => countRows(harness, table)));
      expect(counts).toEqual([0, 0, 0, 0]);
    });

    it("leased by many workers at the same moment are leased once each", async () => {
      for (let n = 0; n < 3; n += 1) await newReceiver();
      for (let n = 0; n < 20; n += 1) await record(`operation ${n}`);
      const second = await harness.open();
      const taken: string[] = [];
      // A process skips a destination that another one serves at the same moment.
      for (let round = 0; round < 60 && taken.length < 120; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) =>
            (n % 2 === 0 ? store : second).leaseDeliveries(aLease({ worker: `worker ${n}`, limit: 10 })),
          ),
        );
        const leased = answers.flatMap(({ deliveries }) => deliveries);
        for (const count of Object.values(countOf(leased))) expect(count).toBeLessThanOrEqual(8);
        taken.push(...leased.map(({ destinationId, eventId }) => `${destinationId} ${eventId}`));
        for (const [n, { deliveries }] of answers.entries()) {
          await finish(
            deliveries.map((one) => anAttempt(one)),
            { worker: `worker ${n}` },
          );
        }
      }
      await second.close();
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken).toHaveLength(120);
    });
  });
};
