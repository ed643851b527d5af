import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { Operation, Owner } from "#record/operations/operation";
import type { OperationStep } from "#record/transactions/operation-step";
import {
  anOperationStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";
import { aFailure, aLease, anAttempt, newDestination } from "../../webhooks/deliveries.ts";

type Change = Partial<OperationStep>;

/** A step of a call, with ids of its own, so that an operation can have many. */
const aCall = (operationId: string, change: Change = {}): OperationStep => {
  const name = randomUUID();
  return { ...anOperationStep(name), operationId, ...change };
};

/** The step that ends an operation. */
const anEnd = (
  operationId: string,
  state: NonNullable<OperationStep["ending"]>["state"],
  ms = 50,
): OperationStep => {
  const { opening: _, ...step } = aCall(operationId, { at: at(ms), endpoint: "finishTracking" });
  const id = randomUUID();
  return {
    ...step,
    events: [{ id, name: "operation_finished", sealedData: someBytes() }],
    ending: { state, reason: "MANUAL_STATUS_CHANGE", family: "OnBoarding" },
  };
};

const anAsset = () =>
  ({ id: randomUUID(), type: "selfie", blobId: randomUUID(), bytes: 3, sha256: "ab" }) as const;

const untilNone = async (remove: () => Promise<number>): Promise<number> => {
  let count = 0;
  for (let removed = await remove(); removed > 0; removed = await remove()) count += removed;
  return count;
};

/** The guarantees of every store for operations, their images and their removal. */
export const describeOperations = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`operations: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let owner: Owner;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      owner = { tenantId, environment: "test" };
    });
    afterEach(() => closeFresh({ harness, store }));

    const write = async (operation: OperationStep, tenant = tenantId): Promise<void> => {
      const record = aTransaction(tenant, { id: operation.transactionId, at: operation.at });
      await store.recordTransaction(record, [], { evidence: [], operation });
    };
    const get = async (id: string, of = owner): Promise<Operation> => {
      const found = await store.findOperation(of, id);
      if (found === undefined) throw new Error(`There is no operation ${id}`);
      return found;
    };

    it("open with their first call, and end once with state, reason, family and transaction", async () => {
      await write(aCall("one", { at: at(1) }));
      expect(await get("one")).toStrictEqual({
        ...owner,
        id: "one",
        state: "open",
        openedAt: at(1),
        expiresAt: at(1000),
      });
      const end = anEnd("one", "DENIED");
      await write(end);
      expect(await get("one")).toStrictEqual({
        ...owner,
        id: "one",
        state: "DENIED",
        openedAt: at(1),
        expiresAt: at(1000),
        endedAt: at(50),
        endedBy: end.transactionId,
        reason: "MANUAL_STATUS_CHANGE",
        family: "OnBoarding",
      });
      for (const step of [anEnd("one", "SUCCEEDED"), anEnd("one", "DENIED"), aCall("one")])
        await expect(write(step)).rejects.toMatchObject({ code: "operation_finished" });
      expect(await get("one")).toMatchObject({ state: "DENIED", endedBy: end.transactionId });
      await expect(write(anEnd("unknown", "ERROR"))).rejects.toMatchObject({ code: "not_found" });
      expect(await countRows(harness, "transactions")).toBe(2);
    });

    it("take a later decision after their end, and drop it after their removal", async () => {
      await write(aCall("one"));
      await write(anEnd("one", "SUCCEEDED"));
      const { opening: _, ...decision } = aCall("one");
      await write(decision);
      expect(
        (await store.readTimeline(owner, "one"))?.events.map(({ sequence, name: event }) => [
          sequence,
          event,
        ]),
      ).toEqual([
        [1, "operation_started"],
        [2, "selfie_captured"],
        [3, "operation_finished"],
        [4, "selfie_captured"],
      ]);
      await untilNone(() => store.eraseOperations(tenantId, at(9999)));
      const { opening: _removed, ...late } = aCall("one");
      await write(late);
      expect(await countRows(harness, "events")).toBe(0);
      expect(await countRows(harness, "transactions")).toBe(4);
    });

    it("leave out a call by its tracking token alone after their end, and every decision on that call", async () => {
      const byToken = (ms: number): OperationStep => {
        const { opening, ...step } = aCall("one", { at: at(ms), assets: [anAsset()] });
        return { ...step, ...(opening && { opening: { ...opening, byTokenAlone: true } }) };
      };
      const decisionOn = ({ transactionId }: OperationStep): OperationStep => {
        const { opening: _, ...decision } = aCall("one", { at: at(60), follows: transactionId });
        return decision;
      };
      const [first, late] = [byToken(1), byToken(55)];
      await write(first);
      await write(anEnd("one", "SUCCEEDED"));
      const tables = ["operation_steps", "events", "assets", "blobs"];
      const count = () => Promise.all(tables.map((table) => countRows(harness, table)));
      const before = await count();
      await write(late);
      await write(decisionOn(late));
      expect(await count()).toEqual(before);
      expect(await countRows(harness, "transactions")).toBe(4);
      await write(decisionOn(first));
      expect(await countRows(harness, "operation_steps")).toBe(before[0]! + 1);
      await expect(write(aCall("one"))).rejects.toMatchObject({ code: "operation_finished" });
    });

    it("are found by id and by the latest call with a tracking token, in their tenant and environment alone", async () => {
      const extra = (hash: string, ms: number): Change => {
        const { opening } = anOperationStep(randomUUID());
        return {
          at: at(ms),
          ...(opening && { opening: { ...opening, extraData: { hash, sealed: someBytes() } } }),
        };
      };
      await write(aCall("one", extra("hash", 1)));
      await write(aCall("two", extra("hash", 2)));
      await write(aCall("three", extra("other", 3)));
      expect((await store.findOperationOfExtra(owner, "hash"))?.id).toBe("two");
      const other = await newTenantIn(store);
      for (const of of [
        { tenantId: other, environment: "test" },
        { tenantId, environment: "live" },
      ] as const) {
        expect(await store.findOperation(of, "one")).toBeUndefined();
        expect(await store.findOperationOfExtra(of, "hash")).toBeUndefined();
        expect(await store.readTimeline(of, "one")).toBeUndefined();
        expect(await store.listOperations(of, {})).toStrictEqual({ operations: [], isLast: true });
      }
    });

    it("are listed in pages, the newest first, each once", async () => {
      for (let n = 0; n < 101; n += 1) await write(aCall(`op-${n}`, { at: at(Math.floor(n / 3)) }));
      const seen: string[] = [];
      let last: Operation | undefined;
      let isLast = false;
      while (!isLast) {
        const page = await store.listOperations(owner, {}, last);
        seen.push(...page.operations.map(({ id }) => id));
        last = page.operations.at(-1);
        ({ isLast } = page);
      }
      expect(seen).toHaveLength(101);
      expect(new Set(seen).size).toBe(101);
      expect((await get(seen[0] ?? "")).openedAt).toEqual(at(33));
      expect((await get(seen[100] ?? "")).openedAt).toEqual(at(0));
    });

    it("are listed by state, time and customer", async () => {
      const { opening } = anOperationStep(randomUUID());
      const customer = { hash: "customer", sealed: someBytes() };
      await write(aCall("one", { at: at(1) }));
      await write(aCall("two", { at: at(2), ...(opening && { opening: { ...opening, customer } }) }));
      await write(aCall("three", { at: at(3) }));
      await write(anEnd("one", "SUCCEEDED"));
      const ids = async (filter: Parameters<Store["listOperations"]>[1]) =>
        (await store.listOperations(owner, filter)).operations.map(({ id }) => id);
      expect(await ids({ state: "open" })).toEqual(["three", "two"]);
      expect(await ids({ state: "SUCCEEDED" })).toEqual(["one"]);
      expect(await ids({ from: at(2) })).toEqual(["three", "two"]);
      expect(await ids({ to: at(2) })).toEqual(["one"]);
      expect(await ids({ from: at(2), to: at(3) })).toEqual(["two"]);
      expect(await ids({ customerHash: "customer" })).toEqual(["two"]);
      expect(await ids({ customerHash: "customer", state: "DENIED" })).toEqual([]);
    });

    it("show their steps with results, events and images in order", async () => {
      const asset = anAsset();
      const call = aCall("one", { at: at(1), assets: [asset] });
      await write(call);
      const removed = aCall("one", { at: at(2), endpoint: "validation" });
      await store.recordTransaction(aTransaction(tenantId), [], { evidence: [], operation: removed });
      const timeline = await store.readTimeline(owner, "one");
      expect(timeline?.steps).toStrictEqual([
        {
          transactionId: call.transactionId,
          endpoint: "identity",
          at: at(1),
          result: aTransaction(tenantId).result,
        },
        { transactionId: removed.transactionId, endpoint: "validation", at: at(2) },
      ]);
      expect(timeline?.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      expect(timeline?.events[1]).toStrictEqual({
        id: call.events[0]?.id,
        sequence: 2,
        name: "selfie_captured",
        at: at(1),
        sealedData: call.events[0]?.sealedData,
      });
      expect(timeline?.assets).toStrictEqual([{ id: asset.id, type: "selfie", createdAt: at(1) }]);
      expect(timeline?.isWhole).toBe(true);
    });

    it("expire once in two processes, and not when a call came", async () => {
      const second = await harness.open();
      await write(aCall("one"));
      expect(await store.listExpired(at(999))).toStrictEqual([]);
      const [due] = await store.listExpired(at(1000));
      expect(due).toStrictEqual(await get("one"));
      const expiry = () => ({ evidence: [], operation: anEnd("one", "EXPIRED", 1000) });
      const ends = await Promise.all([store, second].map((of) => of.expireOperation(due!, expiry())));
      await second.close();
      expect(ends.filter(Boolean)).toHaveLength(1);
      expect((await store.readTimeline(owner, "one"))?.events).toHaveLength(3);
      expect(await store.listExpired(at(9999))).toStrictEqual([]);

      await write(aCall("two"));
      const [read] = await store.listExpired(at(1000));
      const { opening } = anOperationStep(randomUUID());
      await write(aCall("two", { ...(opening && { opening: { ...opening, expiresAt: at(2000) } }) }));
      const late = { evidence: [], operation: anEnd("two", "EXPIRED", 1000) };
      expect(await store.expireOperation(read!, late)).toBe(false);
      expect((await get("two")).state).toBe("open");
    });

    it("that expired are listed in pages over all tenants, each once", async () => {
      const other = await newTenantIn(store);
      for (let n = 0; n < 60; n += 1) {
        await write(aCall(`op-${n}`));
        await write(aCall(`op-${n}`, { environment: "live" }), other);
      }
      const first = await store.listExpired(at(1000));
      const next = await store.listExpired(at(1000), first.at(-1));
      const names = [...first, ...next].map((of) => `${of.tenantId} ${of.environment} ${of.id}`);
      expect([first.length, next.length, new Set(names).size]).toEqual([100, 20, 120]);
      expect(await store.listExpired(at(1000), next.at(-1))).toStrictEqual([]);
    });

    it("serve an image until it is revoked, by its own operation, tenant and environment alone", async () => {
      const asset = anAsset();
      await write(aCall("one", { assets: [asset] }));
      await write(aCall("two"));
      const kept = { ...owner, id: asset.id, operationId: "one", type: "selfie", blobId: asset.blobId };
      expect(await store.findAsset(asset.id)).toStrictEqual(kept);
      expect(await store.findAsset(randomUUID())).toBeUndefined();
      const entry = { id: randomUUID(), kind: "asset_read", at: at(3), body: null };
      expect(await store.noteAssetRead(kept, { evidence: [entry] })).toBe(true);
      expect(await countRows(harness, "evidence")).toBe(1);

      const other = { tenantId: await newTenantIn(store), environment: "test" } as const;
      const revoke = (of: Owner, operation: string) => {
        const evidence = [{ id: randomUUID(), kind: "asset_revoked", at: at(4), body: null }];
        return store.revokeAsset(of, operation, asset.id, at(4), { evidence });
      };
      expect(await revoke(other, "one")).toBe(false);
      expect(await revoke({ tenantId, environment: "live" }, "one")).toBe(false);
      expect(await revoke(owner, "two")).toBe(false);
      expect(await store.findAsset(asset.id)).toStrictEqual(kept);
      expect([await revoke(owner, "one"), await revoke(owner, "one")]).toEqual([true, true]);
      expect(await countRows(harness, "evidence")).toBe(2);
      expect(await store.findAsset(asset.id)).toBeUndefined();
      expect(await store.noteAssetRead(kept, noStep)).toBe(false);
      expect((await store.readTimeline(owner, "one"))?.assets).toMatchObject([{ revokedAt: at(4) }]);
    });

    it("keep their images from the retention of validations, and lose them at their own", async () => {
      const asset = anAsset();
      await write(aCall("one", { at: at(10), assets: [asset] }));
      expect(await store.forgetBlobs(at(9999))).toBe(0);
      expect(await store.knownBlobIds(tenantId, [asset.blobId])).toEqual([asset.blobId]);
      expect(await store.purgeAssets(tenantId, at(10))).toBe(0);
      expect(await store.purgeAssets(tenantId, at(11))).toBe(1);
      expect(await store.knownBlobIds(tenantId, [asset.blobId])).toEqual([]);
      expect(await store.findAsset(asset.id)).toBeUndefined();
      expect((await get("one")).state).toBe("open");
    });

    it("are removed some time after their end, with all that hangs on them, and open ones stay", async () => {
      const other = await newTenantIn(store);
      for (const [id, tenant] of [
        ["ended", tenantId],
        ["open", tenantId],
        ["ended", other],
      ] as const) {
        await write(aCall(id, { assets: [anAsset()] }), tenant);
        if (id === "ended") await write(anEnd(id, "SUCCEEDED"), tenant);
      }
      await write(aCall("live", { environment: "live" }));
      await write({ ...anEnd("live", "ERROR"), environment: "live" });
      expect(await untilNone(() => store.purgeOperations(tenantId, at(50)))).toBe(0);
      expect(await untilNone(() => store.purgeOperations(tenantId, at(51)))).toBeGreaterThan(0);
      expect(await store.findOperation(owner, "ended")).toBeUndefined();
      expect(await store.findOperation({ tenantId, environment: "live" }, "live")).toBeUndefined();
      expect((await get("open")).state).toBe("open");
      expect((await get("ended", { tenantId: other, environment: "test" })).state).toBe("SUCCEEDED");
      const left = ["operations", "operation_steps", "events", "assets", "blobs"].map((table) =>
        countRows(harness, table),
      );
      expect(await Promise.all(left)).toEqual([2, 3, 5, 2, 2]);
    });

    it("stay while a delivery of theirs is due, also beyond their age, but not when it is held", async () => {
      const destinationId = await newDestination(store, tenantId);
      for (let n = 0; n < 51; n += 1) {
        await write(aCall(`op-${n}`));
        await write(anEnd(`op-${n}`, "SUCCEEDED"));
      }
      expect(await store.purgeOperations(tenantId, at(51))).toBe(0);
      const { deliveries } = await store.leaseDeliveries(
        aLease({ now: at(60), limit: 200, inFlightMax: 200 }),
      );
      expect(deliveries).toHaveLength(153);
      const waiting = deliveries.find(({ event }) => event.operationId === "op-0" && event.sequence === 2);
      const attempts = deliveries.map((one) => (one === waiting ? aFailure(one, at(90)) : anAttempt(one)));
      const none = { retries: [], destinations: [] };
      await store.finishDeliveries({ worker: "one", at: at(30), attempts, ...none });
      await untilNone(() => store.purgeOperations(tenantId, at(51)));
      expect((await store.listOperations(owner, {})).operations.map(({ id }) => id)).toEqual(["op-0"]);
      await store.holdDeliveries({ tenantId, destinationId });
      await untilNone(() => store.purgeOperations(tenantId, at(51)));
      expect(await countRows(harness, "deliveries")).toBe(0);
      expect(await countRows(harness, "operations")).toBe(0);
    });

    it("of before an erasure are removed with deliveries that are due", async () => {
      await newDestination(store, tenantId);
      await write(aCall("one"));
      expect(await untilNone(() => store.eraseOperations(tenantId, at(2)))).toBeGreaterThan(0);
      expect(await countRows(harness, "deliveries")).toBe(0);
    });

    it("of before an erasure are removed in parts, open ones too", async () => {
      for (let n = 0; n < 3; n += 1) await write(aCall(`op-${n}`, { at: at(n), assets: [anAsset()] }));
      for (let n = 0; n < 600; n += 1) await write(aCall("op-0", { at: at(5) }));
      const counts: number[] = [];
      do counts.push(await store.eraseOperations(tenantId, at(2)));
      while (counts.at(-1) !== 0);
      expect(Math.max(...counts)).toBe(500);
      expect(await store.findOperation(owner, "op-0")).toBeUndefined();
      expect(await store.findOperation(owner, "op-1")).toBeUndefined();
      const left = ["operations", "operation_steps", "events", "assets", "blobs"].map((table) =>
        countRows(harness, table),
      );
      expect(await Promise.all(left)).toEqual([1, 1, 2, 1, 1]);
      expect((await get("op-2")).state).toBe("open");
    });
  });
};
