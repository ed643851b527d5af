import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type {
  NewVerification,
  VerificationChange,
  VerificationLease,
  VerificationRow,
} from "#features/verification/store/verification-row";
import type { SealedTransaction } from "#record/transactions/record";
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
  someBytes,
} from "../../storage/suite.ts";

const request: VerificationLease = {
  worker: "worker",
  limit: 10,
  leaseMs: 30_000,
  now: at(10),
  isAlone: false,
  running: [],
  endsLeases: true,
  deathsAllowed: 2,
  deathsMax: 3,
};

/** A verification that can be created in a tenant. */
export const aVerification = (tenantId: string, change: Partial<NewVerification> = {}): NewVerification => ({
  tenantId,
  id: randomUUID(),
  environment: "test",
  keyId: "key",
  operationId: "operation",
  state: "PROCESSING",
  createdAt: at(0),
  sealed: someBytes(),
  blobs: [],
  ...change,
});

/** The guarantees of every store for verifications. */
export const describeVerifications = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`verifications: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const owner = () => ({ tenantId, environment: "test" }) as const;
    const create = async (change: Partial<NewVerification> = {}): Promise<VerificationRow> => {
      const row = aVerification(tenantId, change);
      await store.createVerification(row, aTransaction(row.tenantId), noStep);
      const found = await store.findVerification(row, row.id);
      if (found === undefined) throw new Error("The verification was not written");
      return found;
    };
    const lease = async (change: Partial<VerificationLease> = {}) =>
      (await store.leaseVerifications({ ...request, ...change })).jobs.map(({ id }) => id);
    const held = ({ id }: Pick<VerificationRow, "id">, worker = "worker") => ({ tenantId, id, worker });
    const changeOf = (
      row: VerificationRow,
      change: Partial<VerificationChange<SealedTransaction>> = {},
    ): VerificationChange<SealedTransaction> => ({
      tenantId,
      id: row.id,
      revision: row.revision,
      state: row.state,
      sealed: someBytes(),
      blobIds: row.blobIds,
      added: [],
      removed: [],
      ...change,
    });
    const aBlob = (id: string) => ({ id, tenantId, kind: "verification", bytes: 1, createdAt: at(0) });
    const settled = () => ({ at: at(20), record: aTransaction(tenantId) });

    it("are found by their id within tenant and environment", async () => {
      const row = await create();
      expect(await store.findVerification(owner(), row.id)).toEqual(row);
      expect(await store.findVerification({ ...owner(), environment: "live" }, row.id)).toBeUndefined();
      const other = { ...owner(), tenantId: await newTenantIn(store) };
      expect(await store.findVerification(other, row.id)).toBeUndefined();
    });

    it("are changed by the holder of the lease alone, at the revision that it read", async () => {
      const row = await create();
      expect(await store.changeVerification(held(row), changeOf(row), noStep)).toBe(false);
      expect(await lease()).toEqual([row.id]);
      expect(await store.changeVerification(held(row, "other"), changeOf(row), noStep)).toBe(false);
      const change = changeOf(row, { state: "IN_REVIEW" });
      expect(await store.changeVerification(held(row), change, noStep)).toBe(true);
      expect(await store.changeVerification(held(row), change, aStep("late"))).toBe(false);
      expect(await store.findVerification(owner(), row.id)).toMatchObject({
        state: "IN_REVIEW",
        revision: 1,
      });
      expect(await countRows(harness, "evidence")).toBe(0);
    });

    it("end once, with record and evidence, and then have no lease and no images", async () => {
      const row = await create({ blobs: [aBlob("one"), aBlob("two")] });
      expect(row.blobIds).toEqual(["one", "two"]);
      await lease();
      const end = changeOf(row, {
        state: "COMPLETED",
        blobIds: [],
        removed: ["one", "two"],
        settled: settled(),
      });
      expect(await store.changeVerification(held(row), end, aStep("end"))).toBe(true);
      expect(await store.changeVerification(held(row), { ...end, revision: 1 }, noStep)).toBe(false);
      expect(await store.findVerification(owner(), row.id)).toMatchObject({
        state: "COMPLETED",
        settledAt: at(20),
        blobIds: [],
      });
      expect(await countRows(harness, "blobs")).toBe(0);
      expect(await countRows(harness, "transactions")).toBe(2);
      expect(await countRows(harness, "evidence")).toBe(1);
      expect(await lease({ now: at(100_000) })).toEqual([]);
    });

    it("are due at once when what they wait for has ended, and those that wait for something else are not", async () => {
      const one = await create({ waitsFor: "session" });
      const other = await create({ waitsFor: "another" });
      const foreign = await newTenantIn(store);
      expect(await lease()).toHaveLength(2);
      for (const row of [one, other]) await store.retryVerification(held(row), at(60_000), false);
      expect(await lease()).toEqual([]);
      expect(await store.hastenVerifications(foreign, "session")).toBe(0);
      expect(await store.hastenVerifications(tenantId, "session")).toBe(1);
      expect(await lease()).toEqual([one.id]);
      // A leased one is judged now; it needs no hint.
      expect(await store.hastenVerifications(tenantId, "session")).toBe(0);
    });

    it("are removed by age when they are settled, and all of them by an erasure, with the rows of their images", async () => {
      const [first] = [await create({ blobs: [aBlob("one")] }), await create({ blobs: [aBlob("two")] })];
      await create({ tenantId: await newTenantIn(store) });
      await lease();
      const end = changeOf(first, { state: "FAILED", settled: { at: at(20), record: undefined } });
      await store.changeVerification(held(first), end, noStep);
      expect(await store.purgeVerifications(tenantId, at(0))).toBe(0);
      expect(await store.purgeVerifications(tenantId, at(1))).toBe(1);
      expect(await store.knownBlobIds(tenantId, ["one", "two"])).toEqual(["two"]);
      expect(await store.eraseVerifications(tenantId, at(1))).toBe(1);
      expect(await store.eraseVerifications(tenantId, at(1))).toBe(0);
      expect(await countRows(harness, "blobs")).toBe(0);
      expect(await countRows(harness, "verifications")).toBe(1);
    });
  });
};
