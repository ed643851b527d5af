import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { Claim } from "#record/idempotency/store/claim";
import {
  aStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "../../storage/suite.ts";

const aClaim = (tenantId: string, change: Partial<Claim> = {}): Claim => ({
  tenantId,
  name: "a".repeat(64),
  request: "b".repeat(64),
  owner: "key",
  transactionId: randomUUID(),
  keyId: randomUUID(),
  environment: "test",
  now: at(0),
  leasedUntil: at(45_000),
  forgottenBefore: at(-86_400_000),
  ...change,
});

const sealed = new Uint8Array([1, 0, 255]);

/** The guarantees of every store for calls under a retry key. */
export const describeIdempotency = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`calls under a retry key: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    /** Another attempt of the same call, after the lease of the first. */
    const retry = (change: Partial<Claim> = {}): Claim =>
      aClaim(tenantId, { now: at(45_000), leasedUntil: at(90_000), ...change });

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    it("belong to one of many simultaneous attempts of two processes", async () => {
      const second = await harness.open();
      const claims = Array.from({ length: 20 }, () => aClaim(tenantId));
      const kinds = await Promise.all(
        claims.map(async (claim, n) => (await (n % 2 === 0 ? store : second).claimCall(claim)).kind),
      );
      await second.close();
      expect(kinds.filter((kind) => kind === "claimed")).toHaveLength(1);
      expect(kinds.filter((kind) => kind === "running")).toHaveLength(19);
      expect(await harness.query("select transaction_id from idempotent_calls")).toStrictEqual([
        { transaction_id: claims[kinds.indexOf("claimed")]?.transactionId },
      ]);
    });

    it("are separate for tenants and names", async () => {
      const other = await newTenantIn(store);
      for (const claim of [aClaim(tenantId), aClaim(other), aClaim(tenantId, { name: "c".repeat(64) })]) {
        expect(await store.claimCall(claim)).toStrictEqual({ kind: "claimed" });
      }
    });

    it("return the stored answer to the same request, and another request is refused", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      const other = { request: "d".repeat(64) };
      expect(await store.claimCall(aClaim(tenantId, other))).toStrictEqual({ kind: "reused" });
      expect(await store.keepAnswer({ ...claim, sealed })).toBe(true);
      const { transactionId } = claim;
      expect(await store.claimCall(aClaim(tenantId))).toStrictEqual({
        kind: "answered",
        transactionId,
        sealed,
      });
      expect(await store.claimCall(aClaim(tenantId, other))).toStrictEqual({ kind: "reused" });
      expect(await store.keepAnswer({ ...claim, sealed: new Uint8Array(1) })).toBe(false);
    });

    it("give the answer to attempts of their owner alone, and run for no other one after their lease", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      const other = { owner: "other key" };
      expect(await store.claimCall(aClaim(tenantId, other))).toStrictEqual({ kind: "taken" });
      expect(await store.claimCall(retry(other))).toStrictEqual({ kind: "taken" });
      await store.keepAnswer({ ...claim, sealed });
      expect(await store.claimCall(aClaim(tenantId, other))).toStrictEqual({ kind: "taken" });
      expect(await store.claimCall(aClaim(tenantId))).toMatchObject({ kind: "answered" });
      const free = { now: at(100_000), forgottenBefore: at(0), ...other };
      expect(await store.claimCall(aClaim(tenantId, free))).toStrictEqual({ kind: "claimed" });
    });

    it("commit a record, its token and its answer together or not at all", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      const record = aTransaction(tenantId, { id: claim.transactionId });
      const use = { hash: "ab".repeat(32), expiresAt: at(100) };
      await store.recordAnswered(record, [use], aStep("one"), { ...claim, sealed });
      expect(await store.findTransaction(tenantId, record.id)).toStrictEqual(record);
      expect(await store.claimCall(retry())).toMatchObject({ kind: "answered", sealed });

      const replay = aClaim(tenantId, { name: "c".repeat(64) });
      await store.claimCall(replay);
      const second = aTransaction(tenantId, { id: replay.transactionId });
      const failing = store.recordAnswered(second, [use], aStep("two"), { ...replay, sealed });
      await expect(failing).rejects.toMatchObject({ code: "token_replayed" });
      expect(await store.findTransaction(tenantId, second.id)).toBeUndefined();
      expect(await store.claimCall(aClaim(tenantId, { name: replay.name }))).toStrictEqual({
        kind: "running",
      });
    });

    it("commit nothing for an attempt without the claim", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      const late = { ...claim, transactionId: randomUUID() };
      expect(await store.keepAnswer({ ...late, sealed })).toBe(false);
      const record = aTransaction(tenantId, { id: late.transactionId });
      const use = { hash: "ab".repeat(32), expiresAt: at(100) };
      const failing = store.recordAnswered(record, [use], aStep("one"), { ...late, sealed });
      await expect(failing).rejects.toMatchObject({ code: "idempotency_call_running" });
      const counts = ["transactions", "token_uses", "events", "evidence"].map((table) =>
        countRows(harness, table),
      );
      expect(await Promise.all(counts)).toStrictEqual([0, 0, 0, 0]);
      await store.releaseCall(late);
      await store.endCallLease(late);
      expect(await store.claimCall(aClaim(tenantId))).toStrictEqual({ kind: "running" });
    });

    it("run again after a release, also with another request", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      await store.releaseCall(claim);
      const other = { request: "d".repeat(64) };
      expect(await store.claimCall(aClaim(tenantId, other))).toStrictEqual({ kind: "claimed" });
    });

    it("run again after the lease, and the former attempt can never commit", async () => {
      const dead = aClaim(tenantId);
      await store.claimCall(dead);
      const early = aClaim(tenantId, { now: at(44_999) });
      expect(await store.claimCall(early)).toStrictEqual({ kind: "running" });
      const next = retry();
      expect(await store.claimCall(next)).toStrictEqual({ kind: "claimed" });
      const record = aTransaction(tenantId, { id: dead.transactionId });
      await expect(store.recordAnswered(record, [], noStep, { ...dead, sealed })).rejects.toMatchObject({
        code: "idempotency_call_running",
      });
      // A command of another module, which writes its record under the same id.
      await expect(store.recordTransaction(record, [], noStep)).rejects.toThrow();
      expect(await store.findTransaction(tenantId, dead.transactionId)).toMatchObject({
        endpoint: "abandonedCall",
        result: null,
      });
      expect(await store.keepAnswer({ ...next, sealed })).toBe(true);
    });

    it("are lost, and never run again, if the former attempt has committed without an answer", async () => {
      const dead = aClaim(tenantId);
      await store.claimCall(dead);
      await store.recordTransaction(aTransaction(tenantId, { id: dead.transactionId }), [], noStep);
      await store.endCallLease(dead);
      const { transactionId } = dead;
      for (const claim of [aClaim(tenantId), retry()]) {
        expect(await store.claimCall(claim)).toStrictEqual({ kind: "lost", transactionId });
      }
      expect(await countRows(harness, "transactions")).toBe(1);
    });

    it("are free again after their time", async () => {
      const claim = aClaim(tenantId);
      await store.claimCall(claim);
      await store.keepAnswer({ ...claim, sealed });
      const later = { now: at(100_000), leasedUntil: at(145_000) };
      const kept = aClaim(tenantId, { ...later, forgottenBefore: at(-1) });
      expect(await store.claimCall(kept)).toMatchObject({ kind: "answered" });
      const free = aClaim(tenantId, { ...later, forgottenBefore: at(0), request: "d".repeat(64) });
      expect(await store.claimCall(free)).toStrictEqual({ kind: "claimed" });
      expect(await store.claimCall(kept)).toStrictEqual({ kind: "reused" });
    });

    it("are deleted by age in batches, and of one tenant at its erasure", async () => {
      const other = await newTenantIn(store);
      for (let n = 0; n < 101; n += 1) {
        await store.claimCall(aClaim(tenantId, { name: `old ${n}`, now: at(0) }));
      }
      await store.claimCall(aClaim(tenantId, { name: "new", now: at(1) }));
      await store.claimCall(aClaim(other, { name: "other", now: at(1) }));
      const counts: number[] = [];
      do counts.push(await store.purgeIdempotentCalls(at(1)));
      while (counts.at(-1) !== 0);
      expect(counts).toStrictEqual([100, 1, 0]);
      expect(await countRows(harness, "idempotent_calls")).toBe(2);
      expect(await store.forgetIdempotentCalls(tenantId, at(1))).toBe(0);
      expect(await store.forgetIdempotentCalls(tenantId, at(2))).toBe(1);
      expect(await harness.query("select name from idempotent_calls")).toStrictEqual([{ name: "other" }]);
    });
  });
};
