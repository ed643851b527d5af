import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { ClearingToken } from "#features/clearing/store/clearing-token";
import { sealBox } from "#machine/storage/sealed-box";
import type { WorkerLease } from "#record/jobs/store/job-lease";
import type { NewOneShot, OneShotAttempt, OneShotChange } from "#record/webhooks/one-shot/one-shot";
import {
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

const request: WorkerLease = {
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

const entry: OneShotAttempt = {
  at: "2026-11-25T10:00:00.000Z",
  reportedStatus: 200,
  outcome: "refused",
  status: 500,
  decision: "retry",
  totalMs: 12,
};

/** Adds the data key of the tenant, which has the same id, and returns a callback that it sealed. */
export const aCallbackIn = async (store: Store, tenantId: string): Promise<NewOneShot> => {
  const key = {
    id: tenantId,
    tenantId,
    purpose: "transfers",
    createdAt: at(0),
    masterId: "master",
  } as const;
  await store.insertKey({ ...key, wrapped: someBytes() });
  return {
    tenantId,
    environment: "test",
    id: randomUUID(),
    createdAt: at(0),
    sealed: sealBox({ id: tenantId.replaceAll("-", ""), bytes: randomBytes(32) }, [], someBytes()),
  };
};

/** Writes a callback with its token and the record of its call. */
export const recordCallback = async (store: Store, callback: NewOneShot): Promise<void> => {
  const { tenantId, environment, id, createdAt } = callback;
  const token: ClearingToken = {
    tenantId,
    environment,
    hash: randomUUID(),
    transactionId: randomUUID(),
    validationId: randomUUID(),
    issuedBy: id,
    samePersonBy: "image",
    createdAt,
    expiresAt: at(3_600_000),
    uses: 0,
    usesMax: 2,
  };
  await store.recordClearingToken(token, aTransaction(tenantId, { id }), noStep, callback);
};

/**
 * The guarantees of every store for one-shots, written as callbacks of the older flow of pension clearing.
 */
export const describeOneShots = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`one-shots: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let first: NewOneShot;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      first = await aCallbackIn(store, tenantId);
    });
    afterEach(() => closeFresh({ harness, store }));

    const owner = () => ({ tenantId, environment: "test" }) as const;
    const recorded = async (change: Partial<NewOneShot> = {}): Promise<NewOneShot> => {
      const callback = { ...first, id: randomUUID(), ...change };
      await recordCallback(store, callback);
      return callback;
    };
    const held = ({ id }: Pick<NewOneShot, "id">, worker = "worker") => ({ tenantId, id, worker });
    const endOf = (
      { id }: Pick<NewOneShot, "id">,
      change: Pick<OneShotChange, "state"> & Partial<OneShotChange>,
    ): OneShotChange => ({ tenantId, id, failures: 1, log: [entry], at: at(20), ...change });

    it("commit with their token and their call, or not at all", async () => {
      await recorded({ id: first.id });
      expect(await store.listOneShots(owner(), 10)).toEqual([
        {
          ...owner(),
          id: first.id,
          state: "due",
          failures: 0,
          log: [],
          createdAt: at(0),
          sealed: first.sealed,
          attempts: 0,
        },
      ]);
      await expect(recorded({ id: first.id })).rejects.toThrow();
      await store.destroyKey(tenantId, at(5), noStep);
      await expect(recorded()).rejects.toThrow();
      for (const table of ["one_shots", "clearing_tokens", "transactions"]) {
        expect([table, await countRows(harness, table)]).toEqual([table, 1]);
      }
    });

    it("are due again at the time of their next attempt, under their lease alone", async () => {
      const callback = await recorded();
      const again = endOf(callback, { state: "due", nextAt: at(5_000) });
      expect(await store.endOneShotAttempt(held(callback), again)).toBe(false);
      expect((await store.leaseOneShots(request)).jobs.map(({ id, attempts }) => [id, attempts])).toEqual([
        [callback.id, 1],
      ]);
      expect(await store.endOneShotAttempt(held(callback, "other"), again)).toBe(false);
      expect(await store.endOneShotAttempt(held(callback), again)).toBe(true);
      expect((await store.leaseOneShots({ ...request, now: at(4_999) })).jobs).toEqual([]);
      expect((await store.leaseOneShots({ ...request, now: at(5_000) })).jobs).toEqual([
        expect.objectContaining({ id: callback.id, attempts: 1, failures: 1, log: [entry] }),
      ]);
    });

    it.each(["delivered", "failed"] as const)("keep no URL and no hash once they are %s", async (state) => {
      const callback = await recorded();
      await store.leaseOneShots(request);
      expect(await store.endOneShotAttempt(held(callback), endOf(callback, { state }))).toBe(true);
      const [settled] = await store.listOneShots(owner(), 10);
      expect(settled).toMatchObject({ state, settledAt: at(20), log: [entry] });
      expect(settled?.sealed).toBeUndefined();
      expect(await store.renewOneShot(held(callback), at(99_999))).toBe(false);
      expect((await store.leaseOneShots({ ...request, now: at(999_999) })).jobs).toEqual([]);
    });

    it("are listed in pages, the newest first, to their own tenant and environment", async () => {
      for (const ms of [1, 2, 2, 3]) await recorded({ createdAt: at(ms) });
      await recorded({ environment: "live" });
      const all = await store.listOneShots(owner(), 10);
      expect(all.map(({ createdAt }) => createdAt)).toEqual([at(3), at(2), at(2), at(1)]);
      const page = await store.listOneShots(owner(), 2);
      expect([...page, ...(await store.listOneShots(owner(), 10, page[1]))]).toEqual(all);
      expect(await store.listOneShots({ ...owner(), tenantId: await newTenantIn(store) }, 10)).toEqual([]);
    });

    it("go with an erasure whatever their state, and with their retention once settled", async () => {
      const due = await recorded();
      const settled = await recorded();
      const later = await recorded({ createdAt: at(50) });
      const other = await aCallbackIn(store, await newTenantIn(store));
      await recordCallback(store, other);
      await store.leaseOneShots(request);
      await store.endOneShotAttempt(held(settled), endOf(settled, { state: "delivered" }));
      expect(await store.purgeOneShots(tenantId, at(20))).toBe(0);
      expect(await store.purgeOneShots(tenantId, at(21))).toBe(1);
      expect((await store.listOneShots(owner(), 10)).map(({ id }) => id)).toEqual([later.id, due.id]);
      expect(await store.eraseOneShots(tenantId, at(50))).toBe(1);
      expect((await store.listOneShots(owner(), 10)).map(({ id }) => id)).toEqual([later.id]);
      expect(await store.listOneShots(other, 10)).toHaveLength(1);
    });
  });
};
